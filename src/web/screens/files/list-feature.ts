import type { ComponentType, ReactNode } from 'react'
import type { AccountOverview } from '../../../contract/account/account.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import type { FileLibrary } from '../../signed-in/library/library.ts'
import type { LibrarySnapshot } from '../../signed-in/library/library-snapshot.ts'
import type { Found } from './found/use-found.ts'

/** The features the service offers this account; undefined until it has responded. */
export type Offers = AccountOverview['features'] | undefined

/** The list as its features see it. */
type ListPage = {
  snapshot: LibrarySnapshot
  offers: Offers
  /** milliseconds */
  now: number
  /** of one project, not of all files */
  isProject: boolean
  search: string
  found: Found
}

/** The archive of a project. */
export type NamedArchive = {
  /** of the project, with which the archive's name begins */
  name: string
  /** how many of its files are archived, and left out */
  leftOut: number
}

type DialogProps = {
  records: readonly FileRecord[]
  library: FileLibrary
  offers: Offers
  archive?: NamedArchive | undefined
  onClose: () => void
}

/** An action on files: a button for the selected ones, and a dialog or an immediate effect. */
export type FilesAction = {
  isOffered?: (offers: Offers) => boolean
  /** icon and label of the button */
  button: (records: readonly FileRecord[]) => ReactNode
  isDanger?: boolean
} & ({ Dialog: ComponentType<DialogProps> } | { run: (library: FileLibrary, records: readonly FileRecord[]) => void })

/** Starts an action. */
export type Act = (action: FilesAction, records: readonly FileRecord[], archive?: NamedArchive) => void

/** A feature's contribution to the list. The page knows features only by their list. */
export type ListFeature = {
  name: string
  /** above the list. It may use hooks, and renders nothing when it has nothing to say. */
  Notice?: ComponentType<ListPage>
  actions?: readonly FilesAction[]
}
