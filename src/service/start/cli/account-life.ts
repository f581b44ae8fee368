import { open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { beginClosing, countUnfinished, findClosing, reopenAccount } from '../../operations/closing/close-account.ts'
import { moneyOfClosed, readMoneyLeft } from '../../operations/closing/money-left.ts'
import { findExport, readExport, removeExport, requestExport } from '../../operations/export/exports.ts'
import type { Config } from '../../platform/config.ts'
import { isServing } from '../../platform/data-directory.ts'
import { Changes } from '../../platform/db/changes.ts'
import type { Db } from '../../platform/db/open.ts'
import { iso } from '../../platform/iso-time.ts'
import { findBlobs } from '../../platform/media/open-blobs.ts'
import type { Platform } from '../../platform/platform.ts'
import { explainError, StartError } from '../../platform/start-error.ts'

/*
 * The life of accounts for operators. These commands write into the database; the service, which has the recordings,
 * does the rest within a minute, or as soon as it runs.
 */

/** All accounts with what they hold, oldest first. */
function selectAccounts(db: Db) {
  return db
    .selectFrom('accounts')
    .leftJoin('closings', 'closings.account_id', 'accounts.id')
    .select(['accounts.id', 'environment', 'name', 'created_at', 'currency', 'closings.erase_at', 'closings.erased_at'])
    .select((eb) => {
      const files = eb.selectFrom('files').whereRef('files.account_id', '=', 'accounts.id')
      const books = eb
        .selectFrom('books')
        .select('amount_cents')
        .whereRef('books.account_id', '=', 'accounts.id')
        .whereRef('books.currency', '=', 'accounts.currency')
      return [
        files.select(({ fn }) => fn.countAll<number>().as('n')).as('files'),
        files.select(({ fn }) => fn.sum<number | null>('bytes').as('n')).as('bytes'),
        files.select(({ fn }) => fn.max('files.created_at').as('at')).as('last_at'),
        books.where('book', '=', 'balance').as('balance_cents'),
        books.where('book', '=', 'refunds').as('due_cents'),
      ]
    })
    .orderBy('accounts.created_at')
}

/** `account list`: all accounts, oldest first, with what they hold. */
export async function accountList(db: Db): Promise<object[]> {
  const rows = await selectAccounts(db).execute()
  return rows.map(({ id, environment, name, created_at, erase_at, erased_at, last_at, ...held }) => ({
    account: id,
    environment,
    name,
    created: iso(created_at),
    files: Number(held.files ?? 0),
    bytes: Number(held.bytes ?? 0),
    last_order: iso(last_at),
    balance_cents: held.balance_cents ?? 0,
    due_cents: held.due_cents ?? 0,
    currency: held.currency,
    state:
      erased_at !== null
        ? `erased ${iso(erased_at)}`
        : erase_at !== null
          ? `closed, to be erased ${iso(erase_at)}`
          : 'open',
  }))
}

async function requireAccount(db: Db, id: string): Promise<{ name: string }> {
  const account = await db.selectFrom('accounts').select('name').where('id', '=', id).executeTakeFirst()
  if (account === undefined) throw new StartError(`There is no account ${id}. account list shows them all.`)
  return account
}

const surroundings = (db: Db) => ({ db, changes: new Changes(), clock: Date.now })

/** `account close ACCOUNT`: as its owner does in the settings. @param address of the service */
export async function accountClose(db: Db, id: string, address: string): Promise<object> {
  await requireAccount(db, id)
  const closing = await beginClosing(surroundings(db), id, 'operator')
  return {
    account: id,
    closed: iso(closing.closed_at),
    erases: iso(closing.erase_at),
    statement: `${address}/closed/${closing.id}`,
    unfinished: await describeUnfinished(db, id),
    ...(await describeMoney(db, id)),
  }
}

async function describeUnfinished(db: Db, id: string): Promise<string> {
  const { canceled, finishing } = await countUnfinished(db, id)
  const below = 'below 60 %: canceled and refunded within a minute while the service runs'
  return `${canceled} ${canceled === 1 ? 'order' : 'orders'} ${below}. ${finishing} from 60 % on: finished.`
}

/** The balance and refunds under way, in numbers and in words. */
async function describeMoney(db: Db, id: string): Promise<object> {
  const left = await readMoneyLeft(db, id)
  return { ...left, money: moneyOfClosed(left) || 'It has no balance, and no refund is under way.' }
}

/** `account reopen ACCOUNT`. @throws StartError once its erasure has begun */
export async function accountReopen(db: Db, id: string): Promise<object> {
  await requireAccount(db, id)
  await reopenAccount(surroundings(db), id).catch((error: Error) => {
    throw new StartError(error.message, { cause: error })
  })
  return { account: id, state: 'open' }
}

/**
 * `account erase ACCOUNT --confirm NAME`: closes it, if it is open, and gives it no time to come back.
 * @throws StartError unless the name is the account's
 */
export async function accountErase(
  db: Db,
  id: string,
  confirmed: string | undefined,
  address: string,
): Promise<object> {
  const { name } = await requireAccount(db, id)
  const known = await findClosing(db, id)
  if (known !== undefined && known.erased_at !== null) {
    return { account: id, erased: iso(known.erased_at), statement: `${address}/closed/${known.id}` }
  }
  if (confirmed !== name) throw new StartError(`This cannot be undone. To go ahead: --confirm ${JSON.stringify(name)}`)
  const { id: closingId } = known ?? (await beginClosing(surroundings(db), id, 'operator'))
  const now = Date.now()
  await db
    .updateTable('closings')
    .set({ erase_at: now })
    .where('id', '=', closingId)
    .where('erase_at', '>', now)
    .execute()
  return {
    account: id,
    erases: `within a minute while the service runs, else when it starts`,
    statement: `${address}/closed/${closingId}`,
    ...(await describeMoney(db, id)),
  }
}

/** A service that runs looks every five seconds, when it has time. */
const usuallyBeginsWithinMs = 120_000

/**
 * `account export ACCOUNT FILE [--no-recordings]`: has the service make an export, and writes it into a file, which is
 * whole or absent.
 * @throws StartError if the file exists, the export fails, or no service makes it
 */
export async function accountExport(
  db: Db,
  config: Config,
  [id, file]: readonly [id: string, file: string],
  withRecordings: boolean,
  beginsWithinMs = usuallyBeginsWithinMs,
): Promise<object> {
  await requireAccount(db, id)
  if (config.postgres === null && !isServing(config.dataDir)) {
    throw new StartError(`No service runs on ${config.dataDir}, and it makes the export. Start it, and ask again.`)
  }
  const target = await open(file, 'wx', 0o600).catch((cause: unknown) => {
    throw new StartError(`${file} cannot be written: ${explainError(cause)}.`, { cause })
  })
  try {
    const blobs = await (await findBlobs(config)).open()
    const made = await awaitExport(db, blobs, id, withRecordings, beginsWithinMs)
    await pipeline(await readExport({ blobs }, made, { start: 0, end: made.bytes - 1 }), target.createWriteStream())
    return { account: id, file, files: made.files_done, bytes: made.bytes }
  } catch (error) {
    await target.close()
    await rm(file, { force: true })
    throw error
  }
}

/** Asks for an export, and waits until the service has made it. @throws StartError */
async function awaitExport(
  db: Db,
  blobs: Platform['blobs'],
  id: string,
  withRecordings: boolean,
  beginsWithinMs: number,
) {
  const reserve = { use: <Result>(work: () => Promise<Result>) => work() }
  const asked = await requestExport({ ...surroundings(db), blobs, reserve }, id, withRecordings).catch(
    (error: Error) => {
      throw new StartError(error.message, { cause: error })
    },
  )
  for (const startedMs = performance.now(); ; await wait(500)) {
    const made = await findExport({ db }, id, asked.id)
    if (made.state === 'failed') throw new StartError(made.error ?? 'The export failed.')
    if (made.state === 'made') return made
    if (made.files_done === 0 && performance.now() - startedMs > beginsWithinMs + made.files * 1_000) {
      // Else it would be in the way of the next one.
      await removeExport({ db, blobs, reserve }, asked.id)
      throw new StartError('No service makes the export. Start it, and ask again.')
    }
  }
}
