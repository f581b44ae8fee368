import * as z from 'zod/mini'
import { orderOptions } from '../interface/order-options.ts'

const cents = z.int()
const transcriptType = orderOptions.shape.transcript_type

/** Charges of a time and type. Money is whole cents of the account's currency. */
const charges = z.object({ recordings: z.int(), seconds: z.number(), charged_cents: cents })

/**
 * Answer of `GET usage?from=&to=`, both ISO 8601 instants, `from` included, `to` not; absent: everything. Refunds count
 * in the month they were made in.
 */
export const usage = z.object({
  currency: z.string(),
  ...charges.shape,
  /** positive */
  refunded_cents: cents,
  refunds: z.int(),
  by_type: z.object({ automated: charges, manual: charges }),
  /** files ordered in that time and not deleted: ready in time, ready late, or late and not ready */
  delivered: z.object({ on_time: z.int(), late: z.int() }),
  /** every month from the first entry to the last, UTC, the oldest first */
  months: z.array(
    z.object({
      /** `2026-11` */
      month: z.string(),
      automated_cents: cents,
      manual_cents: cents,
      refunded_cents: cents,
      recordings: z.int(),
      seconds: z.number(),
    }),
  ),
})
export type Usage = z.infer<typeof usage>

export const ledgerKinds = ['charge', 'refund'] as const

/** One entry of the ledger, as `npm run parley -- ledger` prints it too. */
const ledgerEntry = z.object({
  transaction_id: z.string(),
  kind: z.enum(ledgerKinds),
  file_id: z.string(),
  file_name: z.string(),
  transcript_type: transcriptType,
  seconds: z.number(),
  /** positive for charges, negative for refunds */
  amount_cents: cents,
  currency: z.string(),
  /** refunds: how far the transcript was when its file was deleted */
  progress_percent: z.nullable(z.number()),
  created: z.string(),
  /** refunds: when the money goes back (spec 8) */
  due: z.string(),
  status: z.enum(['settled', 'pending', 'failed']),
  /** the card that was charged, or that the money goes back to: `Visa 4242`; null if none is known */
  card: z.optional(z.nullable(z.string())),
})
export type LedgerLine = z.infer<typeof ledgerEntry>

/**
 * Answer of `GET ledger?from=&to=&kind=&search=&cursor=&limit=` (limit at most 500), the newest first; `search` finds
 * in file names and transaction ids. `GET ledger.csv` has the same filters and answers with all entries.
 */
export const ledgerPage = z.object({
  entries: z.array(ledgerEntry),
  /** how many match the filters */
  total: z.int(),
  next_cursor: z.nullable(z.string()),
})
export type LedgerPage = z.infer<typeof ledgerPage>
