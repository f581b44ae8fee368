import type { SampleFile } from '../../../contract/account/sandbox.ts'
import { fileId } from '../../../contract/interface/metadata.ts'
import { askAccount, sendToAccount } from './account-call.ts'
import type { Session } from './client.ts'

/** Makes a silent recording with sample text, at the progress asked for. @returns its id */
export async function createSampleFile(session: Session, sample: SampleFile): Promise<string> {
  return (await askAccount(session, 'tools/files', fileId, { method: 'POST', body: sample })).id
}

/** Orders half a minute of real speech, whose transcript is ready at once. @returns its id */
export async function createSampleTalk(session: Session): Promise<string> {
  return (await askAccount(session, 'tools/talk', fileId, { method: 'POST' })).id
}

/** Moves a file's progress by hand, never back. */
export async function moveProgress(session: Session, id: string, progressPercent: number): Promise<void> {
  const path = `tools/files/${encodeURIComponent(id)}/progress`
  await sendToAccount(session, path, { method: 'POST', body: { progress_percent: progressPercent } })
}

/** Makes a file late with a reason, or on time again with null. */
export async function setDelay(session: Session, id: string, reason: string | null): Promise<void> {
  const path = `tools/files/${encodeURIComponent(id)}/delay`
  await sendToAccount(session, path, { method: 'POST', body: { delay_reason: reason } })
}

/** While on, no delivery leaves and each try fails. */
export async function setWebhookFailing(session: Session, isFailing: boolean): Promise<void> {
  await sendToAccount(session, 'tools/webhook', { method: 'POST', body: { simulate_failure: isFailing } })
}
