import { type LabelChange, type LabelledFile, labelsBefore } from '../../../contract/account/labels.ts'
import { askAccount } from './account-call.ts'
import type { Session } from './client.ts'

/** Changes labels of many files, all or none. @returns the changed files with their previous labels @throws ApiError */
export async function changeLabels(session: Session, change: LabelChange): Promise<LabelledFile[]> {
  return (await askAccount(session, 'labels', labelsBefore, { method: 'PATCH', body: change })).before
}

/** Restores files' previous labels, keeping what others have changed since. @throws ApiError */
export async function undoLabels(
  session: Session,
  files: readonly LabelledFile[],
  { ids: _, ...undone }: LabelChange,
): Promise<void> {
  await askAccount(session, 'labels', labelsBefore, { method: 'PUT', body: { files, undone } })
}
