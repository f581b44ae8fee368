import { execFile } from 'node:child_process'
import { stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, type Page } from '@playwright/test'
import { expectNoAxeFindings } from './fixtures.ts'
import { tone } from './recordings.ts'
import { openTranscript, test, txtOf, untilCorrectable, wordsOf } from './seeded-transcripts.ts'

const run = promisify(execFile)

const talk = Array.from({ length: 60 }, (_, index) => `Turn ${index} says that the mill stood by the river.`).join('|')
const mill = { name: 'Mill talk', json: JSON.stringify(wordsOf(talk)), txt: txtOf(talk), seconds: 8 }

const player = (page: Page) => page.getByRole('region', { name: 'Player' })
const attach = (page: Page, path: string) => page.locator('input[accept^="audio"]').setInputFiles(path)
const seconds = (page: Page) => page.evaluate(() => document.querySelector('video')?.currentTime ?? -1)

/** Selects letters of a turn, as a drag over them does. */
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

test('a recording on this device is attached, doubted where it does not fit, looped and checked by ear', async ({
  page,
  account,
  seeded,
}) => {
  const right = await tone(8, 'Mill talk.wav')
  const broken = join(dirname(right), 'broken.wav')
  await writeFile(broken, 'no sound at all')
  const id = await seeded.seed(account, { ...mill, bytes: (await stat(right)).size })
  await openTranscript(page, account, id)
  await untilCorrectable(page)
  await attach(page, broken)
  await expect(player(page)).toContainText('“broken.wav” has another name')
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Use it' }).click()
  await expect(player(page)).toContainText('This recording does not play in this browser.')
  await attach(page, await tone(3, 'Other.wav'))
  await page.getByRole('button', { name: 'Use it' }).click()
  await expect(page.getByText('Its length is not that of the order.').first()).toBeVisible()
  await page.reload()
  await untilCorrectable(page)
  await attach(page, right)
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  expect(await page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe('Mill talk')

  // The first three words again and again: the sound comes back to them.
  await select(page, 0, 0, 'Turn 0 says'.length)
  await page.getByRole('button', { name: 'Loop the selected words' }).click()
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.8)
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 9) < 0.5)
  await page.getByRole('button', { name: 'Stop looping' }).click()
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1.6)

  // Doubtful words by key: heard, and said to be right.
  const region = page.getByRole('region', { name: 'Transcript' })
  await region.focus()
  await page.keyboard.press('n')
  const doubts = page.getByRole('toolbar', { name: 'Doubtful words' })
  await expect(doubts).toContainText('“that” 30 % sure')
  await page.waitForFunction(() => document.querySelector('video')?.paused === false)
  await page.waitForFunction(() => document.querySelector('video')?.paused === true)
  expect(await seconds(page)).toBeLessThan(4)
  await expectNoAxeFindings(page)
  await page.keyboard.press('n')
  await expect(doubts).toContainText('“Turn” 30 % sure')
  await page.keyboard.press('Shift+N')
  await expect(doubts).toContainText('“that” 30 % sure')
  const count = page.getByText(/^\d+ words$/)
  await expect(count).toHaveText('86 words')
  await doubts.getByRole('button', { name: 'Looks right' }).click()
  await expect(count).toHaveText('85 words')
  await page.getByRole('slider', { name: /^Doubtful below/ }).fill('0.96')
  await expect(count).toHaveText('599 words')
})

test('a selection across turns out of sight is copied whole; a quote has its speaker, time and link', async ({
  page,
  account,
  context,
  seeded,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const id = await seeded.seed(account, mill)
  await openTranscript(page, account, id)
  await untilCorrectable(page)
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
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
  await expect.poll(async () => (await copied()).split('\n').length).toBe(59)
  expect(await copied()).toMatch(/^Bob Okafor: Turn 1 says .*\nAnn Lee: Turn 2 says /)

  await reader.evaluate((element) => element.scrollTo(0, 0))
  await expect(page.getByText('Turn 0 says')).toBeVisible()
  await select(page, 1, 0, 'Turn 1 says'.length)
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect.poll(copied).toMatch(/^“Turn 1 says” \(Bob Okafor, 00:05\)\nhttp\S+#w=10-12$/)

  // The link leads back to the very words, here and from the palette, which finds them without the transcript open.
  await page.getByRole('link', { name: 'Back to the files' }).click()
  await expect(page.getByRole('link', { name: 'Mill talk' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go to a file or do something' }).fill('turn 57 SAYS')
  const hit = page.getByRole('option', { name: /Turn 57 says that the mill/ })
  await expect(hit).toBeVisible()
  await expectNoAxeFindings(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#w=570-572$/)
  await expect(page.getByText('Turn 57 says')).toBeVisible()

  // On the device stands only what the key opens.
  const kept = await page.evaluate(async () => {
    const open = indexedDB.open('parley-words')
    await new Promise((resolve) => open.addEventListener('success', resolve))
    const all = open.result.transaction('sealed').objectStore('sealed').getAll()
    await new Promise((resolve) => all.addEventListener('success', resolve))
    open.result.close()
    return (all.result as { data: ArrayBuffer }[]).map(({ data }) => new TextDecoder('latin1').decode(data))
  })
  expect(kept).toHaveLength(1)
  expect(kept.join('')).not.toContain('mill')
})

test('a picture is small and grows by its corner; without highlights words are marked by boxes; all of it is printed', async ({
  page,
  account,
  seeded,
}) => {
  const video = join(dirname(await tone(1)), 'Mill talk.webm')
  const source = ['-f', 'lavfi', '-i', 'testsrc=size=160x90:rate=5:duration=8', '-f', 'lavfi', '-i', 'sine=duration=8']
  await run('ffmpeg', ['-v', 'error', ...source, '-c:v', 'libvpx', '-c:a', 'libopus', video])
  const id = await seeded.seed(account, { ...mill, bytes: (await stat(video)).size, media_kind: 'video' })
  await page.addInitScript(() => {
    Object.defineProperty(window, 'Highlight', { value: undefined })
  })
  await openTranscript(page, account, id)
  await untilCorrectable(page)
  await attach(page, video)
  const picture = page.locator('video')
  await expect(picture).toBeVisible()
  const small = await picture.boundingBox()
  await page.mouse.move((small?.x ?? 0) + 3, (small?.y ?? 0) + (small?.height ?? 0) - 3)
  await page.mouse.down()
  await page.mouse.move((small?.x ?? 0) - 100, (small?.y ?? 0) + (small?.height ?? 0) - 3, { steps: 4 })
  await page.mouse.up()
  await expect.poll(async () => (await picture.boundingBox())?.width ?? 0).toBeGreaterThan((small?.width ?? 0) + 60)

  await page.keyboard.press('/')
  await page.keyboard.type('river')
  await expect(page.getByRole('search').getByText(/^1 of 60/)).toBeVisible()
  await expect(page.locator('.mark-find-current')).toBeVisible()

  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  await expect(page.getByRole('heading', { name: 'Bob Okafor · 04:25' })).toBeVisible()
  await expect(page.getByText('Turn 59 says that the mill stood by the river.')).toBeVisible()
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await page.emulateMedia({ media: 'screen' })
  await expect(page.getByRole('region', { name: 'Transcript' })).toBeVisible()
})
