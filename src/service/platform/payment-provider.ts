import type { PaymentMethod } from '../../contract/account/payment.ts'

/** A charge to make. Each `idempotencyKey` charges once, however often it is sent. */
export type ChargeRequest = {
  idempotencyKey: string
  /** the account's id */
  account: string
  /** `payment_methods.token` of the account */
  cardToken: string
  amountCents: number
  /** three letters, such as `USD` */
  currency: string
}

/** `declined`: the reason in words for the customer; nothing was charged then. */
export type ChargeResult = { transactionId: string } | { declined: string }

export type RefundRequest = {
  idempotencyKey: string
  account: string
  /** of the charge */
  transactionId: string
  amountCents: number
  currency: string
}

/** A saved card, with the provider's token instead of its number. */
export type SavedCard = PaymentMethod & { token: string }

/** The provider's own page that asks for a card (decision 83). Both throw ServiceError 502 if it does not answer. */
export interface CardPage {
  /** Begins a session of the page. @param returnUrl where it returns to @returns its id and its URL */
  open(account: string, returnUrl: string, signal: AbortSignal): Promise<{ id: string; url: string }>
  /** The card that was entered. @throws ServiceError 409 if none was */
  read(sessionId: string, signal: AbortSignal): Promise<SavedCard>
}

/**
 * Charges and refunds (decision 13): the ledger's test cards, or an HTTP provider. `signal` ends the wait for a
 * response on shutdown.
 */
export interface PaymentProvider {
  /** null if test cards pay, and no real money moves */
  readonly cardPage: CardPage | null
  /**
   * @throws ServiceError 502 if the provider refuses, in its words, or if the outcome is unknown; call `voidCharge`
   *   then
   */
  charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeResult>
  /** Refunds a part of a charge. @throws ServiceError 502: repeat it with the same key */
  refund(request: RefundRequest, signal: AbortSignal): Promise<{ transactionId: string }>
  /** Undoes a charge of this key if it was made, and prevents it otherwise. @throws as charge */
  voidCharge(idempotencyKey: string, signal: AbortSignal): Promise<void>
}
