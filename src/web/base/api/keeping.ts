import { queryOptions } from '@tanstack/react-query'
import {
  type KeepingChange,
  type KeepingPreview,
  keeping,
  keepingPreview,
} from '../../../contract/account/retention.ts'
import { account } from './account.ts'
import { askAccount } from './account-call.ts'
import type { Session } from './client.ts'

/** Days are those of this device. */
const path = () => `keeping?zone=${encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone)}`

/** The rules for keeping, and what goes when. */
export function keepingQuery(session: Session) {
  return queryOptions({
    queryKey: [...account.all(session), 'keeping'] as const,
    queryFn: ({ signal }) => askAccount(session, path(), keeping, { signal }),
  })
}

/** Changes a rule, or if it is not confirmed says what it would do. @throws ApiError */
export async function changeRule(session: Session, change: KeepingChange): Promise<KeepingPreview> {
  return await askAccount(session, path(), keepingPreview, { method: 'PUT', body: change })
}
