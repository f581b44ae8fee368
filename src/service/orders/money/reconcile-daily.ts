import type { Platform } from '../../platform/platform.ts'
import { reconcileDay } from './reconcile.ts'

const dayMs = 86_400_000
/** Into the day: what the provider's clock has of yesterday is there by then. */
const waitsMs = 60 * 60_000

/**
 * Chore: compares yesterday with the provider once it is over, and again as long as something is unexplained. The metric
 * `parley_unreconciled_cents` has the sum.
 */
export async function reconcileYesterday(platform: Platform, signal: AbortSignal): Promise<void> {
  const { db, clock, log, payment } = platform
  const { books } = payment.live
  if (books === null || clock() % dayMs < waitsMs) return
  const isUsed = db.selectFrom('payment_customers').select('account_id').limit(1).executeTakeFirst()
  if ((await isUsed) === undefined) return
  const day = new Date(clock() - dayMs).toISOString().slice(0, 10)
  const known = await read(platform, 'reconciled-day')
  if (known === day && (await read(platform, 'unreconciled-cents')) === '0') return
  try {
    const { unexplained_cents } = await reconcileDay(platform, books, day, false, signal)
    await keep(platform, 'unreconciled-cents', String(unexplained_cents))
    await keep(platform, 'reconciled-day', day)
    if (unexplained_cents > 0) log.warn({ day, unexplained_cents }, 'the books and the payment provider differ')
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'the payment provider could not be compared; it will be tried again')
  }
}

type Kept = 'reconciled-day' | 'unreconciled-cents'

async function read({ db }: Platform, name: Kept): Promise<string | undefined> {
  return (await db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst())?.value
}

async function keep({ db }: Platform, name: Kept, value: string): Promise<void> {
  await db
    .insertInto('secrets')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
