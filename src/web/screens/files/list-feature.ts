import type { ComponentType } from 'react'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import type { NamedArchive, Offers } from '../../signed-in/file-actions/file-action.ts'
import type { LibrarySnapshot } from '../../signed-in/library/library-snapshot.ts'
import type { ListActionName } from './actions.tsx'
import type { Found } from './found/use-found.ts'

/** The list as its features see it. */
type ListPage = {
  snapshot: LibrarySnapshot
  offers: Offers
  /** milliseconds */
  now: number
  /** of one project or batch, not of all files */
  isPart: boolean
  search: string
  found: Found
}

/** Starts an action by its name: its code is loaded then. */
export type Act = (name: ListActionName, records: readonly FileRecord[], archive?: NamedArchive) => void

/** A feature's contribution to the list. The page knows features only by their list. */
export type ListFeature = {
  name: string
  /** above the list. It may use hooks, and renders nothing when it has nothing to say. */
  Notice: ComponentType<ListPage>
}
