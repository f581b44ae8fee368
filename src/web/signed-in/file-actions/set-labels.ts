import type { LabelChange, LabelledFile } from '../../../contract/account/labels.ts'
import { changeLabels, undoLabels } from '../../base/api/labels.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { showToast } from '../../base/ui/toast.tsx'
import type { FileLibrary } from '../library/library.ts'
import { showUndo } from './undo-toast.ts'

/**
 * Changes labels; a message confirms it and offers to undo.
 * @returns the changed files with their previous labels @throws ApiError
 */
export async function setLabels(library: FileLibrary, change: LabelChange, done: string): Promise<LabelledFile[]> {
  const { session } = library
  const before = await changeLabels(session, change)
  showUndo(library, done, before.length, () => undoLabels(session, before, change))
  return before
}

async function fromMenu(work: Promise<unknown>, failed: string): Promise<void> {
  await work.catch((error: Error) => showToast({ tone: 'bad', title: failed, detail: error.message }))
}

/** Archives files from a menu; a failure shows a message. */
export function archive(library: FileLibrary, ids: readonly string[], archived: boolean): Promise<void> {
  const done = archived ? 'Archived' : 'Back in the list'
  return fromMenu(setLabels(library, { ids: [...ids], archived }, done), 'Could not archive')
}

/** Holds files, so that no rule deletes anything of them; if all are held, ends the hold. */
export function hold(library: FileLibrary, records: readonly FileRecord[]): Promise<void> {
  const held = !records.every(({ labels }) => labels?.held)
  const change = { ids: records.map(({ id }) => id), held }
  return fromMenu(
    setLabels(library, change, held ? 'Kept forever: no rule deletes it' : 'No longer kept forever'),
    'Could not change that',
  )
}
