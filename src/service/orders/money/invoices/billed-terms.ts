import type { BillingDetails } from '../../../../contract/account/invoices.ts'
import type { LedgerLine } from '../../../../contract/account/usage.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { LedgerEntry } from '../../../platform/db/schema.ts'
import { billingLines, readBilling } from './billing.ts'
import { isSameParty, vatPercentOf } from './plan-invoices.ts'

/** What an entry of the ledger says of its VAT and of whom it is billed to. */
type BilledTerms = Pick<LedgerLine, 'vat_percent' | 'reverse_charge' | 'billed_to'>

type Row = Pick<LedgerEntry, 'file_id' | 'vat_basis_points' | 'customer_json'> & { reverse_charge: number | null }

/** Those of the charges of files, on the invoices that they are on: as they were written, whatever is set since. */
async function readInvoiced(db: Db, accountId: string, fileIds: readonly string[]): Promise<Row[]> {
  return await db
    .selectFrom('invoice_items as i')
    .innerJoin('invoices as v', 'v.id', 'i.invoice')
    .select(['i.file_id', 'v.vat_basis_points', 'v.reverse_charge', 'v.customer_json'])
    .where('v.account_id', '=', accountId)
    .where('i.file_id', 'in', fileIds)
    .where('i.kind', '=', 'charge')
    .where('i.is_undone', '=', 0)
    .execute()
}

/**
 * How the charges of files are taxed and whom they are billed to: what their invoice says, else what it would say if it were
 * written now (decisions 156 and 159). Refunds have those of their charge.
 * @returns by file
 */
export async function readBilledTerms(
  db: Db,
  accountId: string,
  fileIds: readonly string[],
): Promise<Map<string, BilledTerms>> {
  if (fileIds.length === 0) return new Map()
  const columns = ['file_id', 'vat_basis_points', 'reverse_charge', 'customer_json'] as const
  const charges = db.selectFrom('ledger').select(columns).where('account_id', '=', accountId)
  const charged = await charges.where('kind', '=', 'charge').where('file_id', 'in', fileIds).execute()
  const invoiced = await readInvoiced(db, accountId, fileIds)
  const now = await readBilling(db, accountId)
  const asNow = (customer: BillingDetails) => (now !== null && isSameParty(customer, now) ? now : customer)
  return new Map([
    ...charged.map((row) => [row.file_id, toBilledTerms(row, asNow)] as const),
    ...invoiced.map((row) => [row.file_id, toBilledTerms(row, (customer) => customer)] as const),
  ])
}

function toBilledTerms(
  { vat_basis_points, reverse_charge, customer_json }: Row,
  named: (customer: BillingDetails) => BillingDetails,
): BilledTerms {
  const isKnown = customer_json !== null && customer_json !== '{}'
  return {
    vat_percent: vat_basis_points === null ? null : vatPercentOf({ vat_basis_points, reverse_charge }),
    reverse_charge: reverse_charge === null ? null : reverse_charge === 1,
    billed_to: isKnown ? billingLines(named(JSON.parse(customer_json))) : null,
  }
}
