import { type BrowserContext, chromium, type Page } from '@playwright/test'
import type { KeptCorrections } from '../../../src/contract/account/corrections.ts'
import type { Claim } from '../../../src/contract/work/parts.ts'
import { freePort } from '../../../src/service/testing/start-gateway.ts'
import { browserLaunch } from '../../kit/browser-launch.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { submitKey } from '../../kit/sign-in.ts'
import { beginToType, text } from '../../kit/staff-page.ts'
import { askWork, hire, orderTyping } from '../../kit/staff-work.ts'
import type { Bench } from '../bench/measurement.ts'
import { unlessShort } from '../bench/short.ts'
import { comesTrue, longest, Tally } from './rounds.ts'
import { Seeded } from './seeded.ts'

const rounds = unlessShort(20, 2)
const lostAtMostMs = 2_000
/** How long people continue typing while the service is down. */
const goesOnMs = 1_000

type Typed = { word: string; atMs: number }

/** The outcome of a kill. `fromMs`: typing from then on may be lost */
type Killed = { words: readonly Typed[]; fromMs: number; killedMs: number; kept: string }

/** Somebody who types in one part, on one device. */
class Typist {
  readonly #service: ServiceProcess
  readonly #context: BrowserContext
  readonly #key: string
  readonly #held: Claim

  constructor(service: ServiceProcess, context: BrowserContext, key: string, held: Claim) {
    this.#service = service
    this.#context = context
    this.#key = key
    this.#held = held
  }

  /** Opens a tab of the desk, once the text is loaded. */
  async open(): Promise<Page> {
    const page = await this.#context.newPage()
    await page.goto(new URL(`/work/parts/${this.#held.part}`, this.#service.url).href)
    await submitKey(page, this.#key)
    await text(page).getByRole('paragraph').first().waitFor()
    return page
  }

  /** Types numbered words over the first turn for `forMs`. */
  async type(page: Page, round: number, forMs: number, before = 0): Promise<Typed[]> {
    const words: Typed[] = []
    for (const endMs = performance.now() + forMs; performance.now() < endMs; ) {
      const word = `r${round}w${before + words.length}`
      await page.keyboard.type(`${word} `, { delay: 30 })
      words.push({ word, atMs: performance.now() })
    }
    return words
  }

  /** The service's stored text of the part; empty if it does not respond. */
  async kept(): Promise<string> {
    const path = `parts/${this.#held.part}/corrections`
    const ask = () => askWork<KeptCorrections>(this.#service, this.#key, path, undefined, this.#held.claim)
    return JSON.stringify(await ask().catch(() => null))
  }
}

/** True if the exact word is present, not only as a prefix. */
const has = (kept: string, { word }: Typed) => new RegExp(`\\b${word}\\b`).test(kept)

/** Kills the service; the tab stays, so that nothing may be lost. */
async function killService(typist: Typist, service: ServiceProcess, round: number, forMs: number): Promise<Killed> {
  const page = await typist.open()
  await beginToType(page)
  const words = await typist.type(page, round, forMs)
  await service.kill()
  words.push(...(await typist.type(page, round, goesOnMs, words.length)))
  const killedMs = performance.now()
  await service.boot()
  await comesTrue(async () => words.every(has.bind(null, await typist.kept())), 60_000)
  await page.close()
  return { words, fromMs: Number.POSITIVE_INFINITY, killedMs, kept: await typist.kept() }
}

/** Kills the tab, and opens another one. */
async function killTab(typist: Typist, round: number, forMs: number): Promise<Killed> {
  const page = await typist.open()
  await beginToType(page)
  const words = await typist.type(page, round, forMs)
  const killedMs = performance.now()
  const fromMs = killedMs - lostAtMostMs
  await page.goto('chrome://crash').catch(() => undefined)
  const next = await typist.open()
  const inTime = words.filter(({ atMs }) => atMs < fromMs)
  await comesTrue(async () => inTime.every(has.bind(null, await typist.kept())), 30_000)
  const shown = await text(next).innerText()
  await next.close()
  await page.close()
  return { words, fromMs, killedMs, kept: `${await typist.kept()} ${shown}` }
}

/** Somebody types at the staff's desk while the service, or the tab, is killed repeatedly. */
export const tortureTyping: Bench = async () => {
  const PORT = String(await freePort())
  const service = await ServiceProcess.start({ PORT, RECOGNIZER: 'pocketsphinx', OFFLINE: '1', LOG_LEVEL: 'silent' })
  const browser = await chromium.launch(browserLaunch)
  try {
    const [random, key] = [new Seeded(1), await hire(service, 'Ann', 'typist')]
    await orderTyping(service)
    const queue = () => askWork<{ parts: { id: string }[] }>(service, key, 'queue')
    await comesTrue(async () => (await queue()).parts.length > 0, 120_000)
    const held = await askWork<Claim>(service, key, 'claims', { part: null })
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const typist = new Typist(service, context, key, held)
    const safe = new Tally('words typed two seconds before a kill of the tab, or at any time around one of the service')
    const lostMs: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const forMs = random.between(2_500, 7_000)
      const { words, fromMs, killedMs, kept } = await (round % 2 === 0
        ? killService(typist, service, round, forMs)
        : killTab(typist, round, forMs))
      const lost = words.filter((word) => !has(kept, word))
      for (const word of words) if (word.atMs < fromMs) safe.count(!lost.includes(word), `${word.word} is lost`)
      lostMs.push(Math.max(0, ...lost.map(({ atMs }) => killedMs - atMs)))
    }
    const part = new Tally('parts still held')
    const { held: all } = await askWork<{ held: Claim[] }>(service, key, '')
    part.count(all.length === 1 && all[0]?.claim === held.claim, 'the part is lost')
    return [
      { what: 'kills of the service or of the tab', value: rounds, unit: '' },
      ...safe.rows(),
      ...part.rows(),
      longest('typing lost by a kill', lostMs, lostAtMostMs),
    ]
  } finally {
    await browser.close()
    await service.remove()
  }
}
