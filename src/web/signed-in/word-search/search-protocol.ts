import type { Session } from '../../base/api/client.ts'
import type { StoredTranscript } from './stored-transcript.ts'
import type { WordHit } from './transcript-searcher.ts'

/** To the worker: store one transcript and end, or load all of them and search them until it is ended. */
export type SearchRequest =
  | { kind: 'store'; session: Session; file: string; transcript: StoredTranscript }
  | { kind: 'load'; session: Session }
  | { kind: 'search'; query: string }

/** From the worker: the hits of this query; `transcripts`: how many were searched. */
export type SearchAnswer = { query: string; hits: WordHit[]; transcripts: number }
