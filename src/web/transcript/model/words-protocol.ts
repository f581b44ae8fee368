import type { TextShape } from '../../../formats/read-txt.ts'
import type { Credentials } from '../../base/api/client.ts'
import type { ReadEnd } from './read-words.ts'
import type { SpokenLine } from './speakers.ts'
import type { WordChunk } from './word.ts'

/** To the worker: load the words from `jsonUrl`, then the lines of the text format, which name the speakers. */
export type WordsRequest = { kind: 'read'; credentials: Credentials; jsonUrl: string; txtUrl: string }

/** To the worker, at any time after the request: how to parse the text format's lines. */
export type ShapeMessage = { kind: 'shape'; shape: TextShape }

/** From the worker, in this order: chunks, then one failure, or one end and the lines. */
export type WordsMessage =
  | { kind: 'chunk'; chunk: WordChunk }
  | ({ kind: 'end' } & Omit<ReadEnd, 'end'> & { as: ReadEnd['end'] })
  /** `lines` is empty if the text format could not be read */
  | { kind: 'lines'; lines: SpokenLine[]; damage: string | null }
  /** `status` as in ApiError: 0 if the connection broke */
  | { kind: 'failed'; status: number; message: string }
