import { testCards } from '../../../contract/account/payment.ts'
import type { DemoAccount } from '../../../contract/account/sandbox.ts'
import { hourMs } from '../../../contract/common/durations.ts'
import type { Environment } from '../../../contract/interface/environment.ts'
import type { Config } from '../../platform/config.ts'
import type { Db } from '../../platform/db/open.ts'
import { transactAlone } from '../../platform/db/write-account.ts'
import { mintId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { createKey } from './keys.ts'

/** The currency that new accounts pay in, until they are given another: the first that has prices. */
export const newCurrency = ({ rates }: Pick<Config, 'rates'>): string => Object.keys(rates)[0] ?? 'USD'

type NewAccount = {
  environment: Environment
  name: string
  /** `newCurrency`; dollars if it is left out */
  currency?: string
  customFormatting?: boolean
  byteLimit?: number
}

/** Opens an account with a test card, which is valid only if test cards pay, and without a key. @returns its id */
export async function openAccount(trx: Db, account: NewAccount, now: number): Promise<string> {
  const accountId = mintId('a')
  await trx
    .insertInto('accounts')
    .values({
      id: accountId,
      environment: account.environment,
      name: account.name,
      currency: account.currency ?? 'USD',
      discount_percent: 0,
      custom_formatting_enabled: account.customFormatting === true ? 1 : 0,
      default_options_json: '{}',
      settings_json: '{}',
      created_at: now,
      byte_limit: account.byteLimit ?? null,
    })
    .execute()
  await trx
    .insertInto('payment_methods')
    .values({ account_id: accountId, ...testCards.succeeds, token: 'succeeds', created_at: now })
    .execute()
  return accountId
}

/** The same with a first key. */
export async function createAccount(
  db: Db,
  account: NewAccount,
  now: number,
): Promise<{ accountId: string; keyId: string; key: string }> {
  const create = async (trx: Db) => {
    const accountId = await openAccount(trx, account, now)
    const first = await createKey(trx, { id: accountId, ...account }, { name: 'First key', expiresAt: null }, now)
    return { accountId, ...first }
  }
  return await (db.isTransaction ? create(db) : db.transaction().execute(create))
}

/** Demo accounts per hour, per IP address and in total. */
const mostOfAddress = 30
const mostOfAll = 300

/** Counts one within the current hour. @returns false if the hourly limit is reached, for the address or in total */
async function tryCount(db: Db, address: string, now: number): Promise<boolean> {
  const hour = Math.floor(now / hourMs)
  return await transactAlone(db, 'demo accounts', async (trx) => {
    await trx.deleteFrom('demo_counts').where('hour', '<', hour).execute()
    const counts = await trx.selectFrom('demo_counts').selectAll().where('hour', '=', hour).execute()
    const ofAll = counts.reduce((sum, { count }) => sum + count, 0)
    const ofAddress = counts.find((row) => row.address === address)?.count ?? 0
    if (ofAddress >= mostOfAddress || ofAll >= mostOfAll) return false
    await trx
      .insertInto('demo_counts')
      .values({ hour, address, count: 1 })
      .onConflict((conflict) => conflict.columns(['hour', 'address']).doUpdateSet({ count: ofAddress + 1 }))
      .execute()
    return true
  })
}

/** Opens a sandbox account with a test card. @throws ServiceError 429 above the hourly limits */
export async function openDemoAccount({ db, clock, config, log }: Platform, address: string): Promise<DemoAccount> {
  const now = clock()
  if (!(await tryCount(db, address, now))) {
    const seconds = Math.ceil((hourMs - (now % hourMs)) / 1_000)
    const words = `Too many demo accounts were opened in this hour. Try again in ${Math.ceil(seconds / 60)} minutes.`
    throw new ServiceError(429, words, { 'retry-after': String(seconds) })
  }
  const about = { name: 'Demo account', currency: newCurrency(config), byteLimit: config.demoBytes }
  const demo = { environment: 'sandbox', ...about } as const
  const { accountId, key } = await createAccount(db, demo, now)
  log.info({ accountId }, 'demo account opened')
  return { account: accountId, key }
}
