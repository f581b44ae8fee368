import * as z from 'zod/mini'

/**
 * Books of an account (decision 130): what its cards paid in, less what went back (below zero); its balance; what its
 * orders cost; refunds on their way to a card; what the bank took back that nobody pays.
 */
const moneyBooks = ['card', 'balance', 'orders', 'refunds', 'loss'] as const
export type MoneyBook = (typeof moneyBooks)[number]

/**
 * Why money moved: a card paid in; an order was paid; a refund, to the card or to the balance; a refund or the balance
 * went back to the card; the bank took a top-up back (`reversal`), and after a dispute that was won gave it back
 * (`reversal-won`); for a reversal an order is unpaid (`order-failed`) or a part of it (`order-cut`), a refund does not go
 * to the card (`refund-failed`, `refund-moved`), or the operator bears it (`loss`).
 */
const moneyCauses = [
  'top-up',
  'order',
  'refund',
  'refund-to-balance',
  'refund-paid',
  'payout',
  'reversal',
  'reversal-won',
  'order-failed',
  'order-cut',
  'refund-failed',
  'refund-moved',
  'loss',
] as const
export type MoneyCause = (typeof moneyCauses)[number]

const refundTargets = ['card', 'balance'] as const
export type RefundsTo = (typeof refundTargets)[number]

/** By calendar month (UTC), or in all. */
export const budgetPeriods = ['month', 'all'] as const
export type BudgetPer = (typeof budgetPeriods)[number]

/** The most that orders of an account may cost. One that would exceed it is 409, and nothing is charged. */
const accountBudget = z.object({
  /** the most that orders may cost */
  budget_cents: z.int(),
  /** by calendar month (UTC), or in all */
  budget_per: z.enum(budgetPeriods),
  /** what orders have cost: of this month, or of all, less refunds */
  spent_cents: z.int(),
})
export type AccountBudget = z.infer<typeof accountBudget>

/** Limits of what the card pays in at a time, in cents. Payment providers refuse sums of a few cents. */
const topUpCents = z.int().check(z.minimum(500), z.maximum(1_000_000))
/** True for a sum that a card may pay in at a time. */
export const isTopUp = (cents: number): boolean => topUpCents.safeParse(cents).success

/** Body of `PATCH balance`. */
export const balanceSettings = z.strictObject({
  /** what the card pays in when the balance does not cover an order, as many times as it takes */
  top_up_cents: z.optional(topUpCents),
  /** refunds go to the balance at once, or back to the card on the next business day */
  refunds_to: z.optional(z.enum(refundTargets)),
  /** the most that orders may cost; null: any sum */
  budget_cents: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(1_000_000_000)))),
  /** by calendar month (UTC), or in all */
  budget_per: z.optional(z.enum(budgetPeriods)),
})
export type BalanceSettings = z.infer<typeof balanceSettings>

/** Response of `GET balance`; also with the account, whose dashboard shows what the next order charges. */
export const balance = z.object({
  /** what orders can be paid from now; orders that are being placed have theirs reserved */
  balance_cents: z.int(),
  /** what the card pays in when the balance does not cover an order, as many times as it takes */
  top_up_cents: z.int(),
  /** refunds go to the balance at once, or back to the card on the next business day */
  refunds_to: z.enum(refundTargets),
  /** refunds on their way to a card */
  due_cents: z.int(),
  /** what the bank took back within the last 30 days, the newest; absent: nothing, or it gave it back */
  taken_back: z.optional(
    z.object({
      /** what the bank took back */
      cents: z.int(),
      /** when, ISO 8601 */
      created: z.string(),
    }),
  ),
  /** absent: orders may cost any sum */
  budget: z.optional(accountBudget),
})
export type Balance = z.infer<typeof balance>

/** Body of `POST balance/top-ups`. */
export const newTopUp = z.strictObject({
  /** what the card pays in now, ahead of any order */
  amount_cents: topUpCents,
})

/** What a card paid into the balance. */
export const topUpReceipt = z.object({
  /** the payment provider's */
  transaction_id: z.string(),
  /** what the card paid in */
  amount_cents: z.int(),
  /** of it taken back by the bank */
  reversed_cents: z.int(),
  /** ISO 4217 */
  currency: z.string(),
  /** as on a receipt: `Visa 4242`; null if not recorded */
  card: z.nullable(z.string()),
  /** ISO 8601 */
  created: z.string(),
})
export type TopUpReceipt = z.infer<typeof topUpReceipt>

const movement = z.object({
  /** why it moved */
  cause: z.enum(moneyCauses),
  /** of the file, or of the top-up or refund at the payment provider */
  reference: z.string(),
  /** null if it is about no file */
  file_name: z.nullable(z.string()),
  /** positive: into the balance; negative: out of it */
  amount_cents: z.int(),
  created: z.string(),
})

/** Response of `GET balance/movements?cursor=&limit=` (limit at most 500): what changed the balance, newest first. */
export const movementPage = z.object({
  /** the newest first */
  movements: z.array(movement),
  next_cursor: z.nullable(z.string()),
})
export type MovementPage = z.infer<typeof movementPage>

/**
 * What orders take from a balance.
 * @param total the sum of their prices, in cents
 * @returns `balanceCents`: what they take from today's balance; `paidInCents`: what the card pays in for them, whatever
 *   their order; `leftCents`: the balance afterwards
 */
export function forecastPayment(
  { balance_cents, top_up_cents }: Pick<Balance, 'balance_cents' | 'top_up_cents'>,
  total: number,
): { balanceCents: number; paidInCents: number; leftCents: number } {
  const paidInCents = topUpFor(Math.max(0, total - balance_cents), top_up_cents)
  const balanceCents = Math.min(balance_cents, total)
  return { balanceCents, paidInCents, leftCents: balance_cents + paidInCents - total }
}

/**
 * What the card pays in when so many cents are missing: a multiple of what is set, so that the sum for several orders
 * does not depend on which of them arrives first.
 */
export function topUpFor(missingCents: number, topUpCents: number): number {
  return Math.ceil(missingCents / topUpCents) * topUpCents
}
