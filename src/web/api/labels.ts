import { type LabelChange, type LabelledFile, labelsBefore } from '../../contract/account-labels.ts'
import { askAccount } from './account-call.ts'
import type { Session } from './client.ts'

/** Changes labels of many files, all or none. @returns the files that changed, as they were @throws ApiError */
export async function changeLabels(session: Session, change: LabelChange): Promise<LabelledFile[]> {
  return (await askAccount(session, 'labels', labelsBefore, { method: 'PATCH', body: change })).before
}

/** Gives files the labels that they had. @throws ApiError */
export async function restoreLabels(session: Session, files: readonly LabelledFile[]): Promise<void> {
  await askAccount(session, 'labels', labelsBefore, { method: 'PUT', body: { files } })
}
