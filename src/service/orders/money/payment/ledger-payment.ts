import { createHash } from 'node:crypto'
import { type CardBehaviour, testCards } from '../../../../contract/account/payment.ts'
import type {
  ChargeRequest,
  ChargeResult,
  ChargeState,
  PaymentProvider,
  RefundRequest,
} from '../../../platform/payment-provider.ts'

/** Transaction ids of a late-failing card begin with this; `late-failures.ts` finds them by it. */
export const lateTransactionPrefix = 'txlate_'

/** The same key gives the same id, so a repeated charge is the same charge, without any state. */
function deriveTransactionId(prefix: string, idempotencyKey: string): string {
  return prefix + createHash('sha256').update(`${prefix}${idempotencyKey}`).digest('base64url').slice(0, 20)
}

/** Payment with test cards (decision 13), whose token determines the outcome: no real money moves. */
export class LedgerPayment implements PaymentProvider {
  readonly cardPage = null
  readonly books = null

  pays(token: string): boolean {
    return token in testCards
  }

  async charge({ cardToken, idempotencyKey }: ChargeRequest): Promise<ChargeResult> {
    if (cardToken === ('declines' satisfies CardBehaviour)) return { declined: 'The card was declined.' }
    const late = cardToken === ('fails_late' satisfies CardBehaviour)
    return { transactionId: deriveTransactionId(late ? lateTransactionPrefix : 'tx_', idempotencyKey) }
  }

  async refund({ idempotencyKey }: RefundRequest): Promise<{ transactionId: string }> {
    return { transactionId: deriveTransactionId('re_', idempotencyKey) }
  }

  /** No money was moved, so there is nothing to undo. */
  async voidCharge(): Promise<void> {}

  /** Of no test card is the answer lost, and none is asked. */
  async readCharge(): Promise<ChargeState> {
    return { state: 'none', declined: null }
  }
}
