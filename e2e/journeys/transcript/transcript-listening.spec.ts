import { execFile } from 'node:child_process'
import { stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, type Page } from '@playwright/test'
import { expectNoAxeFindings } from '../../kit/fixtures.ts'
import { tone } from '../../kit/recordings.ts'
import { seedFiles } from '../../kit/seed-files.ts'
import {
  automated,
  openTranscript,
  type Seeded,
  type SeededService,
  test,
  txtOf,
  untilCorrectable,
  wordsOf,
} from '../../kit/seeded-transcripts.ts'
import type { NewAccount } from '../../kit/service-process.ts'
import { openTask } from '../../kit/transcript-tasks.ts'

const run = promisify(execFile)

const talk = Array.from({ length: 60 }, (_, index) => `Turn ${index} says that the mill stood by the river.`).join('|')
const mill = { name: 'Mill talk', json: JSON.stringify(wordsOf(talk)), txt: txtOf(talk), seconds: 8 }

const player = (page: Page) => page.getByRole('region', { name: 'Player' })
const attach = (page: Page, path: string) => page.locator('input[accept^="audio"]').setInputFiles(path)
const seconds = (page: Page) => page.evaluate(() => document.querySelector('video')?.currentTime ?? -1)

/** Selects characters of a turn, like dragging over them. */
async function select(page: Page, turn: number, from: number, to: number): Promise<void> {
  const paragraph = page.getByRole('article').nth(turn).getByRole('paragraph')
  await paragraph.evaluate(
    (element, [start, end]) => {
      const node = element.firstChild
      if (node !== null) document.getSelection()?.setBaseAndExtent(node, start, node, end)
    },
    [from, to] as const,
  )
}

/** Opens the talk about the mill, ready to be corrected. @param more overrides for its file */
async function openMill(page: Page, account: NewAccount, seeded: SeededService, more: Partial<Seeded> = {}) {
  await openTranscript(page, account, await seeded.seed(account, { ...mill, ...more }))
  await untilCorrectable(page)
}

/** Opens it with its recording attached from this device. */
async function openWithSound(page: Page, account: NewAccount, seeded: SeededService): Promise<void> {
  const sound = await tone(8, 'Mill talk.wav')
  await openMill(page, account, seeded, { bytes: (await stat(sound)).size, options: automated })
  await attach(page, sound)
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
}

test('a file whose recording and words are lost says so', async ({ page, account, service }) => {
  const [id = ''] = await seedFiles(service.dataDir, account.account, 'live', [{ name: 'Lost talk' }])
  await openTranscript(page, account, id)
  await expect(player(page).getByRole('status')).toHaveText(/^The recording of this file was lost.* To listen, choose/)
  await expect(page.getByText(/^The words of this file were lost or damaged/)).toBeVisible()
})

test('a local recording is used, with a warning if its name or length differs', async ({ page, account, seeded }) => {
  const right = await tone(8, 'Mill talk.wav')
  const broken = join(dirname(right), 'broken.wav')
  await writeFile(broken, 'no sound at all')
  await openMill(page, account, seeded, { bytes: (await stat(right)).size })
  await attach(page, broken)
  await expect(player(page)).toContainText('“broken.wav” has a different name')
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Use it' }).click()
  await expect(player(page)).toContainText('This browser cannot play this recording.')
  await attach(page, await tone(3, 'Other.wav'))
  await page.getByRole('button', { name: 'Use it' }).click()
  await expect(page.getByText('Its length does not match the order.').first()).toBeVisible()
  await page.reload()
  await untilCorrectable(page)
  await attach(page, right)
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await expect.poll(() => page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe('Mill talk')
})

test('selected words are looped until stopped', async ({ page, account, seeded }) => {
  await openWithSound(page, account, seeded)
  await select(page, 0, 0, 'Turn 0 says'.length)
  await page.getByRole('button', { name: 'Loop the selected words' }).click()
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.8)
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 9) < 0.5)
  await page.getByRole('button', { name: 'Stop looping' }).click()
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1.6)
})

test('doubtful words are stepped through by key, each is played, and one is confirmed', { tag: '@slow' }, async ({
  page,
  account,
  seeded,
}) => {
  await openWithSound(page, account, seeded)
  await page.getByRole('region', { name: 'Transcript' }).focus()
  // It is short enough to be over before the bar is seen.
  const played = page.evaluate(
    () => new Promise((resolve) => document.querySelector('video')?.addEventListener('pause', resolve, { once: true })),
  )
  await page.keyboard.press('n')
  const doubts = page.getByRole('toolbar', { name: 'Doubtful places' })
  await expect(doubts).toContainText('“that” 30% sure · 1 of 86')
  await played
  expect(await seconds(page)).toBeLessThan(4)
  await expectNoAxeFindings(page)
  await page.keyboard.press('n')
  await expect(doubts).toContainText('“Turn” 30% sure')
  await page.keyboard.press('Shift+N')
  await expect(doubts).toContainText('“that” 30% sure')
  await page.keyboard.press('Escape')
  await expect(doubts).toBeHidden()
  await page.keyboard.press('n')
  await expect(doubts).toContainText('“that” 30% sure')
  // From the turn at hand.
  await page.keyboard.press('Escape')
  await page.getByRole('article').nth(6).focus()
  await page.keyboard.press('n')
  await expect(doubts).toBeVisible()
  const focused = await page.locator('article:focus').getAttribute('data-block')
  // A doubt may begin with the last words of the turn before.
  expect(Number(focused)).toBeGreaterThanOrEqual(5)
  await page.keyboard.press('Escape')
  await page.getByRole('article').first().focus()
  await page.keyboard.press('n')
  // From its buttons, too.
  await doubts.getByRole('button', { name: 'Play again' }).press('Escape')
  await expect(doubts).toBeHidden()
  await page.getByRole('article').first().focus()
  await page.keyboard.press('n')
  await expect(doubts).toContainText('“that” 30% sure')
  await openTask(page, 'Read')
  const count = page.getByRole('button', { name: /^\d+ to check/ })
  await expect(count).toHaveText(/^86 to check/)
  await doubts.getByRole('button', { name: 'Looks right' }).click()
  await expect(count).toHaveText(/^85 to check/)
  const amount = page.getByRole('combobox', { name: 'Underline doubtful words' })
  await amount.selectOption('none')
  await expect(count).toBeHidden()
  expect(await underlined(page)).toEqual([])
  await amount.selectOption('few')
  await expect(count).toHaveText(/^85 to check/)
  // A percentage that was chosen with the slider of former versions.
  await page.evaluate(() => localStorage.setItem('parley.reading', '{"doubtBelow":0.96}'))
  await page.reload()
  await expect(count).toHaveText(/^2 to check/)
  await expect(page.getByText('Underline: below 96%')).toBeVisible()
  await amount.selectOption('few')
  await expect(count).toHaveText(/^8[56] to check/)
  // By mouse, Done goes on to the next as Enter does.
  await count.click()
  const placeAndCount = /\d+ of \d+$/
  const before = placeAndCount.exec(await doubts.getByText(placeAndCount).innerText())?.[0] ?? ''
  await doubts.getByRole('button', { name: 'Correct' }).click()
  await page.keyboard.insertText('corrected')
  await page.getByRole('toolbar', { name: 'Correcting a turn' }).getByRole('button', { name: 'Done' }).click()
  const left = Number(before.split(' of ')[1]) - 1
  await expect(doubts.getByText(placeAndCount)).toHaveText(new RegExp(` of ${left}$`))
})

test('a manual transcript has no doubtful words: people have checked all of them', async ({
  page,
  account,
  seeded,
}) => {
  await openMill(page, account, seeded)
  const panel = page.getByRole('complementary', { name: 'Tasks' })
  await openTask(page, 'Read')
  await expect(panel.getByRole('switch', { name: 'Times' })).toBeVisible()
  await expect(panel.getByText(/^Underline/)).toHaveCount(0)
  expect(await underlined(page)).toEqual([])
})

/** The doubts underlined in the first turn. */
async function underlined(page: Page): Promise<string[]> {
  return await page
    .getByRole('article')
    .first()
    .evaluate((turn) => {
      const ranges = [...(CSS.highlights.get('doubt') ?? [])] as Range[]
      return ranges.filter((range) => !range.collapsed && turn.contains(range.startContainer)).map(String)
    })
}

test('Enter corrects the doubt at hand, wherever it was stepped to from; a turn left as it was keeps its doubts', async ({
  page,
  account,
  seeded,
}) => {
  await openWithSound(page, account, seeded)
  const doubts = page.getByRole('toolbar', { name: 'Doubtful places' })
  const field = page.getByRole('textbox', { name: 'Text of this turn' })
  await openTask(page, 'Read')
  await page.getByRole('button', { name: /^\d+ to check/ }).click()
  await expect(doubts).toContainText('“that” 30% sure · 1 of 86')
  await page.getByRole('button', { name: 'Copy' }).focus()
  await page.keyboard.press('n')
  await doubts.getByRole('button', { name: 'Previous doubtful place' }).click()
  await expect(page.getByRole('article').first()).toBeFocused()
  await expect(doubts).toContainText('1 of 86')
  const before = await underlined(page)
  expect(before).toContain('that')
  await page.keyboard.press('Enter')
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(field).toBeHidden()
  expect(await underlined(page)).toEqual(before)
  await doubts.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('article').first().focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('x')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await expect(field).toBeHidden()
  expect(await underlined(page)).toEqual(before)
})

test.describe('the clipboard', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })
  const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

  test('a selection over turns out of sight is copied whole', async ({ page, account, seeded }) => {
    await openMill(page, account, seeded)
    const from = await page.getByRole('article').nth(1).getByRole('paragraph').boundingBox()
    await page.mouse.move((from?.x ?? 0) + 2, (from?.y ?? 0) + 10)
    await page.mouse.down()
    await page.mouse.move((from?.x ?? 0) + 60, (from?.y ?? 0) + 12)
    const reader = page.getByRole('region', { name: 'Transcript' })
    await reader.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await expect(page.getByText('Turn 59 says')).toBeVisible()
    const to = await page.getByRole('article').last().getByRole('paragraph').boundingBox()
    await page.mouse.move((to?.x ?? 0) + 150, (to?.y ?? 0) + 14)
    await page.mouse.up()
    await page.keyboard.press('Control+c')
    await expect.poll(async () => (await copied(page)).split('\n').length).toBe(59)
    expect(await copied(page)).toMatch(/^Bob Okafor: Turn 1 says .*\nAnn Lee: Turn 2 says /)
  })

  test('a quote is copied with its speaker, time and link', async ({ page, account, seeded }) => {
    await openMill(page, account, seeded)
    await select(page, 1, 0, 'Turn 1 says'.length)
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await expect.poll(() => copied(page)).toMatch(/^“Turn 1 says” \(Bob Okafor, 00:05\)\nhttp\S+#w=10-12$/)
  })
})

test('the picture of a video is small and grows by its corner', async ({ page, account, seeded }) => {
  const video = join(dirname(await tone(1)), 'Mill talk.webm')
  const source = ['-f', 'lavfi', '-i', 'testsrc=size=160x90:rate=5:duration=8', '-f', 'lavfi', '-i', 'sine=duration=8']
  await run('ffmpeg', ['-v', 'error', ...source, '-c:v', 'libvpx', '-c:a', 'libopus', video])
  await openMill(page, account, seeded, { bytes: (await stat(video)).size, media_kind: 'video' })
  await attach(page, video)
  const picture = page.locator('video')
  await expect(picture).toBeVisible()
  const small = await picture.boundingBox()
  await page.mouse.move((small?.x ?? 0) + 3, (small?.y ?? 0) + (small?.height ?? 0) - 3)
  await page.mouse.down()
  await page.mouse.move((small?.x ?? 0) - 100, (small?.y ?? 0) + (small?.height ?? 0) - 3, { steps: 4 })
  await page.mouse.up()
  await expect.poll(async () => (await picture.boundingBox())?.width ?? 0).toBeGreaterThan((small?.width ?? 0) + 60)
  // It hides none of the text's end.
  const reader = page.getByRole('region', { name: 'Transcript' })
  for (const viewport of [
    { width: 1024, height: 768 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport)
    const gap = async () => {
      await reader.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      const text = await page.getByText('Turn 59 says').boundingBox({ timeout: 1_000 })
      return ((await picture.boundingBox())?.y ?? 0) - (text?.y ?? 0) - (text?.height ?? 0)
    }
    await expect.poll(gap).toBeGreaterThan(0)
  }
})

/** The box is a little wider than the word; a line is 29 high. Pixels. */
const nearby = 4
/** How far the box behind the spoken word is from the word, in pixels. */
const boxOffset = (page: Page) =>
  page.evaluate(() => {
    const box = document.querySelector('.highlight-spoken')?.getBoundingClientRect()
    const [range] = [...(CSS.highlights.get('spoken') ?? [])] as Range[]
    const word = range?.getBoundingClientRect()
    return box && word ? Math.hypot(box.x - word.x, box.y - word.y) : Number.POSITIVE_INFINITY
  })

test('the box of the spoken word is at the word, also in a text that was scrolled or made smaller by a bar', async ({
  page,
  account,
  seeded,
}) => {
  await openWithSound(page, account, seeded)
  await page.getByText('Turn 0 says').click({ position: { x: 30, y: 10 } })
  await expect.poll(() => boxOffset(page)).toBeLessThan(nearby)
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  const reader = page.getByRole('region', { name: 'Transcript' })
  await reader.hover()
  await page.mouse.wheel(0, 52)
  await expect.poll(() => reader.evaluate((element) => element.scrollTop)).toBe(52)
  expect(await boxOffset(page)).toBeLessThan(nearby)
  await page.keyboard.press('n')
  await expect(page.getByRole('toolbar', { name: 'Doubtful places' })).toBeVisible()
  await expect.poll(() => boxOffset(page)).toBeLessThan(nearby)
})

test('a browser without highlights marks words by boxes', async ({ page, account, seeded }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'Highlight', { value: undefined })
  })
  await openMill(page, account, seeded)
  await page.keyboard.press('/')
  await page.keyboard.type('river')
  await expect(page.getByRole('search').getByText(/^1 of 60/)).toBeVisible()
  await expect(page.locator('.highlight-find-current')).toBeVisible()
})

test('all of a transcript is printed, not only the visible part', async ({ page, account, seeded }) => {
  await openMill(page, account, seeded)
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  await expect(page.getByRole('heading', { name: 'Bob Okafor · 04:25' })).toBeVisible()
  await expect(page.getByText('Turn 59 says that the mill stood by the river.')).toBeVisible()
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await page.emulateMedia({ media: 'screen' })
  await expect(page.getByRole('region', { name: 'Transcript' })).toBeVisible()
})
