import type { ComponentType, ReactNode } from 'react'
import type { AccountOverview } from '../../../contract/account/account.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import type { FileLibrary } from '../../signed-in/library/library.ts'
import type { LibrarySnapshot } from '../../signed-in/library/library-snapshot.ts'
import type { Found } from './found/use-found.ts'

/** What the service offers this account; undefined until it has answered. */
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

type DialogProps = { records: readonly FileRecord[]; library: FileLibrary; offers: Offers; onClose: () => void }

/** What can be done with files: a button for those that are selected, and a dialog, or at once. */
export type FilesAction = {
  isOffered?: (offers: Offers) => boolean
  /** icon and words of the button */
  button: (records: readonly FileRecord[]) => ReactNode
  isDanger?: boolean
} & ({ Dialog: ComponentType<DialogProps> } | { run: (library: FileLibrary, records: readonly FileRecord[]) => void })

/** Begins an action. */
export type Act = (action: FilesAction, records: readonly FileRecord[]) => void

/** What a feature adds to the list. The page knows features only by their list. */
export type ListFeature = {
  name: string
  /** above the list. It may use hooks, and shows nothing while it has nothing to say. */
  Notice?: ComponentType<ListPage>
  actions?: readonly FilesAction[]
}
