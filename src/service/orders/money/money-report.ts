import { sql } from 'kysely'
import type { MoneyCause } from '../../../contract/account/balance.ts'
import { csvNumber, csvText } from '../../../contract/common/csv.ts'
import { centsToDecimal } from '../../../contract/interface/price.ts'
import type { Db } from '../../platform/db/open.ts'
import { StartError } from '../../platform/start-error.ts'

/**
 * Money of a month (UTC) in one currency, of live accounts, in cents. What moved is as it was entered then, and never
 * changes; what stands is of the month's end.
 */
export type MoneyReport = {
  month: string
  currency: string
  /** what orders cost */
  charged_cents: number
  /** refunds of orders, to cards and balances */
  refunded_cents: number
  /** orders, or parts of them, that count as unpaid since a bank took money back */
  unpaid_cents: number
  /** paid in by cards */
  topped_up_cents: number
  /** sent back to cards: refunds and balances that were paid out */
  sent_back_cents: number
  /** taken back by banks, less what disputes that were won brought back */
  disputed_cents: number
  /** of it what the operator bears */
  lost_cents: number
  /** kept by the payment provider; null: it does not say */
  fees_cents: number | null
  /** on invoices less credit notes that were written in the month, like charges also of test cards */
  invoiced_cents: number
  /** charged and on no invoice yet, now */
  not_invoiced_cents: number
  /** balances of customers at its end */
  balances_cents: number
  /** refunds on their way at its end */
  refunds_due_cents: number
  /** the books less the ledger, now, of all time: 0 */
  ledger_differs_cents: number
}

/** @returns milliseconds. @throws StartError */
export function spanOfMonth(month: string | undefined): { from: number; to: number } {
  const from = Date.parse(`${month}-01T00:00:00Z`)
  if (month === undefined || !/^\d{4}-\d\d$/.test(month) || Number.isNaN(from))
    throw new StartError('Name a month in UTC: --month 2026-11.')
  const first = new Date(from)
  return { from, to: Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1) }
}

type Sums = Map<string, number>
const live = sql`join accounts a on a.id = m.account_id and a.environment = 'live'`

/** @returns cents by currency and what the query names */
async function sumBy(db: Db, query: ReturnType<typeof sql<{ currency: string; name: string; cents: number }>>) {
  const { rows } = await query.execute(db)
  return new Map(rows.map(({ currency, name, cents }) => [`${currency} ${name}`, Number(cents)])) as Sums
}

/**
 * Everything that moved in a month, by currency.
 * @param fees of the payment provider by currency; null: not known
 * @throws StartError if there is no such month
 */
export async function reportMoney(
  db: Db,
  month: string | undefined,
  fees: Readonly<Record<string, number>> | null,
): Promise<MoneyReport[]> {
  const { from, to } = spanOfMonth(month)
  const moved = await sumBy(
    db,
    sql`select m.currency, m.cause as name,
      sum(m.amount_cents) as cents from movements m ${live}
      where m.created_at >= ${from} and m.created_at < ${to} group by 1, 2`,
  )
  const stood = await sumBy(
    db,
    sql`select m.currency, b.book as name, sum(case when m.target = b.book then m.amount_cents else -m.amount_cents end) as cents
      from movements m ${live} join (select 'balance' as book union all select 'refunds') b on b.book in (m.source, m.target)
      where m.created_at < ${to} group by 1, 2`,
  )
  const other = await sumBy(
    db,
    sql`select m.currency, 'ledger' as name, sum(m.amount_cents) as cents from ledger m ${live}
      where m.status <> 'failed' group by 1
      union all select m.currency, 'orders', sum(m.amount_cents) from books m ${live} where m.book = 'orders' group by 1
      union all select m.currency, 'invoiced', sum(m.total_cents) from invoices m ${live}
      where m.created_at >= ${from} and m.created_at < ${to} group by 1
      union all select m.currency, 'all invoices', sum(m.total_cents) from invoices m ${live} group by 1`,
  )
  const currencies = [...new Set([...moved.keys(), ...other.keys()].map((key) => key.slice(0, 3)))].sort()
  return currencies.map((currency) => {
    const sum = (...causes: MoneyCause[]) =>
      causes.reduce((all, name) => all + (moved.get(`${currency} ${name}`) ?? 0), 0)
    const of = (sums: Sums, name: string) => sums.get(`${currency} ${name}`) ?? 0
    return {
      month: month ?? '',
      currency,
      charged_cents: sum('order'),
      refunded_cents: sum('refund', 'refund-to-balance') - sum('refund-failed'),
      unpaid_cents: sum('order-failed', 'order-cut'),
      topped_up_cents: sum('top-up'),
      sent_back_cents: sum('refund-paid'),
      disputed_cents: sum('reversal') - sum('reversal-won'),
      lost_cents: sum('loss'),
      fees_cents: fees === null ? null : (fees[currency] ?? 0),
      invoiced_cents: of(other, 'invoiced'),
      not_invoiced_cents: of(other, 'ledger') - of(other, 'all invoices'),
      balances_cents: of(stood, 'balance'),
      refunds_due_cents: of(stood, 'refunds'),
      ledger_differs_cents: of(other, 'orders') - of(other, 'ledger'),
    }
  })
}

const labels: Readonly<Record<Exclude<keyof MoneyReport, 'month' | 'currency'>, string>> = {
  charged_cents: 'Charged for orders',
  refunded_cents: 'Refunded',
  unpaid_cents: 'Left unpaid by banks',
  topped_up_cents: 'Paid in by cards',
  sent_back_cents: 'Sent back to cards',
  disputed_cents: 'Disputed, less won',
  lost_cents: 'Borne by the operator',
  fees_cents: "Provider's fees",
  invoiced_cents: 'Invoiced',
  not_invoiced_cents: 'On no invoice yet',
  balances_cents: 'Balances at the end',
  refunds_due_cents: 'Refunds on their way',
  ledger_differs_cents: 'Books less ledger',
}
const fields = Object.keys(labels) as (keyof typeof labels)[]

const decimal = (cents: number | null) => (cents === null ? '' : centsToDecimal(cents))

function printCsv(reports: readonly MoneyReport[]): string[] {
  const head = ['month', 'currency', ...fields.map((field) => field.replace('_cents', ''))].join(',')
  const rows = reports.map((one) =>
    [csvText(one.month), csvText(one.currency), ...fields.map((field) => csvNumber(decimal(one[field])))].join(','),
  )
  return [head, ...rows]
}

function printTable(reports: readonly MoneyReport[]): string[] {
  return reports.flatMap((one) => [
    `${one.month}  ${one.currency}`,
    ...fields.map((field) => `  ${labels[field].padEnd(22)}${(decimal(one[field]) || 'not known').padStart(14)}`),
  ])
}

type Print = (reports: readonly MoneyReport[]) => readonly (object | string)[]

/** For a terminal, a spreadsheet and a program, by the name of the format. */
export const reportPrinters: ReadonlyMap<string, Print> = new Map<string, Print>([
  ['table', printTable],
  ['csv', printCsv],
  ['json', (reports) => reports],
])
