import { accountDefaults } from '../../contract/account-settings.ts'
import type { OrderOptions } from '../../contract/order-options.ts'
import type { Session } from '../session/session.ts'
import { askAccount } from './account-call.ts'

/** Sets the account's default options (spec 2.3, rule 2). @returns all of them, as they are now in force */
export async function saveDefaults(session: Session, options: OrderOptions): Promise<OrderOptions> {
  return (await askAccount(session, 'defaults', accountDefaults, { method: 'PUT', body: options })).default_options
}
