import { once } from 'node:events'
import { join } from 'node:path'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { enterRefund, paidCents } from '../../orders/books/enter-in-ledger.ts'
import { payBack } from '../../orders/money/balance.ts'
import { writeInvoices } from '../../orders/money/invoices/write-invoices.ts'
import type { Db } from '../../platform/db/open.ts'
import type { Closing } from '../../platform/db/schema.ts'
import { writeAccount } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'
import { isIndexed } from '../../text/search/is-indexed.ts'
import { listExports, removeExport } from '../export/exports.ts'
import { cancelOfClosed } from './close-account.ts'
import type { AsideRequest } from './erase-aside-worker.ts'
import { erasePieces, eraseStatements } from './erase-statements.ts'

/** What an erasure removed. Names of counts are words: the statement and the command line show them as they are. */
export type ErasureReport = {
  files: number
  recordings_bytes: number
  keys: number
  /** charges and refunds that stay, without names of files, cards and keys */
  ledger_entries_kept: number
  /** invoices that stay, with whom they were sent to */
  invoices_kept: number
  /** directories of earlier restores that it was also erased from */
  before_restore: string[]
}

const filesAtOnce = 100
const yearMs = 365.25 * 24 * 60 * 60_000

/** Refunds in full what is not ready: nobody gets it any more. */
async function refundUnready({ db, clock }: Platform, accountId: string): Promise<void> {
  const unready = await db
    .selectFrom('files')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('progress_percent', '<', 100)
    .where('given_up', '=', 0)
    .execute()
  for (const file of unready) {
    await writeAccount(db, accountId, async (trx) => {
      const marked = trx.updateTable('files').set({ given_up: 1 }).where('id', '=', file.id).where('given_up', '=', 0)
      const { numUpdatedRows } = await marked.executeTakeFirst()
      const cents = numUpdatedRows === 0n ? 0 : await paidCents(trx, file)
      if (cents > 0) await enterRefund(trx, file, cents, 'closed', clock())
    })
  }
}

/** Nobody can spend the balance any more: it goes back to the cards that it came from. */
async function payOutRest(platform: Platform, accountId: string): Promise<void> {
  const account = await platform.db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirst()
  if (account !== undefined) await payBack(platform, account)
}

/** @returns false if the payment provider does not answer: its id of the account stays, and this comes again */
async function forgetAtProvider(
  { db, payment, log }: Platform,
  accountId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { environment } = await db
    .selectFrom('accounts')
    .select('environment')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  try {
    await payment[environment].cardPage?.forgetAccount(accountId, signal)
    return true
  } catch (error) {
    log.warn({ err: error, accountId }, 'the payment provider has not deleted a closed account yet; it is tried again')
    return false
  }
}

/** What was charged since the last invoice: nobody can ask for one any more. */
async function invoiceRest(platform: Platform, accountId: string): Promise<void> {
  const account = await platform.db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirst()
  if (account !== undefined) await writeInvoices(platform, account, null)
}

/** Removes files with their bytes, some at a time: other accounts are served in between. */
async function removeFiles(platform: Platform, accountId: string, signal: AbortSignal): Promise<void> {
  const { db, blobs, reserve, changes } = platform
  for (;;) {
    signal.throwIfAborted()
    const rows = await db
      .selectFrom('files')
      .select('id')
      .where('account_id', '=', accountId)
      .limit(filesAtOnce)
      .execute()
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return
    await writeAccount(db, accountId, async (trx) => {
      for (const table of ['jobs', 'pieces'] as const) {
        await trx.deleteFrom(table).where('file_id', 'in', ids).execute()
      }
    })
    for (const id of ids) {
      changes.notify({ kind: 'work-ended', fileId: id })
      // Bytes first: after a crash, or if storage is away, the row says what is left to remove.
      await reserve.use(() => blobs.remove(id))
      await writeAccount(db, accountId, (trx) => trx.deleteFrom('files').where('id', '=', id).execute())
      changes.notify({ kind: 'file', accountId, fileId: id, deleted: true })
    }
  }
}

/** What earlier restores moved aside has the account, too. A thread looks: others are served meanwhile. @returns names */
async function eraseAside(dataDir: string, accountId: string): Promise<string[]> {
  const workerData = { dataDir, accountId } satisfies AsideRequest
  const worker = new Worker(join(import.meta.dirname, 'erase-aside-worker.ts'), { workerData })
  const [names] = (await once(worker, 'message')) as [string[]]
  return names
}

/** Erases the rows, first those of which there can be many, some at a time. */
async function eraseRows(db: Db, accountId: string): Promise<void> {
  for (const statement of erasePieces(accountId)) {
    for (let changed = 1n; changed > 0n; ) {
      const { numAffectedRows = 0n } = await sql.raw(statement).execute(db)
      changed = numAffectedRows
      // SQLite works in the thread that serves.
      await turn()
    }
  }
  for (const statement of eraseStatements(accountId)) await sql.raw(statement).execute(db)
}

/** How long one run waits for the search: most accounts are gone within a second, the largest take several runs. */
const indexWithinMs = 60_000

/** The thread of the search removes files one by one; until then nobody is told that the words are gone. */
async function isGoneFromIndex(platform: Platform, accountId: string, signal: AbortSignal): Promise<boolean> {
  for (const endMs = performance.now() + indexWithinMs; await isIndexed(platform, accountId); await wait(100)) {
    if (signal.aborted || performance.now() > endMs) return false
  }
  return true
}

/** Erases one account. May be interrupted at any place: it begins again and finds less. */
async function eraseAccount(platform: Platform, closing: Closing, signal: AbortSignal): Promise<void> {
  const { db, clock, config, log, changes } = platform
  const { account_id: accountId } = closing
  const uploads = db.updateTable('uploads').set({ touched_at: 0 }).where('account_id', '=', accountId)
  // Their own chore ends them with their bytes; this one comes again.
  if ((await uploads.executeTakeFirst()).numUpdatedRows > 0n) return
  const report = await noteBefore(platform, closing)
  await refundUnready(platform, accountId)
  await payOutRest(platform, accountId)
  await invoiceRest(platform, accountId)
  if (!(await forgetAtProvider(platform, accountId, signal))) return
  for (const { id } of await listExports(platform, accountId)) await removeExport(platform, id)
  await removeFiles(platform, accountId, signal)
  const keys = await db.selectFrom('api_keys').select('id').where('account_id', '=', accountId).execute()
  await eraseRows(db, accountId)
  for (const { id: keyId } of keys) changes.notify({ kind: 'key-revoked', accountId, keyId })
  changes.notify({ kind: 'account', accountId })
  // Before the last steps: another run would find nothing in earlier copies that it could report.
  if (!(await isGoneFromIndex(platform, accountId, signal))) return
  const before_restore = config.postgres === null ? await eraseAside(config.dataDir, accountId) : []
  // What was deleted also stands in the log of the database until it is written over.
  if (config.postgres === null) await sql.raw('pragma wal_checkpoint(truncate)').execute(db)
  const done: ErasureReport = {
    ...report,
    ledger_entries_kept: await countRows(db, 'ledger', accountId),
    invoices_kept: await countRows(db, 'invoices', accountId),
    before_restore,
  }
  await db
    .updateTable('closings')
    .set({ erased_at: clock(), report_json: JSON.stringify(done) })
    .where('id', '=', closing.id)
    .execute()
  log.info({ accountId, files: done.files }, 'a closed account was erased')
}

async function countRows(db: Db, table: 'api_keys' | 'ledger' | 'invoices', accountId: string): Promise<number> {
  const rows = db.selectFrom(table).select((eb) => eb.fn.countAll<number>().as('n'))
  return (await rows.where('account_id', '=', accountId).executeTakeFirstOrThrow()).n
}

/** Counts what there is; after an interruption the first count stands. */
async function noteBefore({ db }: Platform, { id, account_id, report_json }: Closing): Promise<ErasureReport> {
  if (report_json !== null) return JSON.parse(report_json) as ErasureReport
  const { files, bytes } = await db
    .selectFrom('files')
    .select((eb) => [eb.fn.countAll<number>().as('files'), eb.fn.sum<number | null>('bytes').as('bytes')])
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow()
  const report: ErasureReport = {
    files,
    recordings_bytes: Number(bytes ?? 0),
    keys: await countRows(db, 'api_keys', account_id),
    ledger_entries_kept: 0,
    invoices_kept: 0,
    before_restore: [],
  }
  await db
    .updateTable('closings')
    .set({ report_json: JSON.stringify(report) })
    .where('id', '=', id)
    .execute()
  return report
}

/** Erases accounts whose time to come back is over. */
export async function eraseClosedAccounts(platform: Platform, signal: AbortSignal): Promise<void> {
  const { db, clock } = platform
  await cancelOfClosed(platform)
  const due = db.selectFrom('closings').selectAll().where('erased_at', 'is', null).where('erase_at', '<=', clock())
  for (const closing of await due.execute()) await eraseAccount(platform, closing, signal)
}

/** Deletes money of erased accounts that need not be kept any longer; refunds that are still to be paid stay. */
export async function purgeLedger({ db, clock, config }: Platform): Promise<void> {
  const before = clock() - config.ledgerYears * yearMs
  const erased = db.selectFrom('closings').select('account_id').where('erased_at', 'is not', null)
  // A charge is needed until its refund is paid.
  const pending = db.selectFrom('ledger').select('file_id').where('status', '=', 'pending')
  await db
    .deleteFrom('ledger')
    .where('account_id', 'in', erased)
    .where('created_at', '<', before)
    .where('file_id', 'not in', pending)
    .execute()
  // Numbers of invoices stay: they have no gaps.
  const old = db.selectFrom('invoices').select('id').where('account_id', 'in', erased).where('created_at', '<', before)
  const emptied = db.updateTable('invoices').set({ customer_json: '{}' }).where('customer_json', '<>', '{}')
  await emptied.where('id', 'in', old).execute()
  await db.deleteFrom('invoice_items').where('invoice', 'in', old).execute()
  const rest = db.selectFrom('ledger').select('account_id')
  const days = db.deleteFrom('ledger_days').where('account_id', 'in', erased).where('account_id', 'not in', rest)
  await days.execute()
}
