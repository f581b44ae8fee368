import type { PaymentMethod } from '../../contract/account/payment.ts'
import { ServiceError } from './service-error.ts'

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
  /** where the bank's page leads back to if it asks the cardholder; null: nobody can be asked, so that declines */
  returnUrl: string | null
}

/**
 * `declined`: the reason in words for the customer; nothing was charged then. `authenticate`: nothing was charged yet, the
 * bank asks the cardholder at this URL (3-D Secure), which leads back to `returnUrl`; what became of it says
 * `readCharge`, and one that nobody authenticates is ended by `voidCharge`.
 */
export type ChargeResult =
  | { transactionId: string }
  | { declined: string }
  | { authenticate: string; transactionId: string }

/** A charge that was asked for: what finds it at the provider, whether or not its answer came. */
export type ChargeWish = Pick<ChargeRequest, 'idempotencyKey' | 'account' | 'amountCents' | 'currency'>

/**
 * What became of a charge, as the provider says now. `none`: nothing was taken, and nothing will be unless the cardholder
 * still authenticates (`waits`). `reversedCents`: taken back by the bank (a dispute that is open or lost).
 */
export type ChargeState =
  | { state: 'paid'; transactionId: string; refundedCents: number; reversedCents: number }
  | { state: 'waits'; transactionId: string; authenticate: string }
  | { state: 'none'; declined: string | null }

/** A charge that the bank has taken back cannot be refunded: it is paid, and disputed. */
export class DisputedError extends ServiceError {}

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

/** The provider's own page that asks for a card (decision 83). All throw ServiceError 502 if it does not answer. */
export interface CardPage {
  /** Begins a session of the page. @param returnUrl where it returns to @returns its id and its URL */
  open(account: string, returnUrl: string, signal: AbortSignal): Promise<{ id: string; url: string }>
  /** The card that was entered. @throws ServiceError 409 if none was */
  read(sessionId: string, signal: AbortSignal): Promise<SavedCard>
  /** The card as the provider has it now, null if it has it no more: banks renew cards */
  refresh(token: string, signal: AbortSignal): Promise<SavedCard | null>
  /** Has the provider forget a card that was removed or replaced. */
  forget(token: string, signal: AbortSignal): Promise<void>
  /** Has the provider forget an account that is erased, with its cards; payments stay in its own books. */
  forgetAccount(account: string, signal: AbortSignal): Promise<void>
}

/** A sum that moved at the provider: positive to us. A dispute that was won is 0. */
export type Movement = {
  kind: 'charge' | 'refund' | 'dispute'
  /** of the charge in our books; a refund's own id is `id` */
  transactionId: string
  id: string
  amountCents: number
  currency: string
  /** of the wish that it came from; null: not from this service */
  idempotencyKey: string | null
  account: string | null
  /** a refund that the bank sent back, or a dispute that was won: it moves nothing any more */
  isUndone: boolean
  at: number
}

/** What an event of the provider is about, as the provider says when asked: the event itself is not believed. */
export type Heard = { transactionId: string; idempotencyKey: string; account: string; state: ChargeState }

/** What the provider knows of itself, to compare with our ledger. All throw ServiceError 502. */
export interface ProviderBooks {
  /** Everything that moved in a span. */
  movements(fromMs: number, toMs: number, signal: AbortSignal): AsyncIterable<Movement>
  /** One charge by its transaction; null if the provider has none */
  find(transactionId: string, signal: AbortSignal): Promise<Heard | null>
  /**
   * Reads what an event is about.
   * @param body as it came @param signature its header @returns null if it concerns no charge of this service
   * @throws ServiceError 400 if it is unsigned, old, or of another account or mode
   */
  hear(body: Buffer, signature: string | undefined, now: number, signal: AbortSignal): Promise<Heard | null>
  /** What the provider kept for itself in a span, by currency; null if the key may not read it. */
  fees(fromMs: number, toMs: number, signal: AbortSignal): Promise<Record<string, number> | null>
  /** Whether the key is accepted: a call that reads. */
  check(signal: AbortSignal): Promise<void>
}

/** The key of an account at Stripe, and its mode: what it charges is no money in the test mode. */
export type StripeConfig = {
  key: string
  /** verifies events; null: none are taken */
  webhookSecret: string | null
  isTest: boolean
  /** of a stand-in on this machine, for tests */
  url: URL | null
}

/**
 * Charges and refunds (decision 13): the ledger's test cards, or a payment provider. `signal` ends the wait for a
 * response on shutdown.
 */
export interface PaymentProvider {
  /** null if test cards pay, and no real money moves */
  readonly cardPage: CardPage | null
  /** null if it has none: test cards */
  readonly books: ProviderBooks | null
  /** Whether a saved card's token is of this provider, and so can be charged. */
  pays(token: string): boolean
  /**
   * Sends each key in one run only; after a crash, `readCharge` says what became of it, or `voidCharge` ends it.
   * @throws ServiceError 502 if the provider refuses, in its words, or if the outcome is unknown; call `voidCharge`
   *   then
   */
  charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeResult>
  /** Refunds a part of a charge. @throws ServiceError 502: repeat it with the same key */
  refund(request: RefundRequest, signal: AbortSignal): Promise<{ transactionId: string }>
  /** Undoes the charge of this wish if it was made, and prevents it otherwise. @throws as charge; DisputedError */
  voidCharge(wish: ChargeWish, signal: AbortSignal): Promise<void>
  /** What became of a wish, whenever it was sent. @throws ServiceError 502 if the provider does not say */
  readCharge(wish: ChargeWish, signal: AbortSignal): Promise<ChargeState>
}
