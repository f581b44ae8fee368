import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/open.ts'
import type { LedgerEntry } from '../../../platform/db/schema.ts'

/** A ledger entry that belongs on the next invoice, or one on an earlier invoice that has failed since. */
export type OpenEntry = Pick<
  LedgerEntry,
  | 'transaction_id'
  | 'file_id'
  | 'kind'
  | 'transcript_type'
  | 'duration_ms'
  | 'currency'
  | 'created_at'
  | 'discount_cents'
  | 'free_ms'
  | 'due_at'
> & {
  /** what of a refund goes back to cards */
  to_card_cents: number
  /** on the invoice; of one that has failed the opposite of what was on it */
  amount_cents: number
  is_undone: 0 | 1
  /** number of the invoice that it corrects; null: it belongs on a new one */
  corrects: string | null
  /** how its charge was taxed; null: not recorded */
  vat_basis_points: number | null
  reverse_charge: 0 | 1 | null
  /** `BillingDetails` when it was charged; null: not recorded */
  customer_json: string | null
}

/**
 * What the ledger has and invoices do not, oldest first. In one statement: it sees the ledger at one moment.
 * @param before entries from then on wait for the next invoice; null: all
 */
export async function findOpenEntries(db: Db | Trx, accountId: string, before: number | null): Promise<OpenEntry[]> {
  const ofInvoice = sql`coalesce(v.corrects, v.id)`
  const described = sql`l.discount_cents, l.free_ms, l.due_at, case when l.kind = 'refund' then
    (select cast(coalesce(sum(r.amount_cents), 0) as bigint) from card_refunds r
      where r.refund = l.transaction_id and r.status <> 'failed') else 0 end as to_card_cents`
  const { rows } = await sql<OpenEntry>`
    select l.transaction_id, l.file_id, l.kind, l.transcript_type, l.duration_ms, l.currency, l.created_at,
      l.amount_cents, 0 as is_undone,
      case when l.kind = 'refund' then (select min(${ofInvoice}) from invoice_items i join invoices v on v.id = i.invoice
        where i.file_id = l.file_id and i.kind = 'charge' and i.is_undone = 0) end as corrects,
      c.vat_basis_points, c.reverse_charge, c.customer_json, ${described},
      l.id as position
    from ledger l left join ledger c on c.file_id = l.file_id and c.kind = 'charge'
    where l.account_id = ${accountId} and l.status <> 'failed' and l.amount_cents <> 0
      and l.created_at < ${before ?? Number.MAX_SAFE_INTEGER}
      and not exists (select 1 from invoice_items i where i.transaction_id = l.transaction_id and i.is_undone = 0)
    union all
    select l.transaction_id, l.file_id, l.kind, l.transcript_type, l.duration_ms, l.currency, l.created_at,
      -l.amount_cents, 1, ${ofInvoice}, null, null, null, ${described}, l.id
    from ledger l
    join invoice_items i on i.transaction_id = l.transaction_id and i.is_undone = 0
    join invoices v on v.id = i.invoice
    where l.account_id = ${accountId} and l.status = 'failed'
      and not exists (select 1 from invoice_items u where u.transaction_id = l.transaction_id and u.is_undone = 1)
    order by position`.execute(db)
  return rows
}
