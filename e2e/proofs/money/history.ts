import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { specDefaultOptions } from '../../../src/contract/interface/option-values.ts'
import { calculatePrice, defaultRates } from '../../../src/contract/interface/price.ts'
import type { Fault } from '../../../src/service/orders/money/payment/stripe/testing/local-stripe.ts'
import { comeBack, visitCardPage } from '../../../src/service/orders/money/payment/testing/enter-card.ts'
import { type AccountClient, accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { fileForm } from '../../../src/service/testing/test-service.ts'
import { insist } from '../torture/rounds.ts'
import type { World } from './world.ts'

/** What somebody does with an account, or what happens to it. Numbers choose among what is there. */
export type Act =
  | { act: 'order'; tones: number; pick: number }
  | { act: 'sample'; seconds: number; progress: number }
  | { act: 'progress' | 'delete' | 'again'; pick: number; percent: number }
  | { act: 'card'; card: string }
  | { act: 'fault'; fault: Fault }
  | { act: 'dispute'; pick: number; share: number }
  | { act: 'rule'; pick: number; verdict: 'won' | 'lost' | 'warning_closed' }
  | { act: 'bank'; says: 'yes' | 'no' }
  | { act: 'discount'; percent: number }
  | { act: 'settings'; top: number; to: 'card' | 'balance' }
  | { act: 'budget'; more: number | null }
  | { act: 'tell'; event: string; pick: number }
  | { act: 'payout' | 'invoice' }

const pick = fc.nat(99)
const cards = ['4242424242424242', '4242424242424242', '4000002760003184', '4000000000000259', '4000000000009995']
const faults: Fault[] = ['busy', 'fails', 'fails after taking', 'drops', 'drops after taking', 'nonsense', 'declines']
const events = ['payment_intent.succeeded', 'charge.dispute.created', 'charge.dispute.closed', 'charge.refunded']
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ act: fc.constant('order'), tones: fc.integer({ min: 0, max: 2 }), pick }) },
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('sample'),
      seconds: fc.integer({ min: 1, max: 900 }),
      progress: fc.integer({ min: 0, max: 100 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constantFrom('progress', 'delete', 'delete', 'again'),
      pick,
      percent: fc.integer({ min: 1, max: 99 }),
    }),
  },
  fc.record({ act: fc.constant('card'), card: fc.constantFrom(...cards) }),
  { weight: 2, arbitrary: fc.record({ act: fc.constant('fault'), fault: fc.constantFrom(...faults) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('dispute'), pick, share: fc.integer({ min: 1, max: 100 }) }) },
  fc.record({ act: fc.constant('rule'), pick, verdict: fc.constantFrom('won', 'lost', 'warning_closed') }),
  { weight: 2, arbitrary: fc.record({ act: fc.constant('bank'), says: fc.constantFrom('yes', 'yes', 'no') }) },
  fc.record({ act: fc.constant('discount'), percent: fc.integer({ min: 0, max: 100 }) }),
  fc.record({
    act: fc.constant('settings'),
    top: fc.integer({ min: 500, max: 4_000 }),
    to: fc.constantFrom('card', 'balance'),
  }),
  fc.record({ act: fc.constant('budget'), more: fc.option(fc.integer({ min: 1, max: 3_000 })) }),
  { weight: 2, arbitrary: fc.record({ act: fc.constant('tell'), event: fc.constantFrom(...events), pick }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constantFrom('payout', 'invoice') }) },
) as fc.Arbitrary<Act>

export const histories = (seed: number, count: number): Act[][] =>
  fc.sample(fc.array(act, { minLength: 4, maxLength: 18 }), { seed, numRuns: count })

/** What an account has seen: what it was shown before each order that was taken, by file. */
export type Seen = {
  id: string
  key: string
  shown: Map<string, number>
  wishes: Map<string, string>
  budget: number | null
}

/** Answers that are decided: everything else is asked again. */
const decided = [200, 201, 204, 400, 402, 403, 404, 409, 422]

/** Lives through a history. @param tones recordings of some seconds, each with its length in ms */
export class Life {
  readonly seen: Seen
  readonly #world: World
  readonly #tones: readonly { body: Uint8Array; ms: number }[]
  #discount = 0
  #turn = 0
  #last: { key: string; tone: number } | null = null

  constructor(world: World, of: { id: string; key: string }, tones: readonly { body: Uint8Array; ms: number }[]) {
    this.#world = world
    this.#tones = tones
    this.seen = { ...of, shown: new Map(), wishes: new Map(), budget: null }
  }

  /** Requests go to each node in turn. */
  get #url(): URL {
    const { nodes } = this.#world
    this.#turn += 1
    return (nodes[this.#turn % nodes.length] ?? nodes[0])?.url ?? new URL('http://none')
  }

  get #client(): AccountClient {
    return accountClient(this.#url, this.seen.key)
  }

  async begin(): Promise<void> {
    await this.#addCard('4242424242424242')
    const details = { company: 'Company', address: 'Street 1', vat_number: 'DE123456789', reverse_charge: false }
    await insist(() => this.#client.ask('PUT', 'invoicing', details), [200])
  }

  async #addCard(card: string): Promise<void> {
    for (let tries = 0; tries < 20; tries += 1) {
      const back = await visitCardPage(this.#client, card).catch(() => null)
      if (back === null) continue
      await insist(() => comeBack(this.#client, back), [200, 404])
      return
    }
  }

  async do(act: Act): Promise<void> {
    const { provider } = this.#world
    const mine = provider.state.intents.filter(({ metadata }) => metadata.parley_account === this.seen.id)
    const of = <Value>(values: readonly Value[], at: number) => values[at % Math.max(1, values.length)]
    switch (act.act) {
      case 'order':
        this.#last = { key: randomUUID(), tone: act.tones }
        return await this.#order(this.#last)
      case 'again':
        return this.#last === null ? undefined : await this.#order(this.#last)
      case 'sample':
        return await this.#sample(act)
      case 'progress':
      case 'delete':
        return await this.#change(act, of([...this.seen.shown.keys()], act.pick))
      case 'card':
        return await this.#addCard(act.card)
      case 'fault':
        provider.faults = [...provider.faults, act.fault].slice(-3)
        return
      case 'dispute': {
        const taken = of(
          mine.filter(({ charge }) => charge !== null),
          act.pick,
        )
        if (taken === undefined) return
        const disputed = provider.state.disputes.filter(({ payment_intent }) => payment_intent === taken.id)
        const left = taken.amount - disputed.reduce((sum, { amount }) => sum + amount, 0)
        if (left > 0) provider.state.dispute(taken, Math.max(1, Math.floor((left * act.share) / 100)))
        return await this.#tell('charge.dispute.created', taken.id)
      }
      case 'rule': {
        const ids = new Set(mine.map(({ id }) => id))
        const open = of(
          provider.state.disputes.filter(({ payment_intent }) => ids.has(payment_intent)),
          act.pick,
        )
        if (open === undefined) return
        open.status = act.verdict
        return await this.#tell('charge.dispute.closed', open.payment_intent)
      }
      case 'tell': {
        const id = of(mine, act.pick)?.id
        return id === undefined ? undefined : await this.#tell(act.event, id)
      }
      case 'bank': {
        const asked = mine.find(({ status }) => status === 'requires_action')
        if (asked === undefined) return
        const body = new URLSearchParams({ verdict: act.says })
        await fetch(new URL(`/3ds/${asked.id}`, provider.url), { method: 'POST', body, redirect: 'manual' })
        return
      }
      default:
        return await this.#settle(act)
    }
  }

  async #settle(act: Act): Promise<void> {
    const { db } = this.#world
    if (act.act === 'discount') {
      await db.updateTable('accounts').set({ discount_percent: act.percent }).where('id', '=', this.seen.id).execute()
      this.#discount = act.percent
      // Accounts are cached for up to a second.
      await new Promise((resolve) => setTimeout(resolve, 1_100))
    } else if (act.act === 'settings') {
      const settings = { top_up_cents: act.top, refunds_to: act.to }
      await insist(() => this.#client.ask('PATCH', 'balance', settings), decided)
    } else if (act.act === 'budget') {
      const rows = await db.selectFrom('ledger').selectAll().where('account_id', '=', this.seen.id).execute()
      const spent = rows.reduce((sum, { status, amount_cents }) => sum + (status === 'failed' ? 0 : amount_cents), 0)
      this.seen.budget = act.more === null ? null : spent + act.more
      const budget = { budget_cents: this.seen.budget, budget_per: 'all' }
      await insist(() => this.#client.ask('PATCH', 'balance', budget), [200])
    } else if (act.act === 'payout') await insist(() => this.#client.ask('POST', 'balance/payout'), decided)
    else if (act.act === 'invoice') await insist(() => this.#client.ask('POST', 'invoices'), decided)
  }

  /** Orders with one key until there is an answer, however often the answer is lost. */
  async #order({ key, tone }: { key: string; tone: number }): Promise<void> {
    const { body, ms } = this.#tones[tone] ?? this.#tones[0] ?? { body: new Uint8Array(), ms: 0 }
    const price = this.#price(ms)
    const headers = { 'idempotency-key': key, 'max-total-cents': String(price) }
    const post = () => askApi(this.#url, this.seen.key, 'files', { method: 'POST', body: fileForm(body), headers })
    const answer = await insist(post, [201, 402, 409, 400])
    if (answer.status !== 201) return
    const { id } = (await answer.json()) as { id: string }
    const before = this.seen.wishes.get(key)
    if (before !== undefined && before !== id) throw new Error(`the wish ${key} became ${before} and ${id}`)
    this.seen.wishes.set(key, id)
    if (before === undefined) this.seen.shown.set(id, price)
  }

  #price(ms: number): number {
    return calculatePrice(defaultRates, specDefaultOptions, ms, this.#discount).totalCents
  }

  async #sample({ seconds, progress }: { seconds: number; progress: number }): Promise<void> {
    const price = this.#price(seconds * 1_000)
    const wish = { seconds, progress_percent: progress }
    const answer = await this.#client.ask('POST', 'tools/files', wish).catch(() => null)
    if (answer?.status !== 201) return
    const made = (await answer.json().catch(() => null)) as { id: string } | null
    if (made !== null) this.seen.shown.set(made.id, price)
  }

  async #change({ act, percent }: { act: string; percent: number }, id: string | undefined): Promise<void> {
    if (id === undefined) return
    if (act === 'delete') {
      await insist(() => askApi(this.#url, this.seen.key, `file/${id}`, { method: 'DELETE' }), decided)
      return
    }
    const body = { progress_percent: percent }
    await insist(() => this.#client.ask('POST', `tools/files/${id}/progress`, body), decided)
  }

  /** Twice, as events come. */
  async #tell(event: string, id: string): Promise<void> {
    const { provider } = this.#world
    for (let times = 0; times < 2; times += 1)
      await provider.tell(event, { id, payment_intent: id }).catch(() => undefined)
  }

  /** Everything that was charged is on an invoice at the end. */
  async end(): Promise<void> {
    await insist(() => this.#client.ask('POST', 'invoices'), [201, 409])
  }
}
