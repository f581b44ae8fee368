import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import type { PostgresConfig } from '../../platform/db/postgres/postgres-config.ts'
import type { Rendering } from '../transcripts/rendering.ts'
import type { Found, Wanted } from './find.ts'
import type { IndexedFile } from './search-index.ts'

/** The location of the index. */
export type IndexPlace = { sqlite: string } | { postgres: PostgresConfig }

/** What the thread reads to index a file. */
export type Source = Pick<IndexedFile, 'id' | 'name' | 'createdAt' | 'stamp'> & {
  accountId: string
  /** null: there are no words yet */
  text: Pick<Rendering, 'about' | 'words'> | null
  /** applied if they are of this very text */
  corrections: CorrectionSet | null
}

/** Requests to the thread, and the result of each. */
export type SearchCalls = {
  put: { asked: Source; given: undefined }
  remove: { asked: string; given: undefined }
  stampsOf: { asked: readonly string[]; given: Map<string, string> }
  ids: { asked: { after: string; limit: number }; given: string[] }
  find: { asked: Wanted; given: Found }
  close: { asked: null; given: undefined }
}

export type SearchRequest = {
  [Kind in keyof SearchCalls]: { call: number; kind: Kind; asked: SearchCalls[Kind]['asked'] }
}[keyof SearchCalls]

/** `made`: the index was damaged and is rebuilt; it belongs to no call. */
export type SearchReply = { call: number; given: unknown } | { call: number; failed: Error } | { made: 'damaged' }
