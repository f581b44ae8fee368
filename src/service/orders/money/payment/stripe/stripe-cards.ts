import type Stripe from 'stripe'
import { paymentMethod } from '../../../../../contract/account/payment.ts'
import type { CardPage, SavedCard } from '../../../../platform/payment-provider.ts'
import { ServiceError } from '../../../../platform/service-error.ts'
import { askStripe, toStripeError, untilAborted } from './stripe-client.ts'

/** The customers of Stripe that accounts have: one each, in each of its modes. */
export type Customers = {
  read(account: string): Promise<string | null>
  keep(account: string, customer: string): Promise<void>
}

const brandNames: Readonly<Record<string, string>> = { amex: 'American Express', unionpay: 'UnionPay', jcb: 'JCB' }
const nameBrand = (brand: string) => brandNames[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1)

/** Cards that Stripe holds: they are entered on its own page (Checkout in set-up mode), and only their ids come here. */
export class StripeCards implements CardPage {
  readonly #stripe: Stripe
  readonly #customers: Customers
  readonly #prefix: string

  /** @param prefix of the tokens, which tells the cards of its modes apart */
  constructor(stripe: Stripe, customers: Customers, prefix: string) {
    this.#stripe = stripe
    this.#customers = customers
    this.#prefix = prefix
  }

  /** The id of a card at Stripe; null if the token is not of this provider and mode. */
  methodOf(token: string): string | null {
    return token.startsWith(this.#prefix) ? token.slice(this.#prefix.length) : null
  }

  async open(account: string, returnUrl: string, signal: AbortSignal): Promise<{ id: string; url: string }> {
    const known = await this.#customers.read(account)
    const begin = (customer: string) =>
      this.#stripe.checkout.sessions.create({
        mode: 'setup',
        customer,
        allowed_payment_method_types: ['card'],
        success_url: returnUrl,
        cancel_url: returnUrl,
        metadata: { parley_account: account },
      })
    const session = await askStripe(signal, async () => {
      try {
        return await begin(known ?? (await this.#addCustomer(account, signal)))
      } catch (error) {
        // Somebody has deleted the customer in Stripe's dashboard.
        if (known === null || toStripeError(error)?.code !== 'resource_missing') throw error
        return await begin(await this.#addCustomer(account, signal))
      }
    })
    if (session.url === null || !/^https?:\/\//.test(session.url)) throw invalid()
    return { id: session.id, url: session.url }
  }

  async #addCustomer(account: string, signal: AbortSignal): Promise<string> {
    const { id } = await untilAborted(signal, () =>
      this.#stripe.customers.create({ metadata: { parley_account: account } }),
    )
    await this.#customers.keep(account, id)
    return id
  }

  async read(sessionId: string, signal: AbortSignal): Promise<SavedCard> {
    const expand = ['setup_intent.payment_method']
    const session = await askStripe(signal, () => this.#stripe.checkout.sessions.retrieve(sessionId, { expand }))
    const setup = typeof session.setup_intent === 'string' ? null : session.setup_intent
    const method = typeof setup?.payment_method === 'string' ? null : setup?.payment_method
    if (session.status !== 'complete' || !method?.card) {
      throw new ServiceError(409, 'No card was entered, so none was saved.')
    }
    return this.#toSaved(method.id, method.card)
  }

  /** A saved card as it is now: banks renew cards, and Stripe learns their new dates. @throws ServiceError 502 */
  async refresh(token: string, signal: AbortSignal): Promise<SavedCard | null> {
    const id = this.methodOf(token)
    if (id === null) return null
    const { card } = await askStripe(signal, () => this.#stripe.paymentMethods.retrieve(id))
    return card == null ? null : this.#toSaved(id, card)
  }

  #toSaved(id: string, card: Stripe.PaymentMethod.Card): SavedCard {
    const { brand, last4: last_four, exp_month, exp_year } = card
    const shown = paymentMethod.safeParse({ brand: nameBrand(brand), last_four, exp_month, exp_year })
    if (!shown.success) throw invalid()
    return { ...shown.data, token: `${this.#prefix}${id}` }
  }

  /** Detaches a card that the account removed or replaced, so that nobody can charge it any more. */
  async forget(token: string, signal: AbortSignal): Promise<void> {
    const id = this.methodOf(token)
    if (id !== null) await askStripe(signal, () => this.#stripe.paymentMethods.detach(id))
  }

  /** Deletes the account's customer: Stripe detaches its cards then. */
  async forgetAccount(account: string, signal: AbortSignal): Promise<void> {
    const customer = await this.#customers.read(account)
    if (customer === null) return
    await askStripe(signal, async () => {
      try {
        await this.#stripe.customers.del(customer)
      } catch (error) {
        if (toStripeError(error)?.code !== 'resource_missing') throw error
      }
    })
  }
}

const invalid = () => new ServiceError(502, 'The payment provider sent an invalid response. Try again in a moment.')
