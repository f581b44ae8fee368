import { Archive, ArrowDownToLine, File, LockKeyhole, ReceiptText, Tag, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { later, laterPart } from '../../base/ui/later.tsx'
import { saveCsv } from '../../signed-in/preferences/save-csv.ts'
import type { FilesAction, Offers } from './list-feature.ts'

const hasLabels = (offers: Offers) => offers?.labels === true
const words = (text: string): ReactNode => <span className="phone:sr-only">{text}</span>
const loadLabels = () => import('./labels/set-labels.ts')
const csv = later(() => import('./receipt/receipts-csv.ts'))

/** Downloads transcripts as one archive or document. */
export const download: FilesAction = {
  button: () => (
    <>
      <ArrowDownToLine aria-hidden /> {words('Download all as ZIP')}
    </>
  ),
  Dialog: laterPart(async () => (await import('./download/zip-dialog.tsx')).ZipDialog),
}

export const receipts: FilesAction = {
  button: () => (
    <>
      <ReceiptText aria-hidden /> {words('Receipts')}
    </>
  ),
  run: (_library, records) => void csv.load().then(({ receiptsCsv }) => saveCsv(receiptsCsv(records), 'receipts.csv')),
}

/** Edits name, note and tags. */
export const label: FilesAction = {
  isOffered: hasLabels,
  button: () => (
    <>
      <Tag aria-hidden /> {words('Tags…')}
    </>
  ),
  Dialog: laterPart(async () => (await import('./labels/label-dialog.tsx')).LabelDialog),
}

const isArchived = (records: readonly FileRecord[]) => records.every(({ labels }) => labels?.archived === true)

/** Archives all files or, if all are archived, restores them. */
export const archive: FilesAction = {
  isOffered: hasLabels,
  button: (records) => (
    <>
      <Archive aria-hidden /> {words(isArchived(records) ? 'Unarchive' : 'Archive')}
    </>
  ),
  run: (library, records) => {
    const ids = records.map(({ id }) => id)
    void loadLabels().then((labels) => labels.archive(library, ids, !isArchived(records)))
  },
}

/** Protects files from deletion. */
export const hold: FilesAction = {
  isOffered: hasLabels,
  button: (records) => (
    <>
      <LockKeyhole aria-hidden /> {words(records.every(({ labels }) => labels?.held) ? 'Stop keeping' : 'Keep forever')}
    </>
  ),
  run: (library, records) => void loadLabels().then((labels) => labels.hold(library, records)),
}

/** Moves files into a project, or out of it. */
export const move: FilesAction = {
  isOffered: (offers) => offers?.projects === true,
  button: () => (
    <>
      <File aria-hidden /> {words('Project…')}
    </>
  ),
  Dialog: laterPart(async () => (await import('./projects/move-dialog.tsx')).MoveDialog),
}

export const remove: FilesAction = {
  isDanger: true,
  button: () => (
    <>
      <Trash2 aria-hidden /> {words('Delete…')}
    </>
  ),
  Dialog: laterPart(async () => (await import('./delete/delete-dialog.tsx')).DeleteDialog),
}
