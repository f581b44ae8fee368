import { testCards } from '../../../contract/account/payment.ts'
import type { Environment } from '../../../contract/interface/environment.ts'
import type { Db } from '../../platform/db/open.ts'
import { mintId } from '../../platform/ids.ts'
import { createKey } from './keys.ts'

/** Opens an account with a first key and a test card, which is valid only if test cards pay. */
export async function createAccount(
  db: Db,
  account: { environment: Environment; name: string; customFormatting?: boolean },
  now: number,
): Promise<{ accountId: string; keyId: string; key: string }> {
  const accountId = mintId('a')
  const create = async (trx: Db) => {
    await trx
      .insertInto('accounts')
      .values({
        id: accountId,
        environment: account.environment,
        name: account.name,
        currency: 'USD',
        discount_percent: 0,
        custom_formatting_enabled: account.customFormatting === true ? 1 : 0,
        default_options_json: '{}',
        settings_json: '{}',
        created_at: now,
      })
      .execute()
    await trx
      .insertInto('payment_methods')
      .values({ account_id: accountId, ...testCards.succeeds, token: 'succeeds', created_at: now })
      .execute()
    return await createKey(trx, { id: accountId, ...account }, { name: 'First key', expiresAt: null }, now)
  }
  const first = await (db.isTransaction ? create(db) : db.transaction().execute(create))
  return { accountId, ...first }
}
