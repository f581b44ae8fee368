import { existsSync } from 'node:fs'
import { createAccount } from '../../accounts/auth/accounts.ts'
import { createKey, revokeKey } from '../../accounts/auth/keys.ts'
import { notifyAccount } from '../../accounts/notify-account.ts'
import { requireWebhook, setWebhook } from '../../accounts/webhooks/endpoint.ts'
import { type DelayReason, delayReasons, putOff } from '../../orders/file/delays.ts'
import type { Config } from '../../platform/config.ts'
import { dataPaths } from '../../platform/data-directory.ts'
import { appendLog } from '../../platform/db/audit-log.ts'
import { Changes } from '../../platform/db/changes.ts'
import { type Db, openDb, type Trx } from '../../platform/db/open.ts'
import type { Account } from '../../platform/db/schema.ts'
import { orFullDisk } from '../../platform/full-disk.ts'
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
  } catch (error) {
    throw await orFullDisk(error, dataDir)
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
  return await openDb(database).catch(async (cause: unknown) => {
    const error = await orFullDisk(cause, dataDir)
    if (error instanceof StartError) throw error
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

/** What a command beside the service changes accounts with; what it logs is shown as Parley's. */
const besides = (db: Db) => ({ db, changes: new Changes(), clock: Date.now })

/** @throws StartError if there is none of that id */
export async function readAccount(db: Db | Trx, id: string) {
  const account = await db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()
  if (account === undefined) throw new StartError(`There is no account ${id}.`)
  return account
}

/** @throws StartError if there is none of that id, or it was erased: what is set would be of nobody */
async function readUnerased(db: Db, id: string) {
  const account = await readAccount(db, id)
  const erased = db.selectFrom('closings').select('erased_at').where('account_id', '=', id)
  const { erased_at = null } = (await erased.executeTakeFirst()) ?? {}
  if (erased_at !== null)
    throw new StartError(`The account was erased on ${iso(erased_at)}. Nothing can be set any more.`)
  return account
}

/** `account create`: prints the account and its key on one line. */
export async function accountCreate(
  db: Db,
  flags: { sandbox: boolean; name: string; customFormatting: boolean; currency: string },
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
  const account = await readUnerased(db, id)
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
  const told = [
    ...(name === undefined ? [] : [`name “${name}”`]),
    ...(values.discount_percent === undefined ? [] : [`discount ${values.discount_percent} %`]),
    ...(currency === undefined ? [] : [`currency ${currency}`]),
    ...(customFormatting === undefined ? [] : [`custom formatting ${customFormatting ? 'on' : 'off'}`]),
  ]
  await notifyAccount(besides(db), id, async (trx) => {
    await trx.updateTable('accounts').set(values).where('id', '=', id).execute()
    await appendLog(trx, { action: 'account', detail: `${told.join(', ')}, set by the operator` }, Date.now())
  })
}

/**
 * `webhook set ACCOUNT URL`: sets the URL for progress events (spec 6). Prints their signing secret: a new one with the
 * first URL, the same one with later ones.
 */
export async function webhookSet(db: Db, accountId: string, address: string): Promise<object> {
  const url = URL.parse(address)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new StartError('The URL must begin with https://.')
  await readUnerased(db, accountId)
  await setWebhook(db, accountId, url.href, Date.now())
  return { account: accountId, url: url.href, secret: (await requireWebhook(db, accountId)).secret }
}

/** `key create ACCOUNT`: adds a key, and says so in the account's log. @throws StartError for a closed account */
export async function keyCreate(db: Db, accountId: string, name: string): Promise<object> {
  await readAccount(db, accountId)
  const key = await notifyAccount(besides(db), accountId, async (trx) => {
    const account = await readAccount(trx, accountId)
    if (account.closed_at !== null) throw new StartError('The account is closed. account reopen comes first.')
    const minted = await createKey(trx, account, { name, expiresAt: null }, Date.now())
    await appendLog(trx, { action: 'key', detail: `made “${name}” by the operator` }, Date.now())
    return minted.key
  })
  return { account: accountId, key }
}

/** `key revoke KEY`: its requests get 401 from now on. @param key itself, or its id as `account show` has it */
export async function keyRevoke(db: Db, key: string): Promise<object> {
  const revoked = await revokeKey(besides(db), key.startsWith('parley_') ? { key } : { keyId: key })
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
  const file = await putOff(besides(db), fileId, reason as DelayReason, { until: untilAt, inLog: true })
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
