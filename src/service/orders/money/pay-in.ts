import { createHash, randomUUID } from 'node:crypto'
import type { Balance, TopUpReceipt } from '../../../contract/account/balance.ts'
import { idempotencyRetentionMs } from '../../../contract/interface/limits.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import type { Account } from '../../platform/db/schema.ts'
import { writeAccount } from '../../platform/db/write-account.ts'
import { iso } from '../../platform/iso-time.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { readBalance } from './balance.ts'
import { withCharge } from './charge.ts'
import { type Answer, fingerprint, once, type Repeatable, rememberAnswer } from './idempotency.ts'
import { enterPaid } from './top-ups.ts'
import { settleWaiting } from './waiting-top-ups.ts'

/**
 * Has the card pay into the balance ahead of any order (decision 153), once per key: a retry is answered, also one that
 * comes after the cardholder has confirmed the first at the bank.
 * @throws ServiceError 402 if there is no card, it was declined, or the bank asks; 422 if the key was used for another sum
 */
export async function payIn(
  platform: Platform,
  account: Account,
  amountCents: number,
  repeatable: Repeatable | null,
): Promise<Balance> {
  const asked = fingerprint(['pay-in', amountCents])
  await once(platform, account.id, repeatable, asked, (answer) => payInOnce(platform, account, amountCents, answer))
  return await readBalance(platform, account)
}

async function payInOnce(platform: Platform, account: Account, cents: number, answer: Answer | null) {
  const { db, clock, changes } = platform
  const wish = createHash('sha256').update(answer?.key ?? randomUUID())
  const prefix = `in_${wish.digest('hex').slice(0, 24)}_`
  await settleWaiting(platform, account, cents)
  const confirmed = await db
    .selectFrom('top_ups')
    .select('transaction_id as id')
    .where('account_id', '=', account.id)
    .where('idempotency_key', '>', prefix)
    .where('idempotency_key', '<', `${prefix}~`)
    .where('created_at', '>', clock() - idempotencyRetentionMs)
    .executeTakeFirst()
  if (confirmed !== undefined) {
    if (answer !== null) await writeAccount(db, account.id, (trx) => rememberAnswer(trx, answer, confirmed.id))
    return confirmed
  }
  const payingIn = { cents, idempotencyKey: `${prefix}${randomUUID()}` }
  const id = await withCharge(platform, account, { amountCents: 0, payingIn }, async (charge) => {
    await writeAccount(db, account.id, async (trx) => {
      await enterPaid(trx, charge, account.currency, clock())
      await appendEvent(trx, 'account', {}, clock())
      if (answer !== null) await rememberAnswer(trx, answer, charge.transactionId)
    })
    return charge.transactionId
  })
  changes.notify({ kind: 'account', accountId: account.id })
  return { id }
}

/** What a card paid in, for its receipt. @throws ServiceError 404 if the account has no such payment */
export async function readTopUp({ db }: Platform, account: Account, id: string): Promise<TopUpReceipt> {
  const own = db.selectFrom('top_ups').selectAll().where('account_id', '=', account.id)
  const row = await own.where('transaction_id', '=', id).executeTakeFirst()
  if (row === undefined) throw new ServiceError(404, 'This account has no such payment into its balance.')
  const { transaction_id, amount_cents, reversed_cents, currency, card, created_at } = row
  return { transaction_id, amount_cents, reversed_cents, currency, card, created: iso(created_at) }
}
