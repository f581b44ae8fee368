import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import type { OrderOptions } from '../../../src/contract/interface/option-values.ts'
import { speak } from '../../../src/service/recognition/testing/speak.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { test } from '../../kit/fixtures.ts'
import type { ServiceProcess } from '../../kit/service-process.ts'
import { beginToType, finish, takeNext, text, typed, workPage } from '../../kit/staff-page.ts'
import { acceptOdd, hire, partsOf, percentOf } from '../../kit/staff-work.ts'
import { startWithEngine } from '../../kit/start-with-engine.ts'

/** `MINUTES=60` makes ten parts; the default length makes two. */
const minutes = Number(process.env.MINUTES ?? 8)
test.setTimeout(minutes * 60_000)

/** Every customer option set to a non-default value. */
const options: Partial<OrderOptions> = {
  strict_verbatim: 'on',
  subtitle_file: 'on',
  speaker_tracking_format: 'full names',
  spelling_style: 'british',
  transcript_template: 'blank double line spaced',
  speaker_names: ['Ann Lee', 'Bob Okafor'],
  instructions: 'Write numbers as digits',
  custom_formatting: 'yes',
  custom_formatting_details: 'Company names in capitals',
}

const sentences = [
  'He was not an old man, and she was not a young woman.',
  'The people of the city went down to the river in the morning.',
  'There is nothing in the house that I have not seen before.',
]
const secondsEach = 30

/** A recording with a sentence every half minute. */
async function longTalk(): Promise<Buffer> {
  const spoken = await Promise.all(sentences.map(async (one, at) => readFile(await speak(one, `${at}.wav`))))
  const [header, rate] = [spoken[0]?.subarray(0, 44) ?? Buffer.alloc(44), spoken[0]?.readUInt32LE(28) ?? 0]
  const takes = spoken.map((one) => Buffer.concat([one.subarray(44), Buffer.alloc(secondsEach * rate)]))
  const said = takes.map((one) => one.subarray(0, secondsEach * rate))
  const all = Array.from({ length: minutes * (60 / secondsEach) }, (_, at) => said[at % said.length] as Buffer)
  const sound = Buffer.concat(all)
  header.writeUInt32LE(sound.byteLength + 36, 4)
  header.writeUInt32LE(sound.byteLength, 40)
  return Buffer.concat([header, sound])
}

async function orderLongTalk(service: ServiceProcess): Promise<{ id: string; key: string }> {
  const { key, account } = await service.createAccount('live', 'Long Talks Ltd')
  await service.parley('account', 'set', account, '--custom-formatting')
  const body = new FormData()
  body.set('file', new Blob([new Uint8Array(await longTalk())], { type: 'audio/wav' }), 'talk.wav')
  const query = new URLSearchParams(Object.entries(options).map(([name, value]) => [name, String(value)]))
  const answer = await askApi(service.url, key, `files?${query}`, { method: 'POST', body })
  expect(answer.status, await answer.clone().text()).toBe(201)
  return { ...((await answer.json()) as { id: string }), key }
}

/** Types into the first turn and names its speaker, by keyboard. */
async function typeFirstTurn(page: Page, words: string): Promise<void> {
  await beginToType(page)
  await typed(page).pressSequentially(words)
  await page.keyboard.press('F6')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemcheckbox', { name: 'Bob Okafor' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Bob Okafor' }).first()).toBeVisible()
}

/** Takes one part after the other until `isDone`. @returns how many */
async function work(
  page: Page,
  step: 'Type' | 'Review',
  isDone: () => Promise<boolean>,
  onPart: (page: Page, at: number) => Promise<void>,
): Promise<number> {
  for (let done = 0; ; ) {
    await expect(page.getByRole('heading', { name: 'Queue' })).toBeVisible()
    const offered = page.getByRole('row', { name: new RegExp(step) }).first()
    await expect(async () => {
      expect((await offered.isVisible()) || (await isDone())).toBe(true)
    }).toPass()
    if (await isDone()) return done
    // Somebody else may have taken it in the meantime.
    const isTaken = await takeNext(page, step).then(
      () => true,
      () => false,
    )
    if (!isTaken) continue
    await onPart(page, done)
    await finish(page)
    done += 1
  }
}

test(`an order of ${minutes} minutes goes from 0 to 100 by two typists, a reviewer and a checker, with every option in the result`, {
  tag: '@slow',
}, async ({ browser }) => {
  const service = await startWithEngine()
  try {
    const [ann, ben, cleo, dan] = await Promise.all([
      workPage(browser, service, await hire(service, 'Ann', 'typist')),
      workPage(browser, service, await hire(service, 'Ben', 'typist')),
      workPage(browser, service, await hire(service, 'Cleo', 'reviewer')),
      workPage(browser, service, await hire(service, 'Dan', 'reviewer')),
    ])
    const { id, key } = await orderLongTalk(service)
    const reached: number[] = []
    const percent = async () => {
      const now = await percentOf(service, key, id)
      reached.push(now)
      return now
    }
    await expect.poll(async () => (await partsOf(service, id)).length, { timeout: minutes * 20_000 }).toBeGreaterThan(1)
    const count = (await partsOf(service, id)).length

    // Neither finishes a first part before the other has taken one: otherwise a quick typist may do everything.
    const firstTaken = { Ann: Promise.withResolvers<void>(), Ben: Promise.withResolvers<void>() }
    const type = (name: keyof typeof firstTaken) => async (page: Page, at: number) => {
      firstTaken[name].resolve()
      await Promise.all(Object.values(firstTaken).map(({ promise }) => promise))
      await typeFirstTurn(page, `Um, the colour of part ${at + 1} by ${name}.`)
    }
    const isTyped = async () => (await percent()) >= 60
    const isReviewed = async () => (await percent()) >= 85
    const read = async (page: Page) => {
      await expect(text(page)).toContainText('the colour of part')
      // Neither the spelling nor the filler violates this order's options.
      await expect(page.getByRole('heading', { name: /places? to look at/ })).toHaveCount(0)
    }
    const [byAnn, byBen, byCleo] = await Promise.all([
      work(ann, 'Type', isTyped, type('Ann')),
      work(ben, 'Type', isTyped, type('Ben')),
      work(cleo, 'Review', isReviewed, read),
    ])
    expect([byAnn + byBen, byCleo]).toEqual([count, count])
    expect(Math.min(byAnn, byBen)).toBeGreaterThan(0)

    await takeNext(dan, 'Check')
    const sheet = dan.getByRole('complementary', { name: 'Instructions' })
    for (const point of [
      'Every word, um and false start is there',
      'British spelling',
      'Every change of speaker is marked',
      'Captions: times fit what is said',
      'Write numbers as digits',
      'Company names in capitals',
    ]) {
      await expect(sheet.getByRole('checkbox', { name: point })).toBeVisible()
    }
    await finish(dan)
    // Nothing of it was played.
    await acceptOdd(service, await hire(service, 'Eva', 'manager'), id)
    await expect.poll(percent).toBe(100)
    expect(reached).toEqual(reached.toSorted((one, two) => one - two))

    const delivered = async (format: string) =>
      Buffer.from(await (await askApi(service.url, key, `file/${id}.${format}`)).arrayBuffer())
    const txt = (await delivered('txt')).toString()
    expect(txt.match(/Um, the colour of part \d+ by (Ann|Ben)\./g)).toHaveLength(count)
    expect(txt).toContain('Bob Okafor')
    expect(txt).toMatch(/0:0\d/)
    expect((await delivered('srt')).toString()).toMatch(/^1\n00:00:0\d,\d{3} --> /)
    const styles = Buffer.from(unzipSync(await delivered('odt'))['styles.xml'] ?? []).toString()
    expect(styles).toContain('fo:line-height="220%"')
    const pdf = execFileSync('pdftotext', ['-', '-'], { input: await delivered('pdf') }).toString()
    expect(pdf).not.toContain('talk.wav')
    for (const page of [ann, ben, cleo, dan]) await page.context().close()
  } finally {
    await service.remove()
  }
})
