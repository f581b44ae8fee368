import type { NewCard, PaymentMethod } from '../../contract/account-payment.ts'

/** A charge to make. The same `idempotencyKey` takes the money once, however often it is asked. */
export type ChargeRequest = {
  idempotencyKey: string
  /** the account's id */
  account: string
  /** `payment_methods.token` of the account */
  cardToken: string
  amountCents: number
  /** three letters, as `USD` */
  currency: string
}

/** `declined` is the reason in words for the customer; nothing was taken then. */
export type ChargeResult = { transactionId: string } | { declined: string }

export type RefundRequest = {
  idempotencyKey: string
  account: string
  /** of the charge */
  transactionId: string
  amountCents: number
  currency: string
}

/** A card as the provider knows it from now on; the number is not in it. */
export type SavedCard = PaymentMethod & { token: string }

/** Who takes and gives back the money (decision 13): the ledger's test cards, or an HTTP provider. */
export interface PaymentProvider {
  /** test cards are offered, nothing real is taken */
  readonly test: boolean
  /** @throws ServiceError 400 in words for a card that cannot be saved; 502 where the provider gave no answer */
  saveCard(account: string, card: NewCard): Promise<SavedCard>
  /**
   * @throws ServiceError 502 where it is unknown whether the money was taken: ask again with the same key, or give the
   * charge up with `voidCharge`
   */
  charge(request: ChargeRequest): Promise<ChargeResult>
  /** Gives a part of a charge back. @throws ServiceError 502: ask again with the same key */
  refund(request: RefundRequest): Promise<{ transactionId: string }>
  /** Makes sure that a charge of this key is not kept: given back if taken, never taken otherwise. @throws as charge */
  voidCharge(idempotencyKey: string): Promise<void>
}
