import { strict as assert } from 'node:assert'
import { type Browser, chromium, expect, type Page } from '@playwright/test'
import { withDatabase } from '../../../src/service/start/cli/operate.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { textOfPart } from '../../../src/service/workbench/steps.ts'
import { browserLaunch } from '../../kit/browser-launch.ts'
import { ListedKeys } from '../../kit/listed-keys.ts'
import type { ServiceProcess } from '../../kit/service-process.ts'
import { takeNext, typed, workPage } from '../../kit/staff-page.ts'
import { giveWords, hire, partsOf } from '../../kit/staff-work.ts'
import { startWithEngine } from '../../kit/start-with-engine.ts'
import type { Measurement } from '../bench/measurement.ts'
import { Seeded } from '../torture/seeded.ts'
import { makeSound, makeTalk, placesOf, speakers, type Token, toDeskWords } from './made-talk.ts'

/*
 * `npm run proofs -- workbench --only hour`: a made talk of 60 minutes, or of `--minutes N`, is typed part by part by keys
 * alone, pressing only what the desk's `?` lists. What comes out is compared with what was meant.
 */

/** What is done about a doubtful place, and the words that come of it; null: those that are there. */
type Way = { name: string; words: (at: number) => string[] | null; speaker?: number }

const ways: readonly Way[] = [
  { name: 'right', words: () => null },
  { name: 'right', words: () => null },
  { name: 'correct', words: (at) => [`right${at}`] },
  { name: 'correct', words: (at) => [`right${at}`] },
  { name: 'correct', words: (at) => [`right${at}`, 'too'] },
  { name: 'inline', words: (at) => [`inline${at}`] },
  { name: '[laughs]', words: (at) => [`well${at}`, '[laughs]'] },
  { name: '[inaudible]', words: () => ['[inaudible]'] },
  { name: 'speaker', words: () => null, speaker: 2 },
]

/** A typist at one part. */
class Hour {
  readonly page: Page
  readonly keys: ListedKeys
  readonly random: Seeded
  places = 0
  /** beside the doubts: taking, ticking, finishing */
  others = 0

  constructor(page: Page, random: Seeded) {
    this.page = page
    this.keys = new ListedKeys(page)
    this.random = random
  }

  /** @returns the words as they should be */
  async typePart(tokens: readonly Token[]): Promise<{ text: string; speaker: number }[]> {
    const meant: { text: string; speaker: number }[] = tokens.map(({ text, speaker }) => ({ text, speaker }))
    const changes: { from: number; to: number; words: string[] }[] = []
    const bar = this.page.getByRole('toolbar', { name: 'Doubtful places' })
    const places = placesOf(tokens)
    let isTyping = false
    for (const [index, { from, to }] of places.entries()) {
      const old = tokens.slice(from, to).map(({ text }) => text)
      if (isTyping)
        await expect.poll(() => this.page.evaluate(() => String(document.getSelection()))).toBe(old.join(' '))
      else await expect(bar).toContainText(`“${old.join(' ')}”`)
      // In the text there is no key that says right.
      const way = this.random.any(isTyping ? ways.filter(({ words }) => words(0) !== null) : ways)
      const words = way.words(index)
      if (words !== null) changes.push({ from, to, words })
      if (way.speaker !== undefined) {
        const first = tokens.findLastIndex((token, at) => at < from && token.isLast) + 1
        const last = tokens.findIndex((token, at) => at >= from && token.isLast)
        for (let at = first; at <= last; at += 1) Object.assign(meant[at] ?? {}, { speaker: way.speaker })
      }
      const isLast = index === places.length - 1
      isTyping = await this.#settle(way, words, isTyping, isLast)
      this.places += 1
    }
    if (isTyping) await this.keys.press('Save')
    await expect(bar).toBeHidden()
    await this.keys.holdsFocus('the last doubt')
    for (const { from, to, words } of changes.toReversed()) {
      const speaker = meant[from]?.speaker ?? 0
      meant.splice(from, to - from, ...words.map((text) => ({ text, speaker })))
    }
    return meant
  }

  /** Handles one doubtful place. @returns whether the next one is at the caret */
  async #settle({ name, speaker }: Way, words: string[] | null, isTyping: boolean, isLast: boolean): Promise<boolean> {
    if (words === null) {
      if (speaker !== undefined) await this.keys.press(`Speaker: ${speakers[speaker]}`)
      await this.keys.press('Doubt: looks right, next')
      return false
    }
    if (!isTyping) await this.keys.press('Doubt: correct it, Enter: next')
    await expect(typed(this.page)).toBeFocused()
    const [last = ''] = words.slice(-1)
    const isMark = last.startsWith('[')
    await this.page.keyboard.type(words.slice(0, isMark ? -1 : words.length).join(' '))
    if (isMark) await this.keys.press(last)
    if (name === 'inline' && !isLast) {
      await this.keys.press('Type at next doubt')
      return true
    }
    await this.keys.press('Save')
    return false
  }

  async #press(key: string): Promise<void> {
    await this.page.keyboard.press(key)
    this.others += 1
  }

  /** Ticks all points and finishes, by keys. */
  async finish(): Promise<void> {
    const points = this.page.getByRole('complementary').getByRole('checkbox')
    const first = points.first()
    while (!(await first.evaluate((element) => element === document.activeElement))) {
      assert(this.others < 2_000, 'no way by Tab to the list to tick off')
      await this.#press('Tab')
    }
    for (let left = await points.count(); left > 0; left -= 1) {
      await this.#press('Space')
      if (left > 1) await this.#press('Tab')
    }
    await this.keys.press('Finish the part')
    this.keys.presses -= 1
    this.others += 1
    const dialog = this.page.getByRole('dialog', { name: 'Finish this part' })
    const reason = dialog.getByLabel('Why is that enough?')
    await expect(reason).toBeVisible()
    while (!(await reason.evaluate((element) => element === document.activeElement))) await this.#press('Tab')
    await this.page.keyboard.type('A hum without words')
    const submit = dialog.getByRole('button', { name: 'Finish' })
    while (!(await submit.evaluate((element) => element === document.activeElement))) await this.#press('Tab')
    await this.#press('Enter')
    await expect(this.page.getByRole('heading', { name: 'Queue' })).toBeVisible()
    await this.keys.holdsFocus('finishing')
  }
}

async function orderTalk(service: ServiceProcess, minutes: number): Promise<string[]> {
  const { key } = await service.createAccount('live', 'Long Talks Ltd')
  const body = new FormData()
  body.set('file', makeSound(minutes), 'talk.wav')
  const answer = await askApi(service.url, key, 'files', { method: 'POST', body })
  assert.equal(answer.status, 201, await answer.clone().text())
  const { id } = (await answer.json()) as { id: string }
  await expect.poll(async () => (await partsOf(service, id)).length, { timeout: 120_000 }).toBeGreaterThan(0)
  return await partsOf(service, id)
}

async function typeAll(browser: Browser, service: ServiceProcess, minutes: number, random: Seeded): Promise<Hour> {
  const key = await hire(service, 'Kay', 'typist')
  const parts = await orderTalk(service, minutes)
  const talks = new Map<string, Token[]>()
  for (const id of parts) {
    const { start_ms, end_ms } = await withDatabase(service, (db) =>
      db.selectFrom('work_parts').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    )
    const talk = makeTalk(random, start_ms / 1_000, end_ms / 1_000)
    await giveWords(service, id, toDeskWords(talk), speakers)
    talks.set(id, talk)
  }
  const page = await workPage(browser, service, key)
  const hour = new Hour(page, random)
  for (const _ of parts) {
    await takeNext(page, 'Type')
    hour.others += 1
    await hour.keys.holdsFocus('taking a part')
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await expect(page.getByRole('toolbar', { name: 'Doubtful places' })).toBeVisible()
    await hour.keys.read()
    const meant = await hour.typePart(talks.get(id) ?? [])
    await hour.finish()
    const { words } = await withDatabase(service, (db) => textOfPart(db, { id }))
    assert.deepEqual(
      words.map(({ word, speaker }) => `${speaker} ${word}`),
      meant.map(({ text, speaker }) => `${speaker} ${text}`),
    )
  }
  return hour
}

/** Types a made talk. @returns how many keys that took */
export async function typeHour(minutes: number, seed: number): Promise<Measurement[]> {
  const service = await startWithEngine()
  const browser = await chromium.launch(browserLaunch)
  try {
    const startedMs = performance.now()
    const hour = await typeAll(browser, service, minutes, new Seeded(seed))
    return [
      { what: `doubts in ${minutes} minutes`, value: hour.places, unit: '' },
      { what: 'presses a doubt', value: hour.keys.presses / hour.places, unit: '', goal: { atMost: 3 } },
      { what: 'presses to take, tick off and finish, in all', value: hour.others, unit: '' },
      { what: 'time', value: Math.round((performance.now() - startedMs) / 1_000), unit: 's' },
    ]
  } finally {
    await browser.close()
    await service.remove()
  }
}
