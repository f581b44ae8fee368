import * as z from 'zod/mini'

/** Refunds of the last seven days (each is also in the ledger), for a notice after their files are deleted. */
export const recentRefunds = z.object({
  count: z.int(),
  /** of them, those whose money has not been returned yet */
  pending: z.int(),
  /** positive */
  amount_cents: z.int(),
  /** when the last of them is due, ISO 8601 */
  last_due: z.string(),
  /** of the newest */
  file_name: z.string(),
})
export type RecentRefunds = z.infer<typeof recentRefunds>
