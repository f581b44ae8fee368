import { centsToDecimal } from '../../../contract/interface/price.ts'
import { readBook } from '../../orders/books/move.ts'
import type { Db } from '../../platform/db/open.ts'

/** What an account that ends has left. */
export type MoneyLeft = {
  balance_cents: number
  /** refunds on their way to a card */
  due_cents: number
  currency: string
}

export async function readMoneyLeft(db: Db, id: string): Promise<MoneyLeft> {
  const of = db.selectFrom('accounts').select(['id', 'currency']).where('id', '=', id)
  const account = await of.executeTakeFirstOrThrow()
  const balance_cents = await readBook(db, account, 'balance')
  return { balance_cents, due_cents: await readBook(db, account, 'refunds'), currency: account.currency }
}

/** Cents that were paid back from the balance since a time, in milliseconds. */
export async function readPaidBack(db: Db, id: string, since: number): Promise<number> {
  const payouts = db.selectFrom('movements').select((eb) => eb.fn.sum<number | null>('amount_cents').as('cents'))
  const ofAccount = payouts.where('account_id', '=', id).where('cause', '=', 'payout').where('created_at', '>=', since)
  return Number((await ofAccount.executeTakeFirstOrThrow()).cents ?? 0)
}

const sentences = (...all: (string | false)[]) => all.filter(Boolean).join(' ')

/** What becomes of the money of a closed account, in sentences; empty if it has none. */
export function moneyOfClosed({ balance_cents, due_cents, currency }: MoneyLeft): string {
  const [balance, due] = [balance_cents, due_cents].map((cents) => `${centsToDecimal(cents)} ${currency}`)
  return sentences(
    balance_cents > 0 &&
      `Its balance of ${balance} goes back to the card when it is erased, or before at Settings › Money.`,
    due_cents > 0 && `${due} of refunds and payments back are on the way to the card.`,
  )
}

/** What became of the money of an erased account. @param paidBackCents from its balance, since it was closed */
export function moneyOfErased({ balance_cents, due_cents, currency }: MoneyLeft, paidBackCents: number): string {
  const [paidBack, due, rest] = [paidBackCents, due_cents, balance_cents].map(
    (cents) => `${centsToDecimal(cents)} ${currency}`,
  )
  return sentences(
    paidBackCents > 0 && `Of its balance, ${paidBack} went back to the card after it was closed.`,
    due_cents > 0 && `${due} of refunds and payments back are still on the way to the card.`,
    balance_cents > 0 && `${rest} of its balance came from no card that takes it back: ask whoever runs this service.`,
  )
}
