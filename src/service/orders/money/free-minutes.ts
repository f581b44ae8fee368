import type { FreeMinutes } from '../../../contract/account/account.ts'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import { monthStart } from '../../accounts/auth/key-spending.ts'
import { isDatabaseAway } from '../../platform/db/database-away.ts'
import type { Db, Trx } from '../../platform/db/open.ts'
import type { Account, FileRow } from '../../platform/db/schema.ts'
import { type AccountTrx, writeAccount } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { takenOver } from './idempotency.ts'

/** An order that lasts longer than this before it is written was left by a crash. */
const abandonedAfterMs = 60 * 60_000
/** Counted by calendar month; the rows of earlier ones are of no use. */
const keptMs = 70 * 24 * 60 * 60_000

type Asking = Pick<Platform, 'db' | 'clock' | 'config'>

/** What an account has used of its free minutes this month, or has reserved for orders that are being placed. */
async function readUsedMs(db: Db | Trx, accountId: string, now: number, exceptFile = ''): Promise<number> {
  const { used } = await (db as Db)
    .selectFrom('free_minutes')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('ms'), eb.lit(0)).as('used'))
    .where('account_id', '=', accountId)
    .where('created_at', '>=', monthStart(now))
    .where('file_id', '!=', exceptFile)
    .executeTakeFirstOrThrow()
  return Number(used)
}

/** The free minutes of an account, and what is left of them this month; null: the service gives none. */
export async function readFreeMinutes({ db, clock, config }: Asking, accountId: string): Promise<FreeMinutes | null> {
  const wholeMs = config.freeMinutes * 60_000
  if (wholeMs === 0) return null
  const leftMs = Math.max(0, wholeMs - (await readUsedMs(db, accountId, clock())))
  return { month_seconds: wholeMs / 1_000, left_seconds: leftMs / 1_000 }
}

type Order = {
  fileId: string
  account: Account
  options: OrderOptions
  durationMs: number
  /** at most so many are used for it; null: as many as there are */
  mostMs: number | null
}

/**
 * Reserves free minutes for an automated order while it is placed, so that no other order uses the same ones
 * (decision 144). Those of an order that fails are free again.
 * @param place gets how many milliseconds of the recording are free, and calls `settleFreeMinutes` where it is written
 */
export async function withFreeMinutes<Result>(
  platform: Platform,
  order: Order,
  place: (freeMs: number) => Promise<Result>,
): Promise<Result> {
  const { db, config } = platform
  const hasAny = config.freeMinutes > 0 && order.options.transcript_type === 'automated' && order.mostMs !== 0
  const freeMs = hasAny ? await reserve(platform, order) : 0
  try {
    return await place(freeMs)
  } catch (error) {
    // If the database is unreachable, nobody knows whether the order exists: a chore frees what was left.
    if (freeMs > 0 && !isDatabaseAway(error)) {
      const left = db.deleteFrom('free_minutes').where('file_id', '=', order.fileId)
      await left.where('is_settled', '=', 0).execute()
    }
    throw error
  }
}

async function reserve({ db, clock, config }: Asking, { fileId, account, durationMs, mostMs }: Order): Promise<number> {
  return await writeAccount(db, account.id, async (trx) => {
    const used = await readUsedMs(trx, account.id, clock(), fileId)
    const ms = Math.min(durationMs, mostMs ?? durationMs, Math.max(0, config.freeMinutes * 60_000 - used))
    if (ms === 0) return 0
    const row = { ms, created_at: clock() }
    await trx
      .insertInto('free_minutes')
      .values({ file_id: fileId, account_id: account.id, is_settled: 0, ...row })
      .onConflict((conflict) => conflict.column('file_id').doUpdateSet(row))
      .execute()
    return ms
  })
}

/** Uses what was reserved, in the transaction that writes the order. @throws ServiceError 503 if it took too long */
export async function settleFreeMinutes(trx: AccountTrx, { id }: Pick<FileRow, 'id'>, freeMs: number): Promise<void> {
  if (freeMs === 0) return
  const own = trx.updateTable('free_minutes').set({ is_settled: 1 }).where('file_id', '=', id)
  if ((await own.executeTakeFirst()).numUpdatedRows === 0n) throw takenOver()
  await trx
    .updateTable('ledger')
    .set({ free_ms: freeMs })
    .where('file_id', '=', id)
    .where('kind', '=', 'charge')
    .execute()
}

/** Frees what a crash left reserved, and forgets earlier months. */
export async function purgeFreeMinutes({ db, clock }: Platform): Promise<void> {
  await db
    .deleteFrom('free_minutes')
    .where((eb) =>
      eb.or([
        eb('created_at', '<', clock() - keptMs),
        eb.and([eb('is_settled', '=', 0), eb('created_at', '<', clock() - abandonedAfterMs)]),
      ]),
    )
    .execute()
}

/**
 * Reads the most free seconds that an order may use, as milliseconds; null: as many as there are.
 * @throws ServiceError 400 if malformed
 */
export function readMostFree(text: string | string[] | null | undefined): number | null {
  if (text === undefined || text === null) return null
  if (typeof text === 'string' && /^\d{1,9}(\.\d{1,3})?$/.test(text)) return Math.round(Number(text) * 1_000)
  throw new ServiceError(400, 'Free-Seconds takes a number of seconds, such as 600 or 0.')
}
