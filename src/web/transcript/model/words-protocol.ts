import type { Credentials } from '../../api/client.ts'
import type { ReadEnd } from './read-words.ts'
import type { WordChunk } from './word.ts'

/** To the worker: read the words at this address. */
export type WordsRequest = { credentials: Credentials; url: string }

/** From the worker, in this order: chunks, then one end or one failure. */
export type WordsMessage =
  | { kind: 'chunk'; chunk: WordChunk }
  | ({ kind: 'end' } & Omit<ReadEnd, 'end'> & { as: ReadEnd['end'] })
  /** `status` as in ApiError: 0 where the connection broke */
  | { kind: 'failed'; status: number; message: string }
