import { randomUUID } from 'node:crypto'
import type { Quote } from '../../../src/contract/account/quotes.ts'
import { orderTotalHeader } from '../../../src/contract/interface/headers.ts'
import { priceBeyond, type Rates } from '../../../src/contract/interface/price.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { fileForm } from '../../../src/service/testing/test-service.ts'
import { insist } from '../torture/rounds.ts'
import type { Act } from './acts.ts'
import { optionsOf, pricesBetween, totals } from './prices.ts'
import type { World } from './world.ts'

/** What may be charged for an order that was taken. */
export type Shown = {
  ms: number
  isAutomated: boolean
  /** its price may be any of these, if so many milliseconds of the recording were free */
  prices(ms: number, freeMs: number): number[]
  /** the sum that it named as the most, or that of its quote; null: none was shown */
  limit: number | null
  mostFreeMs: number
}
type Line = { ms: number; cents: number; isUsed: boolean }
export type Quoted = { id: string; isAutomated: boolean; rates: Rates[]; discount: number; lines: Line[] }
type Wish = {
  key: string
  tone: number
  isAutomated: boolean
  free: number | null
  quote: Quoted | null
  isForeign: boolean
  limit: number
}
export type Tone = { body: Uint8Array; ms: number }

/** A player shows whole seconds: a recording may be longer than its quote by less than this. */
const roundedMs = 1_000

/** What an account asks to be made of its recordings, with what it was told before. */
export class Wishes {
  readonly shown = new Map<string, Shown>()
  readonly made = new Map<string, string>()
  readonly quotes: Quoted[] = []
  /** what was right or wrong on the way */
  readonly claims: { isRight: boolean; about: string }[] = []
  discount = 0
  readonly #world: World
  readonly #at: () => URL
  readonly #key: string
  readonly #tones: readonly Tone[]
  #last: Wish | null = null

  constructor(world: World, at: () => URL, key: string, tones: readonly Tone[]) {
    this.#world = world
    this.#at = at
    this.#key = key
    this.#tones = tones
  }

  #tone(index: number): Tone {
    return this.#tones[index] ?? { body: new Uint8Array(), ms: 0 }
  }

  #claim(isRight: boolean, about: string): void {
    this.claims.push({ isRight, about })
  }

  async quote({ tones, isAutomated }: Act & { act: 'quote' }): Promise<void> {
    const files = tones.map((tone) => ({ seconds: this.#tone(tone).ms / 1_000 }))
    const options = { transcript_type: optionsOf(isAutomated).transcript_type }
    const from = this.#world.now()
    const answer = await insist(
      () => accountClient(this.#at(), this.#key).ask('POST', 'quotes', { files, options }),
      [201],
    )
    const quote = (await answer.json()) as Quote
    const held = pricesBetween(this.#world.prices, from, this.#world.now())
    const rates = held.filter((each) => each[quote.options.transcript_type] === quote.per_minute_cents)
    const lines = quote.lines.map(({ seconds, total_cents }) => {
      const ms = seconds * 1_000
      this.#claim(
        totals(rates, isAutomated, ms, this.discount).includes(total_cents),
        `quote of ${ms} ms: ${total_cents}`,
      )
      return { ms, cents: total_cents, isUsed: false }
    })
    this.quotes.push({ id: quote.id, isAutomated, rates, discount: this.discount, lines })
  }

  /** Orders, perhaps twice at once with the same quote. @param foreign a quote of another account */
  async order(act: Act & { act: 'order' }, foreign: Quoted | undefined): Promise<void> {
    const own = this.quotes[act.pick % Math.max(1, this.quotes.length)]
    const quote = (act.names === 'none' ? null : act.names === 'own' ? own : foreign) ?? null
    const isAutomated = quote?.isAutomated ?? act.isAutomated
    const { ms } = this.#tone(act.tone)
    const now = pricesBetween(this.#world.prices, this.#world.now(), this.#world.now())
    const limit = Math.max(...totals(now, isAutomated, ms, this.discount))
    const isForeign = act.names === 'foreign' && quote !== null
    const wish = { tone: act.tone, isAutomated, free: act.free, quote, isForeign, limit }
    const wishes = Array.from({ length: act.twice ? 2 : 1 }, () => ({ ...wish, key: randomUUID() }))
    this.#last = wishes[0] ?? null
    await this.#ask(wishes)
  }

  /** The last one again, with its key: once it was taken, the same answer. */
  async again(): Promise<void> {
    if (this.#last !== null) await this.#ask([this.#last])
  }

  /** Hours later: what is left of quotes is worth nothing, and a retry is answered nevertheless. */
  async late(): Promise<void> {
    const left = this.quotes.find(({ lines }) => lines.some(({ isUsed }) => !isUsed))
    if (left !== undefined) {
      const wish = { tone: 0, isAutomated: left.isAutomated, free: null, isForeign: false, limit: 0 }
      const answer = await this.#post({ ...wish, quote: left, key: randomUUID() })
      const words = await answer.text()
      this.#claim(answer.status === 409 && words.includes('expired'), `an expired quote: ${answer.status} ${words}`)
    }
    if (this.#last !== null && this.made.has(this.#last.key)) await this.#ask([this.#last])
  }

  async #ask(wishes: readonly Wish[]): Promise<void> {
    const from = this.#world.now()
    const answers = await Promise.all(wishes.map(async (wish) => ({ wish, answer: await this.#post(wish) })))
    const held = pricesBetween(this.#world.prices, from, this.#world.now())
    // Those that were taken have used what the others did not find.
    for (const { wish, answer } of answers.toSorted((one, other) => one.answer.status - other.answer.status))
      await this.#learn(wish, answer, held)
  }

  async #learn(wish: Wish, answer: Response, held: Rates[]): Promise<void> {
    const { quote, isAutomated } = wish
    const { ms } = this.#tone(wish.tone)
    const told = await answer.text()
    if (answer.status !== 201) {
      if (quote !== null && !this.made.has(wish.key)) this.#learnRefused(wish, answer.status, told)
      const total = Number(answer.headers.get(orderTotalHeader))
      if (answer.status !== 400 || total === 0) return
      // Prices have risen since it was shown: the page shows the true one and asks again.
      const most = Math.max(...totals(held, isAutomated, ms, this.discount))
      this.#claim(quote === null && total > wish.limit && total <= most, `a limit: ${told}`)
      return await this.#ask([Object.assign(wish, { limit: total })])
    }
    const { id } = JSON.parse(told) as { id: string }
    const before = this.made.get(wish.key)
    this.#claim(before === undefined || before === id, `the wish ${wish.key} became ${before} and ${id}`)
    if (before !== undefined) return
    this.made.set(wish.key, id)
    const line = quote === null ? null : this.#fitting(quote, ms)
    this.#claim(line !== undefined && !wish.isForeign, `${id} was taken by a quote that was used, short or foreign`)
    if (line) line.isUsed = true
    const { discount } = this
    this.shown.set(id, {
      ...{ ms, isAutomated, limit: line?.cents ?? (quote === null ? wish.limit : null) },
      mostFreeMs: isAutomated ? Math.min(ms, (wish.free ?? ms) * 1_000) : 0,
      prices(length, freeMs) {
        const now = totals(held, isAutomated, length, discount, freeMs)
        if (quote === null || !line) return now
        const quotedMs = Math.min(length, line.ms)
        const by = quote.rates.map(
          (rates) => priceBeyond(freeMs, rates, optionsOf(isAutomated), quotedMs, quote.discount).totalCents,
        )
        return now.flatMap((cents) => by.map((other) => Math.min(cents, other)))
      },
    })
  }

  /** A quote is refused only if it is foreign, used, too short, or over. */
  #learnRefused({ quote, isForeign, tone }: Wish, status: number, told: string): void {
    if (status === 404) this.#claim(isForeign, `a quote was not found: ${told}`)
    const isOfQuote = status === 409 && /has been used|what is left of the quote|The quote/.test(told)
    if (!isOfQuote || quote === null) return
    const isGone = this.#fitting(quote, this.#tone(tone).ms) === undefined && !told.includes('expired')
    this.#claim(isGone, `a quote was refused: ${told}`)
  }

  #fitting({ lines }: Quoted, ms: number): Line | undefined {
    const fit = lines.filter((line) => !line.isUsed && line.ms > ms - roundedMs)
    return fit.toSorted((one, other) => one.ms - other.ms)[0]
  }

  /** Posts with one key until there is an answer, however often the answer is lost. */
  async #post({ key, tone, isAutomated, free, quote, limit }: Wish): Promise<Response> {
    const headers = {
      'idempotency-key': key,
      ...(quote === null ? { 'max-total-cents': String(limit) } : { 'quote-id': quote.id }),
      ...(free === null ? {} : { 'free-seconds': String(free) }),
    }
    const body = () => fileForm(this.#tone(tone).body)
    const path = `files?transcript_type=${optionsOf(isAutomated).transcript_type}`
    const post = () => askApi(this.#at(), this.#key, path, { method: 'POST', body: body(), headers })
    return await insist(post, [201, 402, 404, 409, 400])
  }

  /** A file of the sandbox, with a progress. */
  async sample({ quarters, progress, isAutomated }: Act & { act: 'sample' }): Promise<string | null> {
    const { transcript_type } = optionsOf(isAutomated)
    const wish = { seconds: quarters * 15, progress_percent: progress, transcript_type }
    const from = this.#world.now()
    const answer = await accountClient(this.#at(), this.#key)
      .ask('POST', 'tools/files', wish)
      .catch(() => null)
    const made = answer?.status === 201 ? ((await answer.json().catch(() => null)) as { id: string } | null) : null
    if (made === null) return null
    const held = pricesBetween(this.#world.prices, from, this.#world.now())
    const [ms, { discount }] = [quarters * 15_000, this]
    const prices = (length: number, freeMs: number) => totals(held, isAutomated, length, discount, freeMs)
    this.shown.set(made.id, { ms, isAutomated, prices, limit: null, mostFreeMs: isAutomated ? ms : 0 })
    return made.id
  }
}
