import { type Fields, fieldMap, fieldText } from './stripe-form.ts'
import { type Answer, type Charge, type Intent, mint, type Refund, refusal, type StripeState } from './stripe-state.ts'

/** The calls that the service makes, each as Stripe's API reference describes it. */

export type Call = {
  method: string
  /** below `/v1/` */
  path: string
  fields: Fields
  /** of the stand-in, for the pages that it hosts */
  origin: string
  /** the next charge is declined */
  declines: boolean
}

const missing = (what: string, id: string) =>
  refusal(404, 'invalid_request_error', `No such ${what}: '${id}'`, { code: 'resource_missing', param: what })

function showCharge(intent: Intent, charge: Charge): object {
  const { currency, metadata } = intent
  const refunded = charge.amount_refunded === charge.amount
  return { object: 'charge', ...charge, refunded, currency, metadata, payment_intent: intent.id }
}

export function showIntent(intent: Intent, origin: string, expand: readonly string[] = []): object {
  const { id, amount, currency, customer, status, created, metadata, card, charge, returnUrl, error } = intent
  const asks = { type: 'redirect_to_url', redirect_to_url: { url: `${origin}/3ds/${id}`, return_url: returnUrl } }
  return {
    ...{ id, object: 'payment_intent', amount, currency, customer, status, created, metadata, livemode: false },
    payment_method: card,
    latest_charge: charge && (expand.includes('latest_charge') ? showCharge(intent, charge) : charge.id),
    next_action: status === 'requires_action' ? asks : null,
    last_payment_error: error && { type: 'card_error', ...error },
  }
}

const expandOf = (fields: Fields) => Object.values(fieldMap(fields, 'expand')).map((name) => name.replace('data.', ''))

/** A page of a list, newest first, as the API cuts it. */
function listPage<Row extends { id: string; created: number }>(
  rows: readonly Row[],
  fields: Fields,
  show: (row: Row) => object,
): Answer {
  const { gte, lt } = fieldMap(fields, 'created')
  const within = rows.filter(({ created }) => created >= Number(gte ?? 0) && created < Number(lt ?? Infinity))
  const after = fieldText(fields, 'starting_after')
  const from = after === undefined ? 0 : within.findIndex(({ id }) => id === after) + 1
  const limit = Number(fieldText(fields, 'limit') ?? 10)
  const data = within.slice(from, from + limit).map(show)
  return { status: 200, body: { object: 'list', data, has_more: within.length > from + limit } }
}

function createIntent(state: StripeState, { fields, origin, declines }: Call): Answer {
  const amount = Number(fieldText(fields, 'amount'))
  const currency = fieldText(fields, 'currency') ?? ''
  const customer = fieldText(fields, 'customer') ?? ''
  const wrong = state.refuseSum(amount, currency)
  if (wrong !== null) return wrong
  if (!state.customers.has(customer)) return missing('customer', customer)
  const of = { amount, currency, customer, created: state.seconds(), metadata: fieldMap(fields, 'metadata') }
  const none = { card: null, charge: null, returnUrl: null, error: null }
  const intent: Intent = { id: mint('pi'), status: 'requires_payment_method', ...of, ...none }
  const isConfirmed = fieldText(fields, 'confirm') === 'true'
  const offSession = fieldText(fields, 'off_session') === 'true'
  const card = fieldText(fields, 'payment_method') ?? ''
  if (isConfirmed) {
    const answer = state.confirm(intent, card, { offSession, isAsked: false, declines })
    if (answer.unsaved) return answer
    state.intents.unshift(intent)
    return withIntent(answer, intent, origin)
  }
  state.intents.unshift(intent)
  return withIntent({ status: 200, body: {} }, intent, origin)
}

/** An error about a card holds the intent, as the API's do. */
function withIntent({ status, body }: Answer, intent: Intent, origin: string, expand: string[] = []): Answer {
  const shown = showIntent(intent, origin, expand)
  return 'error' in body
    ? { status, body: { error: { ...(body.error as object), payment_intent: shown } } }
    : { status, body: shown }
}

function changeIntent(state: StripeState, call: Call, id: string, verb: string | undefined): Answer {
  const { fields, origin } = call
  const intent = state.intent(id)
  if (intent === undefined) return missing('payment_intent', id)
  if (verb === undefined) return withIntent({ status: 200, body: {} }, intent, origin, expandOf(fields))
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    const words = `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`
    return refusal(400, 'invalid_request_error', words, { code: 'payment_intent_unexpected_state' })
  }
  if (verb === 'cancel') {
    intent.status = 'canceled'
    return withIntent({ status: 200, body: {} }, intent, origin)
  }
  intent.returnUrl = fieldText(fields, 'return_url') ?? null
  const how = { offSession: fieldText(fields, 'off_session') === 'true', isAsked: false, declines: call.declines }
  return withIntent(state.confirm(intent, fieldText(fields, 'payment_method') ?? '', how), intent, origin)
}

function createRefund(state: StripeState, { fields }: Call): Answer {
  const id = fieldText(fields, 'payment_intent') ?? ''
  const intent = state.intent(id)
  if (intent === undefined) return missing('payment_intent', id)
  const amount = fieldText(fields, 'amount')
  const made = state.refund(intent, amount === undefined ? null : Number(amount), fieldMap(fields, 'metadata'))
  return 'body' in made ? made : { status: 200, body: showRefund(state, made) }
}

const currencyOf = (state: StripeState, id: string) => state.intent(id)?.currency ?? 'usd'

function showRefund(state: StripeState, refund: Refund, expand: readonly string[] = []): object {
  const intent = state.intent(refund.payment_intent)
  const payment_intent =
    intent !== undefined && expand.includes('payment_intent') ? showIntent(intent, '') : refund.payment_intent
  return { object: 'refund', ...refund, payment_intent, currency: currencyOf(state, refund.payment_intent) }
}

function openSession(state: StripeState, { fields, origin }: Call): Answer {
  const customer = fieldText(fields, 'customer') ?? ''
  if (!state.customers.has(customer)) return missing('customer', customer)
  if (fieldText(fields, 'mode') !== 'setup' || fieldMap(fields, 'allowed_payment_method_types')[0] !== 'card') {
    return refusal(400, 'invalid_request_error', 'The stand-in knows set-up mode with cards only.')
  }
  const urls = {
    success_url: fieldText(fields, 'success_url') ?? '',
    cancel_url: fieldText(fields, 'cancel_url') ?? '',
  }
  const session = { id: mint('cs_test'), customer, ...urls, card: null, metadata: fieldMap(fields, 'metadata') }
  state.sessions.set(session.id, session)
  return { status: 200, body: { id: session.id, object: 'checkout.session', url: `${origin}/pay/${session.id}` } }
}

function readSession(state: StripeState, id: string): Answer {
  const session = state.sessions.get(id)
  if (session === undefined) return missing('checkout.session', id)
  const card = session.card === null ? null : state.cards.get(session.card)
  const setup_intent = { object: 'setup_intent', id: `seti_${id}`, payment_method: card ? showCard(card) : null }
  const status = card ? 'complete' : 'open'
  return { status: 200, body: { id, object: 'checkout.session', status, customer: session.customer, setup_intent } }
}

function showCard(card: { id: string; customer: string | null; [field: string]: unknown }): object {
  const { brand, last4, exp_month, exp_year } = card
  const { id, customer } = card
  return { id, object: 'payment_method', customer, type: 'card', card: { brand, last4, exp_month, exp_year } }
}

function useCard(state: StripeState, id: string, verb: string | undefined): Answer {
  const card = state.cards.get(id)
  if (card === undefined) return missing('payment_method', id)
  if (verb === 'detach') card.customer = null
  return { status: 200, body: showCard(card) }
}

function addCustomer(state: StripeState): Answer {
  const id = mint('cus')
  state.customers.add(id)
  return { status: 200, body: { id, object: 'customer' } }
}

function deleteCustomer(state: StripeState, id: string): Answer {
  if (!state.customers.delete(id)) return missing('customer', id)
  for (const card of state.cards.values()) if (card.customer === id) card.customer = null
  return { status: 200, body: { id, object: 'customer', deleted: true } }
}

function listAll(state: StripeState, { path, fields }: Call, origin: string): Answer | null {
  const expand = expandOf(fields)
  const intentId = fieldText(fields, 'payment_intent')
  const ofIntent = <Row extends { payment_intent: string }>(rows: Row[]) =>
    intentId === undefined ? rows : rows.filter(({ payment_intent }) => payment_intent === intentId)
  switch (path) {
    case 'payment_intents': {
      const customer = fieldText(fields, 'customer')
      const own = state.intents.filter((each) => customer === undefined || each.customer === customer)
      return listPage(own, fields, (intent) => showIntent(intent, origin, expand))
    }
    case 'charges': {
      const taken = state.intents.flatMap((intent) => (intent.charge ? [{ ...intent.charge, intent }] : []))
      return listPage(taken, fields, ({ intent, ...charge }) => showCharge(intent, charge))
    }
    case 'balance_transactions': {
      const taken = state.intents.flatMap(({ charge, currency }) => (charge ? [{ ...charge, currency }] : []))
      return listPage(taken, fields, ({ id, amount, currency }) => {
        // 2.9 % and 30 cents
        const fee = Math.round(amount * 0.029) + 30
        return { object: 'balance_transaction', id: `txn_${id}`, type: 'charge', amount, fee, currency, source: id }
      })
    }
    case 'refunds':
      return listPage(ofIntent(state.refunds), fields, (refund) => showRefund(state, refund, expand))
    case 'disputes':
      return listPage(ofIntent(state.disputes), fields, (dispute) => {
        const intent = state.intent(dispute.payment_intent)
        const payment_intent = intent && expand.includes('payment_intent') ? showIntent(intent, '') : intent?.id
        return { object: 'dispute', ...dispute, payment_intent, currency: intent?.currency }
      })
    default:
      return null
  }
}

/** Executes a call of the API. */
export function execute(state: StripeState, call: Call): Answer {
  const { method, path, origin } = call
  const [resource, id = '', verb] = path.split('/')
  if (method === 'GET') {
    const list = listAll(state, call, origin)
    if (list !== null) return list
    if (resource === 'checkout') return readSession(state, verb ?? '')
    if (resource === 'payment_intents') return changeIntent(state, call, id, undefined)
    if (resource === 'payment_methods') return useCard(state, id, undefined)
  }
  if (path === 'customers') return addCustomer(state)
  if (resource === 'customers' && method === 'DELETE') return deleteCustomer(state, id)
  if (path === 'checkout/sessions') return openSession(state, call)
  if (path === 'payment_intents') return createIntent(state, call)
  if (path === 'refunds') return createRefund(state, call)
  if (resource === 'payment_intents' && (verb === 'confirm' || verb === 'cancel')) {
    return changeIntent(state, call, id, verb)
  }
  if (resource === 'payment_methods' && verb === 'detach') return useCard(state, id, verb)
  return refusal(404, 'invalid_request_error', `Unrecognized request URL (${method}: /v1/${path}).`)
}
