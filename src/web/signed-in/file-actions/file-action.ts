import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import type { AccountOverview } from '../../../contract/account/account.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import type { FileLibrary } from '../library/library.ts'

/** The features the service offers this account; undefined until it has responded. */
export type Offers = AccountOverview['features'] | undefined

/** The archive of a project or an order. */
export type NamedArchive = {
  /** of the project or order, with which the archive's name begins */
  name: string
  /** the name says a day; after others the day of the download follows */
  isDated?: true
  /** how many of its files are archived, and left out */
  leftOut: number
  /** saved with the choices of the last time, without being asked for them */
  isAtOnce?: true
}

export type ActionDialogProps = {
  records: readonly FileRecord[]
  library: FileLibrary
  offers: Offers
  archive?: NamedArchive | undefined
  onClose: () => void
  /** all of the files were deleted; omitted: closes */
  onDeleted?: (() => void) | undefined
}

/** An action on files: an entry of menus and of the bar for selected files, and a dialog or an immediate effect. */
export type FileAction = {
  isOffered?: (offers: Offers) => boolean
  Icon: LucideIcon
  label: (records: readonly FileRecord[]) => string
  isDanger?: boolean
} & (
  | { Dialog: ComponentType<ActionDialogProps> }
  | { run: (library: FileLibrary, records: readonly FileRecord[]) => void }
)
