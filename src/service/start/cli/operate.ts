import { existsSync } from 'node:fs'
import { createAccount } from '../../accounts/auth/accounts.ts'
import { parseLimits } from '../../accounts/auth/key-limits.ts'
import { createKey, revokeKey } from '../../accounts/auth/keys.ts'
import { requireWebhook, setWebhook } from '../../accounts/webhooks/endpoint.ts'
import { findClosing } from '../../operations/closing/close-account.ts'
import { readMoneyLeft } from '../../operations/closing/money-left.ts'
import { type DelayReason, delayReasons, putOff } from '../../orders/file/delays.ts'
import type { Config } from '../../platform/config.ts'
import { dataPaths } from '../../platform/data-directory.ts'
import { Changes } from '../../platform/db/changes.ts'
import { type Db, openDb } from '../../platform/db/open.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import type { Account } from '../../platform/db/schema.ts'
import { writeAccount } from '../../platform/db/write-account.ts'
import { iso } from '../../platform/iso-time.ts'
import { isDay } from '../../platform/setting-readers.ts'
import { explainError, StartError } from '../../platform/start-error.ts'

/** Runs a command on the service's database, alongside running servers. @throws StartError if it cannot be opened */
export async function withDatabase<Result>(
  { dataDir, postgres }: Pick<Config, 'dataDir' | 'postgres'>,
  command: (db: Db) => Promise<Result>,
): Promise<Result> {
  const db = await (postgres === null
    ? openEmbedded(dataDir)
    : (await import('../../platform/db/postgres/open-postgres.ts')).openMigrated(postgres))
  try {
    return await command(db)
  } finally {
    await db.destroy()
  }
}

async function openEmbedded(dataDir: string): Promise<Db> {
  const { database } = dataPaths(dataDir)
  if (!existsSync(database)) {
    throw new StartError(
      `There is no Parley data in ${dataDir}. Start the service once, or set the directory with --data.`,
    )
  }
  return await openDb(database).catch((error: unknown) => {
    throw new StartError(`The database in ${dataDir} cannot be opened: ${explainError(error)}.`, { cause: error })
  })
}

/** `migrate`: migrates PostgreSQL; the embedded database is migrated at each start. @throws StartError */
export async function migrateCommand({ postgres }: Pick<Config, 'postgres'>): Promise<object> {
  if (postgres === null) throw new StartError('DATABASE_URL is not set: the embedded database migrates at each start.')
  const [{ openPostgres }, { migratePostgres }] = await Promise.all([
    import('../../platform/db/postgres/open-postgres.ts'),
    import('../../platform/db/postgres/migrate-postgres.ts'),
  ])
  const db = await openPostgres(postgres)
  try {
    return { migrated: await migratePostgres(db) }
  } finally {
    await db.destroy()
  }
}

async function readAccount(db: Db, id: string) {
  const account = await db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()
  if (account === undefined) throw new StartError(`There is no account ${id}.`)
  return account
}

/** `account create`: prints the account and its key on one line. */
export async function accountCreate(
  db: Db,
  flags: { sandbox: boolean; name: string; customFormatting: boolean },
): Promise<object> {
  const environment = flags.sandbox ? 'sandbox' : 'live'
  const { accountId, key } = await createAccount(db, { ...flags, environment }, Date.now())
  return { account: accountId, key }
}

export type AccountChange = {
  name?: string | undefined
  discount?: string | undefined
  currency?: string | undefined
  customFormatting?: boolean | undefined
}

function parseDiscount(text: string): number {
  if (/^\d{1,3}(\.\d{1,2})?$/.test(text) && Number(text) <= 100) return Number(text)
  throw new StartError(`The discount is a percentage from 0 to 100 with at most two decimals, not "${text}".`)
}

/** @throws StartError if that currency has no rates, or the account's ledger would mix two currencies */
async function requireCurrency(db: Db, account: Account, currency: string, rates: Config['rates']): Promise<void> {
  if (currency === account.currency) return
  if (rates[currency] === undefined) throw new StartError(`RATES_FILE has no rates in "${currency}".`)
  const entry = await db
    .selectFrom('ledger')
    .select('id')
    .where('account_id', '=', account.id)
    .limit(1)
    .executeTakeFirst()
  if (entry !== undefined)
    throw new StartError(`The account has paid in ${account.currency} before, and stays with it.`)
}

/** `account set`: settings that support makes for an account. They apply to new orders. */
export async function accountSet(db: Db, id: string, change: AccountChange, rates: Config['rates']): Promise<void> {
  const { name, discount, currency, customFormatting } = change
  const account = await readAccount(db, id)
  if (name !== undefined && !/^\S.{0,99}$/.test(name)) throw new StartError('A name has 1 to 100 characters.')
  if (currency !== undefined) await requireCurrency(db, account, currency, rates)
  const values = {
    ...(name !== undefined && { name }),
    ...(discount !== undefined && { discount_percent: parseDiscount(discount) }),
    ...(currency !== undefined && { currency }),
    ...(customFormatting !== undefined && { custom_formatting_enabled: customFormatting ? 1 : 0 }),
  }
  if (Object.keys(values).length === 0) {
    throw new StartError(
      'Say what to set: --name, --discount, --currency, --custom-formatting or --no-custom-formatting.',
    )
  }
  await writeAccount(db, id, async (trx) => {
    await trx.updateTable('accounts').set(values).where('id', '=', id).execute()
    await appendEvent(trx, 'account', {}, Date.now())
  })
}

async function showClosing(db: Db, id: string, address: string): Promise<object | null> {
  const closing = await findClosing(db, id)
  if (closing === undefined) return null
  const { closed_at, erase_at, erased_at, report_json } = closing
  const erased = { erased: iso(erased_at), report: report_json === null ? null : JSON.parse(report_json) }
  return { closed: iso(closed_at), erases: iso(erase_at), ...erased, statement: `${address}/closed/${closing.id}` }
}

/** `account show`: everything about an account except its secrets. @param address of the service */
export async function accountShow(db: Db, id: string, address: string): Promise<object> {
  const account = await readAccount(db, id)
  const card = await db
    .selectFrom('payment_methods')
    .select(['brand', 'last_four', 'exp_month', 'exp_year'])
    .where('account_id', '=', id)
    .executeTakeFirst()
  const keys = await db
    .selectFrom('api_keys')
    .select(['id', 'name', 'last_four', 'created_at', 'last_used_at', 'expires_at', 'revoked_at', 'limits_json'])
    .where('account_id', '=', id)
    .orderBy('created_at')
    .execute()
  const webhook = await db
    .selectFrom('webhooks')
    .select(['url', 'paused_at'])
    .where('account_id', '=', id)
    .executeTakeFirst()
  const { files } = await db
    .selectFrom('files')
    .select((eb) => eb.fn.countAll<number>().as('files'))
    .where('account_id', '=', id)
    .executeTakeFirstOrThrow()
  const { default_options_json, settings_json: _, custom_formatting_enabled, created_at, closed_at, ...plain } = account
  return {
    ...plain,
    ...(closed_at !== null && { closing: await showClosing(db, id, address) }),
    created: iso(created_at),
    custom_formatting_enabled: custom_formatting_enabled === 1,
    default_options: JSON.parse(default_options_json),
    payment_method: card ?? null,
    ...(await readMoneyLeft(db, id)),
    keys: keys.map(({ created_at, last_used_at, expires_at, revoked_at, limits_json, ...key }) => ({
      ...key,
      ...parseLimits({ limits_json }),
      created: iso(created_at),
      last_used: iso(last_used_at),
      expires: iso(expires_at),
      revoked: iso(revoked_at),
    })),
    webhook: webhook === undefined ? null : { url: webhook.url, paused: webhook.paused_at !== null },
    files,
  }
}

/**
 * `webhook set ACCOUNT URL`: sets the URL for progress events (spec 6). Prints their signing secret: a new one with the
 * first URL, the same one with later ones.
 */
export async function webhookSet(db: Db, accountId: string, address: string): Promise<object> {
  const url = URL.parse(address)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new StartError('The URL must begin with https://.')
  await readAccount(db, accountId)
  await setWebhook(db, accountId, url.href, Date.now())
  return { account: accountId, url: url.href, secret: (await requireWebhook(db, accountId)).secret }
}

/** `key create ACCOUNT`: adds a key. */
export async function keyCreate(db: Db, accountId: string, name: string): Promise<object> {
  const { key } = await createKey(db, await readAccount(db, accountId), { name, expiresAt: null }, Date.now())
  return { account: accountId, key }
}

/** `key revoke KEY`: its requests get 401 from now on. */
export async function keyRevoke(db: Db, key: string): Promise<object> {
  const revoked = await revokeKey({ db, changes: new Changes(), clock: Date.now }, { key })
  if (!revoked) throw new StartError('There is no such key, or it has already been revoked.')
  return { revoked: true }
}

function parseTime(text: string): number {
  const time = /^\d{4}-\d\d-\d\d(T|$)/.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN
  if (time > Date.now()) return time
  throw new StartError(`--until takes a time that lies ahead, such as 2026-12-01T12:00Z, not "${text}".`)
}

/** `delay FILE`: marks an order as delayed for customer and API, with the reason and the new date. */
export async function delay(
  db: Db,
  fileId: string,
  reason: string | undefined,
  until: string | undefined,
): Promise<object> {
  if (reason === undefined || !Object.hasOwn(delayReasons, reason)) {
    throw new StartError(`--reason is one of ${Object.keys(delayReasons).join(', ')}.`)
  }
  const untilAt = until === undefined ? null : parseTime(until)
  const platform = { db, changes: new Changes(), clock: Date.now }
  const file = await putOff(platform, fileId, reason as DelayReason, untilAt)
  if (file === null) throw new StartError(`There is no file ${fileId}.`)
  if (file.progress_percent === 100) throw new StartError('The transcript is ready; it cannot be late any more.')
  if (file.given_up === 1) throw new StartError('The order was given up and refunded.')
  return { file: fileId, delay_reason: file.delay_reason, delivery: iso(file.delivery_at) }
}

/** `ledger ACCOUNT`: every charge and refund, oldest first. Amounts in the currency's whole units. */
export async function ledgerEntries(db: Db, accountId: string): Promise<object[]> {
  await readAccount(db, accountId)
  const entries = await db.selectFrom('ledger').selectAll().where('account_id', '=', accountId).orderBy('id').execute()
  return entries.map(({ amount_cents, created_at, due_at, next_try_at, account_id, ...entry }) => ({
    ...entry,
    account: account_id,
    amount_cents,
    amount: amount_cents / 100,
    created: iso(created_at),
    due: iso(due_at),
    next_try: iso(next_try_at),
  }))
}
