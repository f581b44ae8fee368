import { type AccountSettings, accountDefaults, accountSettings } from '../../contract/account-settings.ts'
import type { OrderOptions } from '../../contract/option-values.ts'
import { askAccount, tellAccount } from './account-call.ts'
import type { Session } from './client.ts'

/** Sets the account's default options (spec 2.3, rule 2). @returns all of them, as they are now in force */
export async function saveDefaults(session: Session, options: OrderOptions): Promise<OrderOptions> {
  return (await askAccount(session, 'defaults', accountDefaults, { method: 'PUT', body: options })).default_options
}

/** What the dashboard keeps with the account. @throws ApiError */
export async function readSettings(session: Session, signal?: AbortSignal): Promise<AccountSettings> {
  return await askAccount(session, 'settings', accountSettings, signal ? { signal } : {})
}

/** Writes some of it; the rest is read again first, so that another page's change stays. @throws ApiError */
export async function writeSettings(session: Session, change: AccountSettings): Promise<void> {
  const settings = await readSettings(session)
  await tellAccount(session, 'settings', { method: 'PUT', body: { ...settings, ...change } })
}
