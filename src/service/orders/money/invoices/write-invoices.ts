import { type InvoiceLine, vatCents } from '../../../../contract/account/invoices.ts'
import { appendLog } from '../../../platform/db/audit-log.ts'
import { appendEvent } from '../../../platform/db/outbox.ts'
import type { Account, InvoiceRow } from '../../../platform/db/schema.ts'
import { type AccountTrx, writeAccount } from '../../../platform/db/write-account.ts'
import type { Platform } from '../../../platform/platform.ts'
import { ServiceError } from '../../../platform/service-error.ts'
import { isTestMoney } from '../payment/open-live-payment.ts'
import { noInvoices, readBilling, sellerOf } from './billing.ts'
import { findOpenEntries, type OpenEntry } from './open-entries.ts'
import { groupByPaper, sumCents, type Terms, type TermsNow, termsOf } from './plan-invoices.ts'
import { toInvoiceLine } from './read-invoices.ts'

type Context = Pick<Platform, 'db' | 'clock' | 'config' | 'payment' | 'changes'>

/** What every invoice of one writing has in common. */
type Issue = TermsNow & {
  account: Pick<Account, 'id' | 'environment'>
  series: string
  isTest: boolean
  seller: string
  now: number
}

/** Where no money moves, numbers begin with this, so that those of invoices for money are without gaps. */
const testSeries = 'TEST-'

/**
 * Writes an invoice of everything that is on none yet, one for each party and way of taxing, and a credit note for each
 * earlier one that has to be corrected: of its refunds, and of charges that failed since.
 * @param before entries from then on wait; null: none
 * @returns what was written; none if nothing is open, the service writes none or nobody has said who is invoiced
 */
export async function writeInvoices(
  { db, clock, config, payment, changes }: Context,
  account: Pick<Account, 'id' | 'environment'>,
  before: number | null,
): Promise<InvoiceLine[]> {
  const [seller, prefix] = [sellerOf(config), config.invoicePrefix]
  if (seller === null || prefix === null) return []
  const isTest = isTestMoney({ config, payment }, account)
  const series = `${isTest ? testSeries : ''}${prefix}`
  const rows = await writeAccount(db, account.id, async (trx) => {
    const details = await readBilling(trx, account.id)
    if (details === null) return []
    const issue = { account, series, isTest, seller, details, vatPercent: config.vatPercent, now: clock() }
    const written: InvoiceRow[] = []
    const entries = await findOpenEntries(trx, account.id, before)
    for (const own of groupByPaper(entries, issue)) written.push(await writeOne(trx, issue, own))
    if (before !== null)
      await trx.updateTable('billing').set({ invoiced_until: before }).where('account_id', '=', account.id).execute()
    if (written.length === 0) return written
    const detail = `${written.map(({ id }) => id).join(', ')} written`
    await appendLog(trx, { action: 'payment', detail }, issue.now)
    await appendEvent(trx, 'account', {}, issue.now)
    return written
  })
  if (rows.length > 0) changes.notify({ kind: 'account', accountId: account.id })
  return rows.map(toInvoiceLine)
}

/** The same on request. @throws ServiceError 409 in words if none can be written */
export async function requestInvoices(platform: Platform, account: Account): Promise<InvoiceLine[]> {
  if (sellerOf(platform.config) === null) throw noInvoices()
  if ((await readBilling(platform.db, account.id)) === null)
    throw new ServiceError(409, 'Say who is invoiced first: PUT invoicing, or Settings › Money.')
  const written = await writeInvoices(platform, account, null)
  if (written.length === 0) throw new ServiceError(409, 'Everything that was charged is on an invoice already.')
  return written
}

/** @param entries of one currency, on a new invoice or on a credit note for one */
async function writeOne(trx: AccountTrx, issue: Issue, entries: readonly OpenEntry[]): Promise<InvoiceRow> {
  const { account, series, isTest, seller, now } = issue
  const [first] = entries
  if (first === undefined) throw new Error('an invoice has entries')
  const { corrects, currency } = first
  const total_cents = sumCents(entries)
  const times = entries.map(({ created_at }) => created_at)
  const number = await nextNumber(trx, series)
  const id = `${series}${String(number).padStart(5, '0')}`
  const terms = corrects === null ? termsOf(first, issue) : await readCorrected(trx, corrects)
  const row = await trx
    .insertInto('invoices')
    .values({
      ...{ id, series, number, account_id: account.id, currency, total_cents, corrects, seller, created_at: now },
      kind: corrects === null ? 'invoice' : 'credit-note',
      ...terms,
      vat_cents: terms.reverse_charge === 1 ? 0 : vatCents(total_cents, terms.vat_basis_points / 100),
      is_test: isTest ? 1 : 0,
      from_at: Math.min(...times),
      to_at: Math.max(...times),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  for (const [position, entry] of entries.entries()) {
    const { transaction_id, is_undone, file_id, kind, transcript_type, duration_ms, amount_cents, created_at } = entry
    const { discount_cents, free_ms, due_at, to_card_cents } = entry
    const item = { transaction_id, is_undone, file_id, kind, transcript_type, duration_ms, amount_cents, created_at }
    await trx
      .insertInto('invoice_items')
      .values({ invoice: id, position, ...item, discount_cents, free_ms, due_at, to_card_cents })
      .execute()
  }
  return row
}

/** A credit note has the rate and the customer of what it corrects. */
async function readCorrected(trx: AccountTrx, id: string): Promise<Terms> {
  const columns = ['vat_basis_points', 'reverse_charge', 'customer_json'] as const
  return await trx.selectFrom('invoices').select(columns).where('id', '=', id).executeTakeFirstOrThrow()
}

/** The number after the last; nobody else gets one of the series until the end of the transaction. */
async function nextNumber(trx: AccountTrx, series: string): Promise<number> {
  await trx
    .insertInto('invoice_series')
    .values({ series, last: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const held = trx
    .updateTable('invoice_series')
    .set((eb) => ({ last: eb.ref('last') }))
    .where('series', '=', series)
  return (await held.returning('last').executeTakeFirstOrThrow()).last + 1
}

/** Chore: once a month is over, writes the invoices of it for live accounts that have said who is invoiced. */
export async function writeMonthlyInvoices(platform: Platform, signal: AbortSignal): Promise<void> {
  if (sellerOf(platform.config) === null) return
  const now = new Date(platform.clock())
  const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth())
  const due = await platform.db
    .selectFrom('billing')
    .innerJoin('accounts', 'accounts.id', 'billing.account_id')
    .select(['accounts.id', 'accounts.environment'])
    .where('environment', '=', 'live')
    .where('invoiced_until', '<', month)
    .execute()
  for (const account of due) {
    if (signal.aborted) return
    await writeInvoices(platform, account, month)
  }
}
