import { createHash } from 'node:crypto'
import type { CardBehaviour, NewCard } from '../../contract/account-payment.ts'
import { cardBrand, cardDigits, cardProblem } from '../../contract/account-payment.ts'
import type { Clock } from '../platform.ts'
import { ServiceError } from '../service-error.ts'
import type { ChargeRequest, ChargeResult, PaymentProvider, RefundRequest, SavedCard } from './payment-provider.ts'

/** The card numbers that the ledger accepts, and how these cards behave. */
export const testCards: readonly { number: string; brand: string; behaviour: CardBehaviour }[] = [
  { number: '4242 4242 4242 4242', brand: 'Visa', behaviour: 'succeeds' },
  { number: '5555 5555 5555 4444', brand: 'Mastercard', behaviour: 'succeeds' },
  { number: '4000 0000 0000 0002', brand: 'Visa', behaviour: 'declines' },
  { number: '4000 0000 0000 0341', brand: 'Visa', behaviour: 'fails_late' },
]

/** Transaction ids of a card that fails late begin with this; `late-failures.ts` finds them by it. */
export const lateTransactionPrefix = 'txlate_'

/** The same key gives the same id, so that a repeated charge is the same charge, without any state. */
function idOf(prefix: string, idempotencyKey: string): string {
  return prefix + createHash('sha256').update(`${prefix}${idempotencyKey}`).digest('base64url').slice(0, 20)
}

/** Payment with test cards (decision 13): no real money, and no real card is accepted. */
export class LedgerPayment implements PaymentProvider {
  readonly test = true
  readonly #clock: Clock
  constructor(clock: Clock) {
    this.#clock = clock
  }

  async saveCard(_account: string, card: NewCard): Promise<SavedCard> {
    const problem = cardProblem(card, this.#clock())
    if (problem !== null) throw new ServiceError(400, problem)
    const digits = cardDigits(card.number)
    const known = testCards.find(({ number }) => cardDigits(number) === digits)
    if (known === undefined) {
      throw new ServiceError(400, `This service takes test cards only, such as ${testCards[0]?.number}.`)
    }
    return {
      // The token of a test card is its behaviour.
      token: known.behaviour satisfies CardBehaviour,
      brand: cardBrand(digits),
      last_four: digits.slice(-4),
      exp_month: card.exp_month,
      exp_year: card.exp_year,
    }
  }

  async charge({ cardToken, idempotencyKey }: ChargeRequest): Promise<ChargeResult> {
    if (cardToken === ('declines' satisfies CardBehaviour)) return { declined: 'The card was declined.' }
    const late = cardToken === ('fails_late' satisfies CardBehaviour)
    return { transactionId: idOf(late ? lateTransactionPrefix : 'tx_', idempotencyKey) }
  }

  async refund({ idempotencyKey }: RefundRequest): Promise<{ transactionId: string }> {
    return { transactionId: idOf('re_', idempotencyKey) }
  }

  /** No money was moved, so there is nothing to undo. */
  async voidCharge(): Promise<void> {}
}
