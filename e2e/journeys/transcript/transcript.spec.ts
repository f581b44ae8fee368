import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { WordRecord } from '../../../src/contract/interface/words.ts'
import { plainSentence, speak } from '../../../src/service/recognition/testing/speak.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { tool } from '../../kit/files-page.ts'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import { placeOf } from '../../kit/harbour-talk.ts'
import type { ServiceProcess } from '../../kit/service-process.ts'
import { signIn } from '../../kit/sign-in.ts'
import { expectWaveform } from '../../kit/waveform.ts'

test.use({ engine: 'pocketsphinx' })

/** Orders a recording through the REST interface and waits until its transcript is ready. @returns its id and words */
async function order(service: ServiceProcess, key: string, path: string): Promise<{ id: string; words: WordRecord[] }> {
  const form = new FormData()
  form.set('file', new Blob([await readFile(path)], { type: 'audio/wav' }), basename(path))
  const ask = (rest: string, init?: RequestInit) => askApi(service.url, key, rest, init)
  const made = await ask('files?transcript_type=automated', { method: 'POST', body: form })
  expect(made.status).toBe(201)
  const { id } = (await made.json()) as { id: string }
  await expect
    .poll(
      async () => {
        const answer = await ask(`file/${id}`, { method: 'HEAD' })
        return JSON.parse(answer.headers.get('X-Service-Metadata') ?? '{}').progress_percent
      },
      { timeout: 90_000 },
    )
    .toBe(100)
  const words = await ask(`file/${id}.json`)
  return { id, words: (await words.json()) as WordRecord[] }
}

/** Opens a transcript by URL, signing in on the way, for as long as the tab is open. */
async function open(page: Page, key: string, id: string, hash = ''): Promise<void> {
  await signIn(page, key, { at: `/live/files/${id}${hash}`, keep: true })
  await expect(page.getByRole('article').first()).toBeVisible()
}

/** The word highlighted as spoken, as the browser paints it. */
const spokenWord = (page: Page) =>
  page.evaluate(() => [...(CSS.highlights.get('spoken') ?? [])].map((range) => String(range)).join(''))

const text = (page: Page) => page.getByRole('feed', { name: 'Turns' })

test('the spoken word is highlighted within 100 ms of its time', { tag: '@slow' }, async ({
  page,
  service,
  account,
}) => {
  const { id, words } = await order(service, account.key, await speak(plainSentence))
  await open(page, account.key, id)
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await page.evaluate(() => {
    const seen: [number, number, string][] = []
    const media = document.querySelector('video') as HTMLVideoElement
    // Sampled once per frame, after the page's own work. The audio continues in the meantime, on a busy machine for
    // long.
    const readFrame = (from: number) => {
      const spoken = [...(CSS.highlights.get('spoken') ?? [])].map((range) => String(range)).join('')
      seen.push([from, media.currentTime, spoken])
      if (media.ended) document.body.dataset.seen = JSON.stringify(seen)
      else
        requestAnimationFrame(() => {
          const begun = media.currentTime
          setTimeout(() => readFrame(begun))
        })
    }
    readFrame(media.currentTime)
  })
  await expect(page.locator('body')).toHaveAttribute('data-seen', /./, { timeout: 60_000 })
  const seen = JSON.parse((await page.locator('body').getAttribute('data-seen')) ?? '[]') as [number, number, string][]
  const shown = seen.filter(([, , word]) => word !== '')
  expect(new Set(shown.map(([, , word]) => word)).size).toBeGreaterThan(words.length / 2)
  // In each frame the word matches the playback time, within 100 ms.
  const isSpoken = ([from, to, word]: [number, number, string]) =>
    words.some((record, index) => {
      const until = words[index + 1]?.start ?? Number.POSITIVE_INFINITY
      return record.word === word && to > record.start - 0.1 && from < until + 0.1
    })
  expect(shown.filter(isSpoken).length / shown.length).toBeGreaterThan(0.95)
})

test('a new customer opens the first order at once: its waveform is drawn when available', { tag: '@slow' }, async ({
  page,
  service,
  account,
}) => {
  const form = new FormData()
  form.set('file', new Blob([await readFile(await speak(plainSentence))], { type: 'audio/wav' }), 'First.wav')
  const early = page.waitForResponse((answer) => answer.url().endsWith('/peaks') && !answer.ok())
  await signIn(page, account.key, { keep: true })
  const made = await askApi(service.url, account.key, 'files?transcript_type=automated', { method: 'POST', body: form })
  const { id } = (await made.json()) as { id: string }
  await page.goto(`/live/files/${id}`)
  await early
  await expect(page.getByText('Ready', { exact: true })).toBeVisible()
  await expectWaveform(page)
  // Doubtful words are known once there is a text: at least its worst tenth.
  await expect(page.getByRole('button', { name: /^[1-9]\d* to check/ })).toBeVisible()
})

test('a click on a word plays from it; the keys play, skip and change the speed', { tag: '@slow' }, async ({
  page,
  service,
  account,
}) => {
  const { id, words } = await order(service, account.key, await speak(plainSentence))
  await open(page, account.key, id)
  const last = words[Math.floor(words.length / 2)] as WordRecord
  await page.mouse.click(...(await placeOf(page, last.word.replaceAll(/\W/g, ''))))
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
  expect(await page.evaluate(() => document.querySelector('video')?.currentTime)).toBeGreaterThan(0.3)
  await page.keyboard.press('Space')
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await page.keyboard.press(']')
  await expect(page.getByRole('button', { name: 'Speed 1.25×' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => document.querySelector('video')?.preservesPitch)).toBe(true)
  const place = page.getByRole('slider', { name: 'Position in the recording' })
  await place.press('Home')
  await expect(place).toHaveAttribute('aria-valuenow', '0')
  await page.goto(`/live/files/${id}#t=${last.start + 0.01}`)
  await expect(text(page)).toBeVisible()
  await expect.poll(() => spokenWord(page)).toBe(last.word)
})

test('a transcript in progress shows its notice, grows without losing the place, and becomes the finished one', async ({
  page,
  service,
  sandboxAccount,
}) => {
  const { id } = await tool(service, sandboxAccount, 'files', { seconds: 900, progress_percent: 40 })
  await signIn(page, sandboxAccount.key, { at: `/sandbox/files/${id}` })
  await expect(page.getByText('Work in progress', { exact: true })).toBeVisible()
  await expect(page.getByRole('note')).toContainText('incomplete')
  await expect(page.getByRole('combobox', { name: 'Underline doubtful words' })).toBeHidden()
  await expectNoAxeFindings(page)

  const reader = page.getByRole('region', { name: 'Transcript' })
  await reader.evaluate((element) => element.scrollTo(0, 600))
  const firstInSight = () =>
    reader.evaluate((element) => {
      const top = element.getBoundingClientRect().top
      const seen = [...element.querySelectorAll('article')].find((one) => one.getBoundingClientRect().bottom > top + 40)
      return [seen?.dataset.block, Math.round((seen?.getBoundingClientRect().top ?? 0) - top)]
    })
  const before = await firstInSight()
  const turns = await page.getByRole('article').last().getAttribute('aria-setsize')
  await tool(service, sandboxAccount, `files/${id}/progress`, { progress_percent: 70 })
  await expect(page.getByRole('article').last()).not.toHaveAttribute('aria-setsize', turns ?? '')
  await expect.poll(firstInSight).toEqual(before)

  await tool(service, sandboxAccount, `files/${id}/progress`, { progress_percent: 100 })
  await expect(page.getByText('Ready', { exact: true })).toBeVisible()
  await expect(page.getByText('Work in progress', { exact: true })).toBeHidden()
  await expect(page.getByRole('article').first()).toBeVisible()
})
