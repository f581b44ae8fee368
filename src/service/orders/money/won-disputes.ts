import { writeAccount } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'
import { move } from '../books/move.ts'

/**
 * Enters that the bank has given a top-up back that it had taken: the dispute was won. It goes to the balance; orders that
 * counted as unpaid stay so.
 * @returns false if the books do not have it as taken
 */
export async function restoreTopUp(
  { db, clock, changes }: Pick<Platform, 'db' | 'clock' | 'changes'>,
  transactionId: string,
): Promise<boolean> {
  const own = db.selectFrom('top_ups').select('account_id').where('transaction_id', '=', transactionId)
  const accountId = (await own.where('reversed_cents', '>', 0).executeTakeFirst())?.account_id
  if (accountId === undefined) return false
  await writeAccount(db, accountId, async (trx) => {
    const whole = trx.selectFrom('top_ups').selectAll().where('transaction_id', '=', transactionId)
    const { id, reversed_cents: amountCents, currency } = await whole.executeTakeFirstOrThrow()
    if (amountCents === 0) return // another process was faster
    const books = { reference: `${transactionId}-won`, from: 'card', to: 'balance' } as const
    await move(trx, { cause: 'top-up', ...books, amountCents, currency }, clock())
    await trx.updateTable('top_ups').set({ reversed_cents: 0 }).where('id', '=', id).execute()
  })
  changes.notify({ kind: 'account', accountId })
  return true
}
