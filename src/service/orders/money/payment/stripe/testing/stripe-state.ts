import { randomBytes } from 'node:crypto'

/** An answer of the API: its status and body. */
export type Answer = { status: number; body: object; unsaved?: true }

/** An error as the API words it. @param more fields beside type and message */
export function refusal(status: number, type: string, message: string, more: object = {}): Answer {
  const unsaved = status === 400 || status === 404 || status === 409 ? { unsaved: true as const } : {}
  return { status, body: { error: { type, message, ...more } }, ...unsaved }
}

export const mint = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`

/** What happens to a card when it is charged; by the numbers that Stripe publishes for tests. */
type Behaviour = { declines?: [code: string, message: string]; asks?: 'always'; disputes?: true }
const behaviours: Readonly<Record<string, Behaviour>> = {
  '4242424242424242': {},
  '4000000000000341': { declines: ['generic_decline', 'Your card was declined.'] },
  '4000000000009995': { declines: ['insufficient_funds', 'Your card has insufficient funds.'] },
  '4000000000000069': { declines: ['expired_card', 'Your card has expired.'] },
  '4000002760003184': { asks: 'always' },
  '4000000000000259': { disputes: true },
}

export type Card = Behaviour & {
  id: string
  customer: string | null
  brand: string
  last4: string
  exp_month: number
  exp_year: number
}
export type Charge = {
  id: string
  amount: number
  amount_refunded: number
  disputed: boolean
  paid: boolean
  created: number
}
export type Intent = {
  id: string
  amount: number
  currency: string
  customer: string
  status: string
  created: number
  metadata: Record<string, string>
  card: string | null
  charge: Charge | null
  returnUrl: string | null
  error: { code: string; message: string } | null
}
export type Refund = {
  id: string
  payment_intent: string
  amount: number
  status: string
  created: number
  metadata: Record<string, string>
}
export type Dispute = { id: string; payment_intent: string; amount: number; status: string; created: number }
export type Session = {
  id: string
  customer: string
  success_url: string
  cancel_url: string
  card: string | null
  metadata: Record<string, string>
}

/** The least sum that can be charged, in cents. */
const leastCents: Readonly<Record<string, number>> = { usd: 50, eur: 50, gbp: 30 }

/** Everything that the stand-in keeps. Lists are newest first, as the API's are. */
export class StripeState {
  readonly customers = new Set<string>()
  readonly cards = new Map<string, Card>()
  readonly sessions = new Map<string, Session>()
  readonly intents: Intent[] = []
  readonly refunds: Refund[] = []
  readonly disputes: Dispute[] = []
  readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  seconds(): number {
    return Math.floor(this.now() / 1_000)
  }

  /** @returns null if the number is not a card that the stand-in knows */
  addCard(number: string, customer: string, expires: { month: number; year: number }): Card | null {
    const behaviour = behaviours[number]
    if (behaviour === undefined) return null
    const shown = { brand: 'visa', last4: number.slice(-4), exp_month: expires.month, exp_year: expires.year }
    const card = { id: mint('pm'), customer, ...shown, ...behaviour }
    this.cards.set(card.id, card)
    return card
  }

  intent(id: string): Intent | undefined {
    return this.intents.find((each) => each.id === id)
  }

  /** @returns what is wrong with a sum, null if nothing is */
  refuseSum(amount: number, currency: string): Answer | null {
    const least = leastCents[currency]
    const param = { param: 'currency' }
    if (least === undefined) return refusal(400, 'invalid_request_error', `Invalid currency: ${currency}.`, param)
    if (!Number.isInteger(amount) || amount < least) {
      const words = `Amount must be at least $${(least / 100).toFixed(2)} ${currency}`
      return refusal(400, 'invalid_request_error', words, { code: 'amount_too_small', param: 'amount' })
    }
    if (amount > 99_999_999) {
      const words = 'Amount must be no more than $999,999.99'
      return refusal(400, 'invalid_request_error', words, { code: 'amount_too_large', param: 'amount' })
    }
    return null
  }

  /** Tries to charge a card for an intent. @param isAsked the cardholder has confirmed */
  confirm(intent: Intent, cardId: string, how: { offSession: boolean; isAsked: boolean; declines: boolean }): Answer {
    const card = this.cards.get(cardId)
    if (card === undefined || card.customer !== intent.customer) {
      const words = 'The provided PaymentMethod was detached from a Customer. It may not be used again.'
      return refusal(400, 'invalid_request_error', words, { code: 'payment_method_unexpected_state' })
    }
    intent.card = cardId
    const declines = how.declines ? behaviours['4000000000009995']?.declines : card.declines
    if (declines !== undefined) return this.#decline(intent, 'card_declined', declines[1], declines[0])
    if (card.asks === 'always' && !how.isAsked) {
      const words = 'Your card was declined. This transaction requires authentication.'
      if (how.offSession) return this.#decline(intent, 'authentication_required', words, 'authentication_required')
      intent.status = 'requires_action'
      return { status: 200, body: {} }
    }
    intent.status = 'succeeded'
    intent.error = null
    const at = this.seconds()
    intent.charge = {
      id: mint('ch'),
      amount: intent.amount,
      amount_refunded: 0,
      disputed: false,
      paid: true,
      created: at,
    }
    if (card.disputes === true) this.dispute(intent)
    return { status: 200, body: {} }
  }

  #decline(intent: Intent, code: string, message: string, decline_code: string): Answer {
    intent.status = 'requires_payment_method'
    intent.error = { code, message }
    return { status: 402, body: { error: { type: 'card_error', code, decline_code, message } } }
  }

  /** The cardholder goes to the bank: it takes the whole sum back for now, or a part of it. */
  dispute(intent: Intent, amount = intent.amount): Dispute {
    const of = { payment_intent: intent.id, amount, created: this.seconds() }
    const dispute = { id: mint('dp'), ...of, status: 'needs_response' }
    this.disputes.unshift(dispute)
    if (intent.charge !== null) intent.charge.disputed = true
    return dispute
  }

  refund(intent: Intent, amount: number | null, metadata: Record<string, string>): Answer | Refund {
    const { charge } = intent
    if (charge === null) {
      const words = `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`
      return refusal(400, 'invalid_request_error', words)
    }
    const takes = ({ status }: Dispute) => status !== 'won' && !status.startsWith('warning')
    if (this.disputes.some((each) => each.payment_intent === intent.id && takes(each))) {
      return refusal(400, 'invalid_request_error', 'Charge has been charged back; cannot issue a refund.', {
        code: 'charge_disputed',
      })
    }
    const left = charge.amount - charge.amount_refunded
    const cents = amount ?? left
    if (left === 0) {
      const words = `Charge ${charge.id} has already been refunded.`
      return refusal(400, 'invalid_request_error', words, { code: 'charge_already_refunded' })
    }
    if (cents > left) {
      const words = `Refund amount ($${cents / 100}) is greater than unrefunded amount on charge ($${left / 100})`
      return refusal(400, 'invalid_request_error', words)
    }
    const of = { payment_intent: intent.id, amount: cents, created: this.seconds(), metadata }
    const refund: Refund = { id: mint('re'), status: 'succeeded', ...of }
    charge.amount_refunded += cents
    this.refunds.unshift(refund)
    return refund
  }
}
