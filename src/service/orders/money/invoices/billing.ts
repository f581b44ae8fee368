import type { BillingDetails, Invoicing } from '../../../../contract/account/invoices.ts'
import { hintOfVatNumber, readVatNumber, refuseReverseCharge } from '../../../../contract/account/vat-number.ts'
import type { JsonObject } from '../../../../contract/common/merge-patch.ts'
import { notifyAccount } from '../../../accounts/notify-account.ts'
import { appendLog } from '../../../platform/db/audit-log.ts'
import type { Db, Trx } from '../../../platform/db/open.ts'
import type { Account } from '../../../platform/db/schema.ts'
import type { AccountTrx } from '../../../platform/db/write-account.ts'
import type { Platform } from '../../../platform/platform.ts'
import { ServiceError } from '../../../platform/service-error.ts'
import { findOpenEntries } from './open-entries.ts'
import { planInvoices, sumCents } from './plan-invoices.ts'

/** Name, address and VAT number of the seller, as they stand on papers; null: the operator has not said. */
export function sellerLines({ seller, sellerVatNumber }: Platform['config']): string | null {
  return seller && [seller, ...(sellerVatNumber === null ? [] : [`VAT number ${sellerVatNumber}`])].join('\n')
}

/** The same; null: this service writes no invoices. */
export function sellerOf(config: Platform['config']): string | null {
  return config.invoicePrefix === null ? null : sellerLines(config)
}

/** Who is invoiced; null: nobody has said so yet. */
export async function readBilling(db: Db | Trx, accountId: string): Promise<BillingDetails | null> {
  const row = await (db as Db).selectFrom('billing').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  if (row === undefined) return null
  const { company, address, vat_number, reverse_charge } = row
  return { company, address, vat_number, reverse_charge: reverse_charge === 1 }
}

/**
 * Records how an order is taxed and who gives it, in the transaction that writes it: as the order page says (decisions 154
 * and 156).
 */
export async function keepTerms(trx: AccountTrx, fileId: string, vatPercent: number): Promise<void> {
  const billing = await readBilling(trx, trx.accountId)
  await trx
    .updateTable('ledger')
    .set({
      vat_basis_points: Math.round(vatPercent * 100),
      reverse_charge: billing?.reverse_charge ? 1 : 0,
      customer_json: billing && JSON.stringify(billing),
    })
    .where('file_id', '=', fileId)
    .where('kind', '=', 'charge')
    .execute()
}

export async function readInvoicing(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  account: Account,
): Promise<Invoicing> {
  const open = await findOpenEntries(db, account.id, null)
  const details = await readBilling(db, account.id)
  const { vatPercent } = config
  return {
    details,
    seller: sellerOf(config),
    vat_percent: vatPercent,
    open_cents: sumCents(open),
    open_entries: open.length,
    plan: details === null ? [] : await planInvoices(db, open, { vatPercent, details }),
  }
}

/** The details as lines, as they stand on receipts. */
export function billingLines({ company, address, vat_number }: BillingDetails): string {
  return [company, address, ...(vat_number === null ? [] : [`VAT number ${vat_number}`])].join('\n')
}

/** @throws ServiceError 400 if the VAT number is none, or reverse charge is not for it */
function checkDetails(details: BillingDetails, seller: string | null): BillingDetails {
  const typed = details.vat_number?.trim() ?? ''
  const vat_number = typed === '' ? null : readVatNumber(typed)
  if (typed !== '' && vat_number === null)
    throw new ServiceError(
      400,
      `"${typed}" does not look like a VAT number, such as DE123456789.${hintOfVatNumber(typed)} Nothing was changed.`,
    )
  const refused = vat_number === null ? 'Reverse charge needs a VAT number.' : refuseReverseCharge(vat_number, seller)
  if (details.reverse_charge && refused !== null) throw new ServiceError(400, `${refused} Nothing was changed.`)
  return { ...details, vat_number }
}

/** Sets who is invoiced for what is charged from now on, also on receipts. @throws ServiceError 400, 409 if no invoices are written */
export async function changeBilling(platform: Platform, account: Account, given: BillingDetails): Promise<Invoicing> {
  if (sellerOf(platform.config) === null) throw noInvoices()
  const { reverse_charge, ...details } = checkDetails(given, platform.config.sellerVatNumber)
  const values = { ...details, reverse_charge: reverse_charge ? 1 : 0 }
  await notifyAccount(platform, account.id, async (trx) => {
    await trx
      .insertInto('billing')
      .values({ account_id: account.id, ...values, invoiced_until: 0 })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
      .execute()
    const own = trx.selectFrom('accounts').select('settings_json').where('id', '=', account.id)
    const settings = JSON.parse((await own.executeTakeFirstOrThrow()).settings_json) as JsonObject
    const settings_json = JSON.stringify({ ...settings, billing: billingLines({ ...details, reverse_charge }) })
    await trx.updateTable('accounts').set({ settings_json }).where('id', '=', account.id).execute()
    const vat = details.vat_number ?? 'no VAT number'
    await appendLog(
      trx,
      {
        action: 'payment',
        detail: `invoices to ${details.company}, ${vat}${reverse_charge ? ', reverse charge' : ''}`,
      },
      platform.clock(),
    )
  })
  return await readInvoicing(platform, account)
}

export const noInvoices = () =>
  new ServiceError(
    409,
    'This service writes no invoices: its operator has not set INVOICE_PREFIX. Receipts are on Usage.',
  )
