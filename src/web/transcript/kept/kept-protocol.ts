import type { Session } from '../../api/client.ts'
import type { KeptHit, KeptTranscript } from './kept-transcript.ts'

/** To the worker: keep one transcript and end, or open all of them and find in them until it is ended. */
export type KeptRequest =
  | { kind: 'keep'; session: Session; file: string; transcript: KeptTranscript }
  | { kind: 'open'; session: Session }
  | { kind: 'find'; query: string }

/** From the worker: what stands where, for the query it was asked for; `transcripts`: how many were looked through. */
export type KeptAnswer = { query: string; hits: KeptHit[]; transcripts: number }
