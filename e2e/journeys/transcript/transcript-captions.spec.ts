import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, type Page } from '@playwright/test'
import { openDb } from '../../../src/service/platform/db/open.ts'
import { openFsBlobStore } from '../../../src/service/platform/media/fs-blob-store.ts'
import { sendOneLate } from '../../kit/bad-network.ts'
import { openOn, sample } from '../../kit/devices.ts'
import { rowOf } from '../../kit/files-page.ts'
import { expectNoAxeFindings } from '../../kit/fixtures.ts'
import { openHarbour, storedDraft } from '../../kit/harbour-talk.ts'
import { tone } from '../../kit/recordings.ts'
import { test } from '../../kit/seeded-transcripts.ts'
import type { ServiceProcess } from '../../kit/service-process.ts'
import { openCaptions } from '../../kit/transcript-tasks.ts'

const run = promisify(execFile)

const options = (page: Page) => page.getByRole('listbox', { name: 'Captions' }).getByRole('option')
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Caption' })

async function listCaptions(page: Page): Promise<void> {
  await openCaptions(page)
  await expect(options(page).first()).toBeVisible()
}

test('captions are split, merged and timed by keys, which is undone and stays over a reload', { tag: '@slow' }, async ({
  page,
  account,
  seeded,
}) => {
  await openHarbour(page, account, seeded)
  await listCaptions(page)
  await expect(options(page)).toHaveCount(4)
  await page.getByRole('listbox', { name: 'Captions' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(options(page).nth(1)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('s')
  await expect(options(page)).toHaveCount(5)
  await expect(options(page).nth(1)).toContainText('Thank you, it is')
  await expect(options(page).nth(2)).toContainText('good to be here.')
  await page.keyboard.press('Control+z')
  await expect(options(page)).toHaveCount(4)
  await page.keyboard.press('Control+Shift+z')
  await expect(options(page)).toHaveCount(5)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(options(page)).toHaveCount(4)
  await page.getByRole('button', { name: 'Redo', exact: true }).click()
  await expect(options(page)).toHaveCount(5)
  await page.keyboard.press('Control+z')
  await expect(options(page)).toHaveCount(4)
  await page.keyboard.press('Control+y')
  await expect(options(page)).toHaveCount(5)
  // Moves the start a frame later, three times in quick succession.
  const begins = page.getByRole('slider', { name: 'Caption begins' })
  const before = Number(await begins.getAttribute('aria-valuenow'))
  for (let press = 0; press < 3; press++) await page.keyboard.press('.')
  await expect(begins).toHaveAttribute('aria-valuenow', String(before + 120))
  await begins.focus()
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(begins).toHaveAttribute('aria-valuenow', String(before))
  // The panel's tasks are covered: their keys leave them as they are.
  await page.keyboard.press('4')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('tab', { name: 'Captions' })).toHaveAttribute('aria-selected', 'true')
  // The text's keys go on.
  await expect(page.locator('article:focus')).toBeVisible()
  await page.reload()
  await listCaptions(page)
  await expect(options(page)).toHaveCount(5)
  await options(page).nth(1).click()
  await page.keyboard.press('m')
  await expect(options(page)).toHaveCount(4)
  await expect(options(page).nth(1)).toContainText('Thank you, it is good to be here.')
  // The last caption of a turn cannot be merged.
  await page.keyboard.press('m')
  await expect(page.getByText('The next caption is another turn: merge the turns first.')).toBeVisible()
})

test('captions are edited in place: text, line breaks, splits, merges and times, which the file has', {
  tag: '@slow',
}, async ({ page, account, seeded }) => {
  await openHarbour(page, account, seeded)
  await listCaptions(page)
  await expect(page).toHaveURL(/\/captions$/)
  const text = page.getByRole('textbox', { name: 'Text of this caption' })
  await options(page).nth(1).getByText('Thank you').dblclick()
  await expect(text).toHaveValue('Thank you, it is good to be here.')
  await text.press('Home')
  await page.keyboard.type('Many thanks to you,')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.press('Enter')
  await expect(options(page).nth(1)).toContainText('Many thanks to you, Thank you, it is good to be here.')
  // Enter has gone to the next one.
  await expect(
    page.getByRole('group', { name: 'Caption 3' }).getByRole('textbox', { name: 'Text of this caption' }),
  ).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('F2')
  for (let word = 0; word < 4; word++) await text.press('Control+ArrowRight')
  await text.press('Control+Enter')
  await expect(options(page)).toHaveCount(5)
  await expect(
    page.getByRole('group', { name: 'Caption 3' }).getByRole('textbox', { name: 'Text of this caption' }),
  ).toBeFocused()
  await expect(text).toHaveValue(/Thank you, it is good to be here/)
  // Its times are those of the list, and its speed is that of what is typed.
  const edited = page.getByRole('group', { name: 'Caption 3' })
  for (const name of ['Begins', 'Ends']) {
    const shown = async () =>
      (await options(page).nth(2).innerText()).includes(await edited.getByLabel(name).inputValue())
    await expect.poll(shown).toBe(true)
  }
  const speed = async () => Number(/([\d.]+)\/s/.exec(await edited.innerText())?.[1])
  const before = await speed()
  await page.keyboard.type('More of it. ')
  expect(await speed()).toBeGreaterThan(before)
  for (let letter = 0; letter < 'More of it. '.length; letter++) await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await expect(options(page)).toHaveCount(4)
  await expect(text).toHaveValue(/^Many\s+thanks\s+to\s+you,\s+Thank\s+you,/)
  await text.fill('Many thanks to you,\nThank you, it is good to be here.')
  await page.keyboard.press('Shift+Tab')
  const ends = page.getByRole('textbox', { name: 'Ends' })
  await ends.fill('banana')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('“banana” is not a time. Enter one such as 1:02.5.')
  await expect(ends).toBeFocused()
  await ends.fill('0:07.5')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(options(page).nth(1)).toContainText('0:07.50')
  // The file has what the list shows.
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download', exact: true }).click().then(() => page.getByRole('menuitem', { name: /^SRT/ }).click()), // biome-ignore format: one act
  ])
  // The closing menu gives the focus back to its button.
  await expect(page.getByRole('menu')).toBeHidden()
  const srt = await readFile(await file.path(), 'utf8')
  expect(srt).toMatch(/\n2\n\S+ --> 00:00:07,500\n- Many thanks to you,\nThank you, it is good to be here\.\n/)
  // A tab closed in the middle of an edit has kept it.
  await options(page).first().dblclick()
  await text.press('End')
  await page.keyboard.type(' Indeed')
  await expect.poll(() => storedDraft(page)).toContain('Indeed')
  await page.reload()
  await expect(options(page).first()).toContainText('Indeed')
})

test('a caption that is being typed is in the file that is saved meanwhile', async ({ page, account, seeded }) => {
  await openHarbour(page, account, seeded)
  await listCaptions(page)
  await options(page).nth(1).getByText('Thank you').dblclick()
  await page.getByRole('textbox', { name: 'Text of this caption' }).fill('Many thanks, it is good to be here.')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Download SRT/ }).click(),
  ])
  expect(await readFile(await file.path(), 'utf8')).toContain('Many thanks, it is good to be here.')
  await expect(page.getByRole('button', { name: 'Download SRT · corrected' })).toBeVisible()
})

test('an edge is dragged to a word, and the caption at the top stays there', async ({ page, account, seeded }) => {
  await openHarbour(page, account, seeded)
  await listCaptions(page)
  const ends = page.getByRole('slider', { name: 'Caption ends' })
  const before = Number(await ends.getAttribute('aria-valuenow'))
  const { x, y, width } = (await ends.boundingBox()) as { x: number; y: number; width: number }
  await page.mouse.move(x + width / 2, y + 20)
  await page.mouse.down()
  // Near the end of the seventh word, at 3.4 s.
  await page.mouse.move(x + width / 2 + ((3_400 - before) / 1_000) * 90 + 4, y + 20, { steps: 4 })
  await page.mouse.up()
  await expect(ends).toHaveAttribute('aria-valuenow', '3400')
  await bar(page).getByRole('button', { name: 'At the top of the picture' }).click()
  await expect(options(page).first().getByLabel('At the top')).toBeVisible()
  await bar(page).getByRole('button', { name: 'Automatic again' }).click()
  await expect(ends).toHaveAttribute('aria-valuenow', String(before))
  await page.getByRole('button', { name: 'Back to the text' }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
})

test('captions that break a rule are queued, and one click fixes those that only need other times', async ({
  page,
  account,
  seeded,
}) => {
  await openHarbour(page, account, seeded)
  await listCaptions(page)
  await expect(page.getByText('4 captions, all keep the rules')).toBeVisible()
  // Drags a caption's end so close to its start that it is unreadable.
  const ends = page.getByRole('slider', { name: 'Caption ends' })
  await ends.focus()
  for (let press = 0; press < 9; press++) await page.keyboard.press('Shift+ArrowLeft')
  await expect(page.getByText('4 captions, 1 breaks a rule')).toBeVisible()
  await options(page).nth(2).click()
  await page.keyboard.press('n')
  await expect(options(page).first()).toHaveAttribute('aria-selected', 'true')
  await expect(bar(page).getByRole('status')).toContainText('Too fast')
  await page.getByRole('button', { name: 'Fix timing' }).click()
  await expect(page.getByText('4 captions, all keep the rules')).toBeVisible()
  await page.getByRole('combobox', { name: 'Caption rules' }).selectOption({ label: 'DCMP rules' })
  await expect(page.getByText(/breaks? a rule|keep the rules/).first()).toBeVisible()
  // Own rules.
  await page.getByRole('button', { name: 'Change the rules' }).click()
  const rules = page.getByRole('dialog', { name: 'Caption rules' })
  await rules.getByLabel('Characters per line').fill('14')
  await rules.getByLabel('Longest (seconds)').fill('1')
  await expect(rules.getByRole('alert')).toContainText('longer than the longest')
  await expect(rules.getByRole('button', { name: 'Use these rules' })).toBeDisabled()
  await rules.getByLabel('Longest (seconds)').fill('4')
  await expectNoAxeFindings(page)
  await rules.getByRole('button', { name: 'Use these rules' }).click()
  await expect(options(page).nth(6)).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Caption rules' })).toHaveValue('own')
})

test('caption settings sync to another device', { tag: '@slow' }, async ({ browser, service, sandboxAccount }) => {
  const id = await sample(service, sandboxAccount)
  const desk = await openOn(browser, service, sandboxAccount, id)
  const sofa = await openOn(browser, service, sandboxAccount, id)
  for (const page of [desk, sofa]) await listCaptions(page)
  const first = (await options(sofa).first().textContent()) ?? ''
  await desk.keyboard.press('s')
  await expect(options(sofa).first()).not.toHaveText(first)
  for (const colorScheme of ['light', 'dark'] as const) {
    await desk.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expectNoAxeFindings(desk)
    for (const width of [1440, 1024, 390]) {
      await desk.setViewportSize({ width, height: width === 390 ? 844 : 900 })
      await expect(bar(desk).getByRole('button', { name: 'Play this caption' })).toBeInViewport({ ratio: 1 })
    }
  }
})

/** Makes a video the recording of a file. */
async function giveRecording(service: ServiceProcess, id: string, path: string, extension: string): Promise<void> {
  const blobs = await openFsBlobStore(join(service.dataDir, 'blobs'))
  await blobs.write(id, 'media', createReadStream(path))
  const db = await openDb(join(service.dataDir, 'parley.db'))
  const kind = { media_kind: 'video', media_extension: extension, bytes: (await stat(path)).size } as const
  await db.updateTable('files').set(kind).where('id', '=', id).execute()
  await db.destroy()
}

test('captions are shown on a local video, which is saved with them as a track', { tag: '@slow' }, async ({
  browser,
  service,
  sandboxAccount,
}) => {
  // It makes three videos.
  test.setTimeout(300_000)
  const id = await sample(service, sandboxAccount)
  const video = join(dirname(await tone(1)), 'talk.webm')
  const source = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=5:duration=120', '-f', 'lavfi', '-i', 'sine=d=120']
  await run('ffmpeg', ['-v', 'error', ...source, '-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus', video])
  await giveRecording(service, id, video, 'webm')
  const page = await openOn(browser, service, sandboxAccount, id)
  await listCaptions(page)
  await expect(page.locator('section video')).toBeVisible()
  await expect(page.locator('[data-shown-caption]')).toContainText('This is a sample')
  const download = page.waitForEvent('download', { timeout: 120_000 })
  await page.getByRole('button', { name: 'Video with captions as a track' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toBe('Shared talk captioned.webm')
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    '-show_entries',
    'stream=codec_name',
    '-of',
    'csv=p=0',
    await saved.path(),
  ])
  expect(stdout.trim().split('\n').toSorted()).toEqual(['opus', 'vp8', 'webvtt'])
  // What is being typed is in the next one: the press ends the typing.
  await sendOneLate(page, '**/corrections')
  await options(page).first().getByText('This is a sample').dblclick()
  await page.getByRole('textbox', { name: 'Text of this caption' }).fill('Typed without Enter')
  const typed = page.waitForEvent('download', { timeout: 120_000 })
  await page.getByRole('button', { name: 'Video with captions as a track' }).click()
  const track = ['-v', 'error', '-i', await (await typed).path(), '-map', '0:s', '-f', 'srt', '-']
  expect((await run('ffmpeg', track)).stdout).toContain('Typed without Enter')
  // Another one, for which nobody stays: the dock of any page tells of it, and it is saved there.
  await page.getByRole('button', { name: 'Ways to caption the video' }).click()
  const next = page.waitForEvent('download', { timeout: 120_000 })
  await page.getByRole('menuitem', { name: /Captions on the picture/ }).click()
  // A reload goes on waiting.
  const making = page.getByRole('status').filter({ hasText: 'Making the video' })
  await expect(making).toBeVisible()
  await page.reload()
  await expect(making).toBeVisible()
  await page.getByRole('button', { name: 'Back to the text' }).click()
  const dock = page.getByRole('region', { name: 'Captioned video' })
  await expect(dock).toContainText('Making the video')
  await expect(page.locator('video')).toBeVisible()
  await page.getByRole('link', { name: 'Back to files' }).click()
  await expect(rowOf(page, 'Shared talk').getByRole('link', { name: 'captions' })).toBeVisible()
  expect((await next).suggestedFilename()).toBe('Shared talk captioned.mp4')
  await expect(dock).toBeHidden()
})

test('a video that browsers cannot show gets a small picture, and captions snap to its shot changes', {
  tag: '@slow',
}, async ({ browser, service, sandboxAccount }) => {
  const id = await sample(service, sandboxAccount)
  const video = join(dirname(await tone(1)), 'talk.avi')
  // A cut every second.
  const source = ['-f', 'lavfi', '-i', "testsrc=s=320x180:r=10:d=120,negate=enable='lt(mod(t,2),1)'"]
  const sound = ['-f', 'lavfi', '-i', 'sine=d=120', '-c:a', 'libmp3lame']
  await run('ffmpeg', ['-v', 'error', ...source, ...sound, '-c:v', 'mpeg4', video])
  await giveRecording(service, id, video, 'avi')
  const page = await openOn(browser, service, sandboxAccount, id)
  await listCaptions(page)
  // It is made of two minutes of video, at low priority.
  await expect(page.locator('section video')).toBeVisible({ timeout: 80_000 })
  const width = () => page.locator('section video').evaluate((shown: HTMLVideoElement) => shown.videoWidth)
  await expect.poll(width).toBeGreaterThan(0)
  await expect(page.locator('[data-shot]').first()).toBeAttached()
  const begin = options(page)
    .nth(1)
    .getByText(/^\d+:\d\d\.\d\d\s+\d+:\d\d\.\d\d$/)
    .first()
  const before = await begin.textContent()
  await page.getByRole('button', { name: 'More for all captions' }).click()
  await page.getByRole('menuitem', { name: 'Snap to shot changes' }).click()
  await expect(page.getByText(/^\d+ captions? moved to shot changes$/)).toBeVisible()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(begin).toHaveText(before ?? '')
})
