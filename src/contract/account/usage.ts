import * as z from 'zod/mini'
import { orderOptions } from '../interface/order-options.ts'

const cents = z.int()
const transcriptType = orderOptions.shape.transcript_type

/** Charges by period and type. Money is whole cents of the account's currency. */
const charges = z.object({ recordings: z.int(), seconds: z.number(), charged_cents: cents })

/**
 * Response of `GET usage?from=&to=`, both ISO 8601 instants, `from` inclusive, `to` exclusive; absent: everything.
 * Refunds count in the month they were made in.
 */
export const usage = z.object({
  currency: z.string(),
  ...charges.shape,
  /** positive */
  refunded_cents: cents,
  refunds: z.int(),
  by_type: z.object({ automated: charges, manual: charges }),
  /** files ordered in that period and not deleted: ready on time, ready late, or late and not ready */
  delivered: z.object({
    /** delivered by their due date */
    on_time: z.int(),
    /** delivered after it */
    late: z.int(),
  }),
  /** every month from the first entry to the last, UTC, oldest first */
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

/**
 * Why there was a refund: the file was deleted; it could not be transcribed; nobody had begun a manual order on its delivery
 * date (decision 145); the account was closed.
 */
const refundReasons = ['deleted', 'given-up', 'not-begun', 'closed'] as const
export type RefundReason = (typeof refundReasons)[number]

/** One ledger entry, also printed by `npm run parley -- ledger`. */
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
  /** refunds: progress of the transcript when its file was deleted */
  progress_percent: z.nullable(z.number()),
  created: z.string(),
  /** refunds: when the money is returned (spec 8) */
  due: z.string(),
  /** `pending`: not moved yet; `failed`: it counts in no sum */
  status: z.enum(['settled', 'pending', 'failed']),
  /** the card charged or refunded: `Visa 4242`; null if there was none or it is unknown */
  card: z.optional(z.nullable(z.string())),
  /** how a charge was paid, or where a refund goes; `direct`: by or to the card, before there was a balance; `bank`: the bank took it back */
  via: z.optional(z.nullable(z.enum(['balance', 'card', 'direct', 'bank']))),
  /** charges: what `card` paid into the balance for it; 0: it was covered; null: the card paid the order itself */
  top_up_cents: z.optional(z.nullable(cents)),
  /** the VAT in it, in percent, of a refund as of its charge; 0 with reverse charge; null: it was not recorded */
  vat_percent: z.optional(z.nullable(z.number())),
  /** the customer accounts for the VAT; null: it was not recorded */
  reverse_charge: z.optional(z.nullable(z.boolean())),
  /** whom its invoice names, a line each, of a refund that of its charge; until there is one, who ordered; null: nobody had said so */
  billed_to: z.optional(z.nullable(z.string())),
  /** charges: how much of the recording was free of charge */
  free_seconds: z.optional(z.number()),
  /** refunds: why; null if it was not recorded */
  reason: z.optional(z.nullable(z.enum(refundReasons))),
})
export type LedgerLine = z.infer<typeof ledgerEntry>

/**
 * Response of `GET ledger?from=&to=&kind=&search=&cursor=&limit=` (limit at most 500), newest first; `search` matches
 * file names and transaction ids. `GET ledger.csv` takes the same filters and returns all entries.
 */
export const ledgerPage = z.object({
  /** newest first */
  entries: z.array(ledgerEntry),
  /** entries that match the filters */
  total: z.int(),
  next_cursor: z.nullable(z.string()),
})
export type LedgerPage = z.infer<typeof ledgerPage>
