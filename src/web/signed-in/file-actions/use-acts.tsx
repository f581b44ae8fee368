import { type ReactNode, useState } from 'react'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { Later } from '../../base/ui/later.tsx'
import type { FileLibrary } from '../library/library.ts'
import type { FileAction, NamedArchive, Offers } from './file-action.ts'

/** Starts an action. */
type Act = (action: FileAction, records: readonly FileRecord[], archive?: NamedArchive) => void

/** A dialog about some files. */
type OpenDialog = Extract<FileAction, { Dialog: unknown }> & {
  records: readonly FileRecord[]
  archive?: NamedArchive | undefined
}

/** Starts actions on files. The dialog of the one that was started is to be rendered. */
export function useActs(library: FileLibrary, offers: Offers, onDeleted?: () => void): { act: Act; dialog: ReactNode } {
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const act: Act = (action, records, archive) =>
    'run' in action ? action.run(library, records) : setOpen({ ...action, records, archive })
  const dialog = (
    <Later wanted={open !== null}>
      {open && <open.Dialog {...open} {...{ library, offers, onDeleted }} onClose={() => setOpen(null)} />}
    </Later>
  )
  return { act, dialog }
}
