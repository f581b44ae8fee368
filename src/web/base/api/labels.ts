import { type LabelChange, type LabelledFile, labelsBefore } from '../../../contract/account/labels.ts'
import { askAccount } from './account-call.ts'
import type { Session } from './client.ts'

/** Changes labels of many files, all or none. @returns the changed files with their previous labels @throws ApiError */
export async function changeLabels(session: Session, change: LabelChange): Promise<LabelledFile[]> {
  return (await askAccount(session, 'labels', labelsBefore, { method: 'PATCH', body: change })).before
}

/** Files with the longest notes then still fit in a request. */
const restoredAtOnce = 1_000

/** Restores files' previous labels, keeping what others have changed since. @throws ApiError */
export async function undoLabels(
  session: Session,
  files: readonly LabelledFile[],
  { ids: _, ...undone }: LabelChange,
): Promise<void> {
  for (let from = 0; from < files.length; from += restoredAtOnce) {
    const body = { files: files.slice(from, from + restoredAtOnce), undone }
    await askAccount(session, 'labels', labelsBefore, { method: 'PUT', body })
  }
}
