import type { SampleFile } from '../../../contract/account/sandbox.ts'
import { fileId } from '../../../contract/interface/metadata.ts'
import { askAccount, sendToAccount } from './account-call.ts'
import type { Session } from './client.ts'

/** Creates a silent recording with sample text, at the given progress. @returns its id */
export async function createSampleFile(session: Session, sample: SampleFile): Promise<string> {
  return (await askAccount(session, 'tools/files', fileId, { method: 'POST', body: sample })).id
}

/** Orders half a minute of real speech, whose transcript is ready immediately. @returns its id */
export async function createSampleTalk(session: Session): Promise<string> {
  return (await askAccount(session, 'tools/talk', fileId, { method: 'POST' })).id
}

/** Advances a file's progress manually, never back. */
export async function moveProgress(session: Session, id: string, progressPercent: number): Promise<void> {
  const path = `tools/files/${encodeURIComponent(id)}/progress`
  await sendToAccount(session, path, { method: 'POST', body: { progress_percent: progressPercent } })
}

/** Delays a file with a reason, or with null puts it back on time. */
export async function setDelay(session: Session, id: string, reason: string | null): Promise<void> {
  const path = `tools/files/${encodeURIComponent(id)}/delay`
  await sendToAccount(session, path, { method: 'POST', body: { delay_reason: reason } })
}

/** While on, no delivery is sent and every attempt fails. */
export async function setWebhookFailing(session: Session, isFailing: boolean): Promise<void> {
  await sendToAccount(session, 'tools/webhook', { method: 'POST', body: { simulate_failure: isFailing } })
}
