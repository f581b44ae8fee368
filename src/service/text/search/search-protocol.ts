import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import type { PostgresConfig } from '../../platform/db/postgres/postgres-config.ts'
import type { Rendering } from '../transcripts/rendering.ts'
import type { Found, Wanted } from './find.ts'
import type { IndexedFile } from './search-index.ts'

/** Where the index is. */
export type IndexPlace = { sqlite: string } | { postgres: PostgresConfig }

/** What the thread reads of a file, to index it. */
export type Source = Pick<IndexedFile, 'id' | 'name' | 'createdAt' | 'stamp'> & {
  accountId: string
  /** null: there are no words yet */
  text: Pick<Rendering, 'about' | 'words'> | null
  /** taken in where they are of this very text */
  corrections: CorrectionSet | null
}

/** To the thread, and what it gives for each. */
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

/** `made`: the index was damaged and is begun again; it belongs to no call. */
export type SearchReply = { call: number; given: unknown } | { call: number; failed: Error } | { made: 'damaged' }
