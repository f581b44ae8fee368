import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { WordRecord } from '../src/contract/words.ts'
import { askApi } from '../src/service/testing/ask-api.ts'
import { tool } from './files-page.ts'
import { expectNoAxeFindings, test } from './fixtures.ts'
import { clip, sharedSpeech, speak } from './recordings.ts'
import type { ServiceProcess } from './service-process.ts'
import { signIn } from './sign-in.ts'

/** Orders a recording by the REST interface and waits until its transcript is ready. @returns its id and words */
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

/** Opens a transcript by its address, signing in on the way. The tab keeps the key, so that it can be loaded again. */
async function open(page: Page, key: string, id: string, hash = ''): Promise<void> {
  await signIn(page, key, { at: `/live/files/${id}${hash}`, keep: true })
  await expect(page.getByRole('article').first()).toBeVisible()
}

/** The middle of a word as it stands on the screen. */
async function wordPoint(page: Page, word: string): Promise<{ x: number; y: number }> {
  const point = await page.evaluate((wanted) => {
    for (const paragraph of document.querySelectorAll('[role="feed"] p')) {
      const at = (paragraph.textContent ?? '').search(new RegExp(`\\b${wanted}\\b`, 'i'))
      if (at < 0 || paragraph.firstChild === null) continue
      const range = document.createRange()
      range.setStart(paragraph.firstChild, at)
      range.setEnd(paragraph.firstChild, at + wanted.length)
      const { left, top, width, height } = range.getBoundingClientRect()
      return { x: left + width / 2, y: top + height / 2 }
    }
    return null
  }, word)
  if (point === null) throw new Error(`“${word}” is not on the screen.`)
  return point
}

/** The word that is highlighted as spoken, as the browser paints it. */
const spokenWord = (page: Page) =>
  page.evaluate(() => [...(CSS.highlights.get('spoken') ?? [])].map((range) => String(range)).join(''))

const text = (page: Page) => page.getByRole('feed', { name: 'Turns' })

const sentence = 'The mill stood by the river. People forget that it was a loud place to live.'

test('the spoken word is highlighted within 100 ms of its time, on a clip with known word times', async ({
  page,
  service,
  account,
}) => {
  test.skip(sharedSpeech === null, 'The shared speech clips are missing.')
  const known = clip('acoustic_corpus')
  const { id, words } = await order(service, account.key, known.path)
  await open(page, account.key, id)
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await page.evaluate(() => {
    const seen: [number, string][] = []
    const media = document.querySelector('video') as HTMLVideoElement
    // Read once a frame, after all that the page does for it: a machine that is busy makes frames late, not wrong.
    const look = () => {
      const spoken = [...(CSS.highlights.get('spoken') ?? [])].map((range) => String(range)).join('')
      seen.push([media.currentTime, spoken])
      if (!media.ended && media.currentTime < 14) requestAnimationFrame(() => setTimeout(look))
      else document.body.dataset.seen = JSON.stringify(seen)
    }
    look()
  })
  await expect(page.locator('body')).toHaveAttribute('data-seen', /./, { timeout: 40_000 })
  const seen = JSON.parse((await page.locator('body').getAttribute('data-seen')) ?? '[]') as [number, string][]
  const shown = seen.filter(([, word]) => word !== '')
  expect(shown.length).toBeGreaterThan(10)

  // Against the words of the transcript: at each look the word is the one of that time, give or take 100 ms.
  const isSpoken = ([seconds, word]: [number, string]) =>
    words.some((record, index) => {
      const until = words[index + 1]?.start ?? Number.POSITIVE_INFINITY
      return record.word === word && seconds > record.start - 0.1 && seconds < until + 0.1
    })
  const right = shown.filter(isSpoken)
  expect(right.length / shown.length).toBeGreaterThan(0.95)

  // Against what was really said: the words that the recogniser got right and placed right.
  const bare = (word: string) => word.toLowerCase().replaceAll(/[^a-z']/g, '')
  const rightlySaid = shown.filter(([seconds, word]) =>
    known.words.some(([said, start, end]) => said === bare(word) && seconds > start - 0.1 && seconds < end + 0.1),
  )
  const heard = shown.filter(([, word]) => known.words.some(([said]) => said === bare(word)))
  expect(rightlySaid.length / heard.length).toBeGreaterThan(0.8)
})

test('a click on a word plays from it; the keys play, skip and change the speed', async ({
  page,
  service,
  account,
}) => {
  const { id, words } = await order(service, account.key, await speak(sentence))
  await open(page, account.key, id)
  const last = words[Math.floor(words.length / 2)] as WordRecord
  const { x, y } = await wordPoint(page, last.word.replaceAll(/\W/g, ''))
  await page.mouse.click(x, y)
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
  expect(await page.evaluate(() => document.querySelector('video')?.currentTime)).toBeGreaterThan(0.3)
  await page.keyboard.press('Space')
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await page.keyboard.press(']')
  await expect(page.getByRole('button', { name: 'Speed 1.25×' })).toBeVisible()
  expect(await page.evaluate(() => document.querySelector('video')?.preservesPitch)).toBe(true)
  const place = page.getByRole('slider', { name: 'Place in the recording' })
  await place.press('Home')
  await expect(place).toHaveAttribute('aria-valuenow', '0')
  await page.goto(`/live/files/${id}#t=${last.start + 0.01}`)
  await expect(text(page)).toBeVisible()
  await expect.poll(() => spokenWord(page)).toBe(last.word)
})

test('finding, correcting, undoing and reloading lose nothing, and two tabs agree', async ({
  page,
  service,
  account,
}) => {
  const { id, words } = await order(service, account.key, await speak(sentence))
  await open(page, account.key, id)
  const first = words[0]?.word ?? ''
  await page.keyboard.press('/')
  await page.keyboard.type(first)
  await expect(page.getByRole('search').getByText(/^1 of \d/)).toBeVisible()
  await page.keyboard.press('Escape')

  const paragraph = page.getByRole('article').first().getByRole('paragraph')
  const before = await paragraph.textContent()
  await paragraph.dblclick({ position: { x: 8, y: 12 } })
  const field = page.getByRole('textbox', { name: 'Text of this turn' })
  await field.press('Home')
  await field.pressSequentially('Indeed <b>markup</b> ')
  await field.press('Enter')
  const corrected = `Indeed <b>markup</b> ${before}`
  await expect(paragraph).toHaveText(corrected)
  await expect(page.getByRole('status').filter({ hasText: /^1 place · saved/ })).toBeVisible()

  await page.reload()
  await expect(paragraph).toHaveText(corrected)

  const other = await page.context().newPage()
  await open(other, account.key, id)
  await expect(other.getByRole('article').first().getByRole('paragraph')).toHaveText(corrected)
  await page.keyboard.press('Control+z')
  await expect(paragraph).toHaveText(before ?? '')
  await expect(other.getByRole('article').first().getByRole('paragraph')).toHaveText(before ?? '')
  await page.keyboard.press('Control+Shift+z')
  await expect(paragraph).toHaveText(corrected)

  // A speaker gets a name of its own, everywhere at once.
  await page
    .getByRole('button', { name: /^Rename / })
    .first()
    .click()
  await page.getByLabel(/^New name of/).fill('Ada Obi')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article').first().getByRole('heading', { name: 'Ada Obi' })).toBeVisible()

  // By keyboard alone: into the turns, Enter to correct, a split at the caret.
  await page.getByRole('region', { name: 'Transcript' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(field).toBeFocused()
  await field.press('Home')
  await field.press('Control+ArrowRight')
  await field.press('Control+Enter')
  await expect(paragraph).toHaveText('Indeed')
  await page.keyboard.press('Control+z')
  await expect(paragraph).toHaveText(corrected)
})

test('every format can be taken away from the menu', async ({ page, service, account }) => {
  const { id } = await order(service, account.key, await speak(sentence, 'mill.wav'))
  await open(page, account.key, id)
  for (const format of ['TXT', 'DOC', 'PDF', 'ODT', 'SRT', 'SBV', 'JSON']) {
    await page.getByRole('button', { name: 'Download' }).click()
    const download = page.waitForEvent('download')
    await page
      .getByRole('menuitem', { name: new RegExp(`^${format}`) })
      .first()
      .click()
    expect((await download).suggestedFilename()).toBe(`mill.${format.toLowerCase()}`)
  }
})

test('axe finds nothing at three widths, in both themes, while reading, finding and correcting', async ({
  page,
  service,
  account,
}) => {
  const { id } = await order(service, account.key, await speak(sentence))
  await open(page, account.key, id)
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expect(page.getByRole('article').first()).toBeVisible()
      await expectNoAxeFindings(page)
    }
    await page
      .getByRole('article')
      .first()
      .getByRole('paragraph')
      .dblclick({ position: { x: 8, y: 12 } })
    await expect(page.getByRole('toolbar', { name: 'Correcting a turn' })).toBeVisible()
    await expectNoAxeFindings(page)
    await page.keyboard.press('Escape')
  }
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
  expect(await firstInSight()).toEqual(before)

  await tool(service, sandboxAccount, `files/${id}/progress`, { progress_percent: 100 })
  await expect(page.getByText('Ready', { exact: true })).toBeVisible()
  await expect(page.getByText('Work in progress', { exact: true })).toBeHidden()
  await expect(page.getByRole('article').first()).toBeVisible()
})
