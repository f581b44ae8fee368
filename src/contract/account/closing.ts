import * as z from 'zod/mini'
import { accountClosing } from './account.ts'

/** How long a closed account can come back. */
export const comeBackDays = 14

/** Body of `POST closing`: the account's name, typed by whoever closes it. */
export const newClosing = z.strictObject({ name: z.string() })

/** Response of `POST closing`: also what became of unfinished orders. */
export const closedAccount = z.object({
  /** ISO 8601 */
  closed: accountClosing.shape.closed,
  /** ISO 8601: from then on it is erased, and cannot come back */
  erases: accountClosing.shape.erases,
  /** address of the statement, which needs no key */
  statement: accountClosing.shape.statement,
  /** orders below 60 %, which were canceled */
  canceled: z.int(),
  /** what is refunded for them */
  refund_cents: z.int(),
  /** orders from 60 % on, which are finished and can be read until the account is erased */
  finishing: z.int(),
  /** its balance, which goes back to the card when it is erased, or sooner by `POST balance/payout` */
  balance_cents: z.int(),
  /** refunds on their way to a card, with those of the canceled orders unless refunds go to the balance */
  due_cents: z.int(),
})
export type ClosedAccount = z.infer<typeof closedAccount>
