import { type LabelChange, type LabelledFile, labelsBefore } from '../../../contract/account/labels.ts'
import { askAccount } from './account-call.ts'
import type { Session } from './client.ts'

/** Changes labels of many files, all or none. @returns the files that changed, as they were @throws ApiError */
export async function changeLabels(session: Session, change: LabelChange): Promise<LabelledFile[]> {
  return (await askAccount(session, 'labels', labelsBefore, { method: 'PATCH', body: change })).before
}

/** Gives files the labels that they had before a change; what others changed since then stays. @throws ApiError */
export async function undoLabels(
  session: Session,
  files: readonly LabelledFile[],
  { ids: _, ...undone }: LabelChange,
): Promise<void> {
  await askAccount(session, 'labels', labelsBefore, { method: 'PUT', body: { files, undone } })
}
