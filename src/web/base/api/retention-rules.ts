import {
  type RetentionChange,
  type RetentionPreview,
  retention,
  retentionPreview,
} from '../../../contract/account/retention.ts'
import { accountQuery, askAccount } from './account-call.ts'
import type { Session } from './client.ts'

/** Days are in this device's time zone. */
const path = () => `retention?zone=${encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone)}`

/** The retention rules, and upcoming deletions. */
export function retentionQuery(session: Session) {
  return accountQuery(session, ['retention'], path(), retention)
}

/** Changes a rule or, unless confirmed, previews the effect. @throws ApiError */
export async function changeRule(session: Session, change: RetentionChange): Promise<RetentionPreview> {
  return await askAccount(session, path(), retentionPreview, { method: 'PUT', body: change })
}
