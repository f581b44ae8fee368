import { comeBack, visitCardPage } from '../../../src/service/orders/money/payment/testing/enter-card.ts'
import { type AccountClient, accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { insist, persist } from '../torture/rounds.ts'
import type { Act } from './acts.ts'
import { type Quoted, type Tone, Wishes } from './wishes.ts'
import type { World } from './world.ts'

/** What an account has seen and done. */
export type Seen = {
  id: string
  key: string
  wishes: Wishes
  budget: number | null
  /** progress of each file that was deleted, in percent */
  deleted: Map<string, number>
}

/** Answers that are decided: everything else is asked again. */
const decided = [200, 201, 204, 400, 402, 403, 404, 409, 422]

/** Lives through a history. @param tones recordings of some seconds, each with its length in ms */
export class Life {
  readonly seen: Seen
  readonly #world: World
  readonly #progress = new Map<string, number>()
  #turn = 0

  constructor(world: World, of: { id: string; key: string }, tones: readonly Tone[]) {
    this.#world = world
    const wishes = new Wishes(world, () => this.#url, of.key, tones)
    this.seen = { ...of, wishes, budget: null, deleted: new Map() }
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

  /** @param foreign a quote of another account */
  async do(act: Act, foreign: Quoted | undefined): Promise<void> {
    const { provider } = this.#world
    const { wishes } = this.seen
    const mine = provider.state.intents.filter(({ metadata }) => metadata.parley_account === this.seen.id)
    const of = <Value>(values: readonly Value[], at: number) => values[at % Math.max(1, values.length)]
    switch (act.act) {
      case 'order':
        return await wishes.order(act, foreign)
      case 'again':
        return await wishes.again()
      case 'quote':
        return await wishes.quote(act)
      case 'sample': {
        const made = await wishes.sample(act)
        return made === null ? undefined : void this.#progress.set(made, act.progress)
      }
      case 'progress':
      case 'delete':
        return await this.#change(act, of([...wishes.shown.keys()], act.pick))
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
        await persist(() =>
          fetch(new URL(`/3ds/${asked.id}`, provider.url), { method: 'POST', body, redirect: 'manual' }),
        )
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
      this.seen.wishes.discount = act.percent
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

  async #change({ act, percent }: { act: string; percent: number }, id: string | undefined): Promise<void> {
    if (id === undefined) return
    if (act === 'delete') {
      const remove = () => askApi(this.#url, this.seen.key, `file/${id}`, { method: 'DELETE' })
      const { status } = await insist(remove, decided)
      // 404: the answer of the first request was lost.
      if (status !== 409 && !this.seen.deleted.has(id)) this.seen.deleted.set(id, this.#progress.get(id) ?? 0)
      return
    }
    const body = { progress_percent: percent }
    const { ok } = await insist(() => this.#client.ask('POST', `tools/files/${id}/progress`, body), decided)
    if (ok) this.#progress.set(id, percent)
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
