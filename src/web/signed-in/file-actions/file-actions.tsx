import { Archive, File, LockKeyhole, Tag, Trash2 } from 'lucide-react'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { laterPart } from '../../base/ui/later.tsx'
import type { FileAction, Offers } from './file-action.ts'

const hasLabels = (offers: Offers) => offers?.labels === true
const loadLabels = () => import('./set-labels.ts')
const isArchived = (records: readonly FileRecord[]) => records.every(({ labels }) => labels?.archived === true)

/** The actions on one file or several, in the order of menus. */
export const fileActions = {
  label: {
    isOffered: hasLabels,
    Icon: Tag,
    label: () => 'Tags…',
    Dialog: laterPart(async () => (await import('./label-dialog.tsx')).LabelDialog),
  },
  move: {
    isOffered: (offers) => offers?.projects === true && hasLabels(offers),
    Icon: File,
    label: () => 'Project…',
    Dialog: laterPart(async () => (await import('./move-dialog.tsx')).MoveDialog),
  },
  /** Archives all files or, if all are archived, restores them. */
  archive: {
    isOffered: hasLabels,
    Icon: Archive,
    label: (records) => (isArchived(records) ? 'Unarchive' : 'Archive'),
    run: (library, records) => {
      const ids = records.map(({ id }) => id)
      void loadLabels().then((labels) => labels.archive(library, ids, !isArchived(records)))
    },
  },
  /** Protects files from deletion. */
  hold: {
    isOffered: hasLabels,
    Icon: LockKeyhole,
    label: (records) => (records.every(({ labels }) => labels?.held) ? 'Stop keeping' : 'Keep forever'),
    run: (library, records) => void loadLabels().then((labels) => labels.hold(library, records)),
  },
  remove: {
    isOffered: (offers) => offers?.deletion !== false,
    isDanger: true,
    Icon: Trash2,
    label: () => 'Delete…',
    Dialog: laterPart(async () => (await import('./delete-dialog.tsx')).DeleteDialog),
  },
} satisfies Record<string, FileAction>

export type FileActionName = keyof typeof fileActions
