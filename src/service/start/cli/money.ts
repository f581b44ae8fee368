import { reportMoney, reportPrinters, spanOfMonth } from '../../orders/money/money-report.ts'
import { openLivePayment } from '../../orders/money/payment/open-live-payment.ts'
import { reconcileDay } from '../../orders/money/reconcile.ts'
import type { Config } from '../../platform/config.ts'
import { Changes } from '../../platform/db/changes.ts'
import type { Db } from '../../platform/db/open.ts'
import { isDay } from '../../platform/setting-readers.ts'
import { StartError } from '../../platform/start-error.ts'

/**
 * `money reconcile`: a line for each sum that is not simply in the books and at the provider, and one of the whole. Ends
 * with 1 if one is unexplained.
 * @throws StartError without Stripe, or if the day is none; ServiceError 502
 */
export async function moneyReconcile(
  db: Db,
  { day, enter }: { day: string | undefined; enter: boolean },
  { stripe }: Pick<Config, 'stripe'>,
): Promise<object[]> {
  if (day === undefined || !isDay(day)) throw new StartError('Name a day in UTC that exists: --day 2026-11-26.')
  const { books } = await openLivePayment(stripe, db)
  if (books === null) throw new StartError('STRIPE_SECRET_KEY is not set: test cards pay, and no money moves.')
  const platform = { db, clock: Date.now, changes: new Changes() }
  const { findings, ...sums } = await reconcileDay(platform, books, day, enter, new AbortController().signal)
  if (sums.unexplained_cents > 0) process.exitCode = 1
  return [...findings, sums]
}

/** What the provider kept; null without one, or if its key may not read that. */
async function readFees(db: Db, month: string | undefined, { stripe }: Pick<Config, 'stripe'>) {
  const { from, to } = spanOfMonth(month)
  const { books } = await openLivePayment(stripe, db)
  return books === null ? null : await books.fees(from, to, new AbortController().signal)
}

/**
 * `money report`: what moved in a month, by currency. Ends with 1 if books and ledger differ.
 * @throws StartError if the month or the format is none; ServiceError 502
 */
export async function moneyReport(
  db: Db,
  { month, format }: { month: string | undefined; format: string },
  config: Pick<Config, 'stripe'>,
): Promise<readonly (object | string)[]> {
  const print = reportPrinters.get(format)
  if (print === undefined) throw new StartError('--format is table, csv or json.')
  const reports = await reportMoney(db, month, await readFees(db, month, config))
  if (reports.some(({ ledger_differs_cents }) => ledger_differs_cents !== 0)) process.exitCode = 1
  return print(reports)
}
