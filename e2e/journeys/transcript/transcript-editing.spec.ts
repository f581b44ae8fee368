import { stat } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { expectNoAxeFindings } from '../../kit/fixtures.ts'
import { correct, field, harbour, openHarbour, placeOf, saved, turn } from '../../kit/harbour-talk.ts'
import { tone } from '../../kit/recordings.ts'
import { automated, openTranscript, type SeededService, test, untilCorrectable } from '../../kit/seeded-transcripts.ts'
import type { NewAccount } from '../../kit/service-process.ts'
import { openTask } from '../../kit/transcript-tasks.ts'

const seconds = (page: Page) => page.evaluate(() => document.querySelector('video')?.currentTime ?? -1)
const isPlaying = (page: Page, playing: boolean) =>
  page.waitForFunction((wanted) => document.querySelector('video')?.paused === !wanted, playing)
const reader = (page: Page) => page.getByRole('region', { name: 'Transcript' })

/** Opens a talk with its recording attached from this device: 16 s, a word every half second. */
async function openWithSound(page: Page, account: NewAccount, seeded: SeededService, text: string): Promise<void> {
  const sound = await tone(16, 'Harbour talk.wav')
  const id = await seeded.seed(account, {
    ...harbour(text),
    seconds: 16,
    bytes: (await stat(sound)).size,
    options: automated,
  })
  await openTranscript(page, account, id)
  await untilCorrectable(page)
  await page.locator('input[accept^="audio"]').setInputFiles(sound)
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
}

const mill = 'Good morning and welcome to the harbour talk.|Thank you, it is good to be here.|People forget the mill.'

/** Changes the settings for playback while typing. */
async function choose(page: Page, change: (dialog: ReturnType<Page['getByRole']>) => Promise<void>): Promise<void> {
  await openTask(page, 'Edit')
  await page.getByRole('button', { name: 'Playback settings…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Playback settings' })
  await change(dialog)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

test('fillers are reviewed, removed at once, and restored by one undo', async ({ page, account, seeded }) => {
  const before = ['Um, we took an umbrella, uh, to the harbour.', 'Yes, um, people forget the mill, um.']
  const id = await seeded.seed(account, harbour(before.join('|')))
  await openTranscript(page, account, id)
  await untilCorrectable(page)
  await openTask(page, 'Edit')
  await page.getByRole('button', { name: 'Fillers…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Remove filler words' })
  await expect(dialog.getByRole('checkbox', { name: 'um 3' })).toBeFocused()
  await expect(dialog.getByRole('listitem')).toHaveText([
    '00:00 Um, we took an umbrella,',
    '00:02we took an umbrella, uh, to the harbour.',
    '00:05Yes, um, people forget the mill,',
    '00:07people forget the mill, um.',
  ])
  await expectNoAxeFindings(page)
  await dialog.getByRole('checkbox', { name: 'uh 1' }).uncheck()
  await expect(dialog.getByRole('listitem')).toHaveCount(3)
  await dialog.getByRole('checkbox', { name: 'uh 1' }).check()
  await dialog.getByRole('button', { name: 'Remove 4 words' }).click()
  await expect(turn(page, 0)).toHaveText('We took an umbrella to the harbour.')
  await expect(turn(page, 1)).toHaveText('Yes, people forget the mill.')
  await reader(page).focus()
  await page.keyboard.press('Control+z')
  for (const [index, text] of before.entries()) await expect(turn(page, index)).toHaveText(text)
})

test('one key deletes the selected words, the doubtful ones, the spoken one, or the one at the caret', async ({
  page,
  account,
  seeded,
}) => {
  await openWithSound(page, account, seeded, mill)
  await turn(page, 2).evaluate((paragraph) => {
    const node = paragraph.firstChild as Text
    document.getSelection()?.setBaseAndExtent(node, 0, node, 'People forget'.length)
  })
  await page.keyboard.press('Delete')
  await expect(turn(page, 2)).toHaveText('The mill.')
  await page.keyboard.press('Control+z')
  await expect(turn(page, 2)).toHaveText('People forget the mill.')

  await page.keyboard.press('n')
  const doubts = page.getByRole('toolbar', { name: 'Doubtful places' })
  await expect(doubts).toContainText('“welcome” 30% sure · 1 of 3')
  await page.keyboard.press('Delete')
  await expect(turn(page, 0)).toHaveText('Good morning and to the harbour talk.')
  await expect(doubts).toContainText('“it” 30% sure · 1 of 2')
  await doubts.getByRole('button', { name: 'Close' }).click()

  // A busy machine is slower than half a second between two keys.
  await page.locator('video').evaluate((video: HTMLVideoElement) => {
    video.playbackRate = 0.1
  })
  await page.mouse.click(...(await placeOf(page, 'talk')))
  await isPlaying(page, true)
  await page.keyboard.press('Space')
  await isPlaying(page, false)
  await page.keyboard.press('Backspace')
  await expect(turn(page, 0)).toHaveText('Good morning and to the harbour.')

  await page.mouse.dblclick(...(await placeOf(page, 'Thank')))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Alt+Delete')
  await expect(field(page)).toHaveText('you, it is good to be here.')
  await page.keyboard.press('Control+z')
  await expect(field(page)).toHaveText('Thank you, it is good to be here.')
  await page.keyboard.press('End')
  await page.keyboard.press('Alt+Delete')
  await page.keyboard.press('Enter')
  await expect(turn(page, 1)).toHaveText('Thank you, it is good to be')
  // Keys on a control next to the text apply to that control.
  await openTask(page, 'Read')
  await page.getByRole('button', { name: 'Rename Ann Lee' }).focus()
  await page.keyboard.press('Delete')
  await expect(turn(page, 0)).toHaveText('Good morning and to the harbour.')
  await saved(page, 3)
})

test('while one types, pedals play, wind and change the speed; a pause goes back; the turn is looped', {
  tag: '@slow',
}, async ({ page, account, seeded }) => {
  await openWithSound(page, account, seeded, mill)
  await choose(page, async (dialog) => {
    await dialog.getByText('2 s').click()
    await expectNoAxeFindings(page)
  })
  await page.mouse.dblclick(...(await placeOf(page, 'it')))
  await expect(field(page)).toBeFocused()
  const begun = await seconds(page)
  await page.keyboard.press('F8')
  await expect.poll(() => seconds(page)).toBeCloseTo(begun + 5, 1)
  await page.keyboard.press('F4')
  await isPlaying(page, true)
  await page.keyboard.type('this')
  const heardMs = Date.now()
  const heard = await seconds(page)
  await page.keyboard.press('F4')
  await isPlaying(page, false)
  const paused = await seconds(page)
  // A browser rounds its times to microseconds.
  expect(paused).toBeGreaterThanOrEqual(heard - 2.001)
  expect(paused).toBeLessThanOrEqual(heard - 2 + (Date.now() - heardMs) / 1_000)
  await page.keyboard.press('F7')
  await expect.poll(() => seconds(page)).toBeCloseTo(paused - 5, 1)
  await page.keyboard.press('F2')
  await expect(page.getByRole('button', { name: 'Speed 0.75×' })).toBeVisible()
  for (let times = 0; times < 6; times++) await page.keyboard.press('F3')
  await expect(page.getByRole('button', { name: 'Speed 2.5×' })).toBeVisible()
  await expect(field(page)).toHaveText('Thank you, this is good to be here.')

  // The second turn lasts from 4 s to 8 s, the third to 10 s.
  await page.keyboard.press('F10')
  const comesRound = async (from: number, to: number) => {
    await page.waitForFunction((late) => (document.querySelector('video')?.currentTime ?? 0) > late, to - 1)
    await page.waitForFunction((early) => (document.querySelector('video')?.currentTime ?? 99) < early, from + 1)
    expect(await seconds(page)).toBeGreaterThanOrEqual(from)
  }
  await comesRound(4, 8)
  await page.keyboard.press('Tab')
  await comesRound(8, 10)
  await page.keyboard.press('Escape')
  await isPlaying(page, false)
  await expect(page.getByRole('button', { name: 'Stop looping' })).toBeHidden()

  // It is now the account's setting, also in other tabs.
  await page.keyboard.press('?')
  await expect(page.getByText('Back and forward 5 seconds; held down, they wind')).toBeVisible()
  await page.keyboard.press('Escape')
  await choose(page, async (dialog) => {
    await expect(dialog.getByRole('switch', { name: 'Loop the turn while I type in it' })).toBeChecked()
    await expect(dialog.getByRole('radio', { name: '2 s' })).toBeChecked()
  })
})

test('a click can place the caret instead of playing, also from one edited turn to the next', async ({
  page,
  account,
  seeded,
}) => {
  await openWithSound(page, account, seeded, mill)
  await choose(page, (dialog) => dialog.getByText('Places the caret').click())
  await page.reload()
  await untilCorrectable(page)
  await page.mouse.click(...(await placeOf(page, 'harbour')))
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('X')
  await expect(field(page)).toHaveText(/the h\w*Xu?\w* talk/)
  await isPlaying(page, false)

  await page.mouse.click(...(await placeOf(page, 'forget')))
  await page.keyboard.type('Y')
  await expect(field(page)).toHaveText(/^People \w*Y\w* the mill\.$/)
  await page.mouse.dblclick(...(await placeOf(page, 'mill')))
  await page.keyboard.type('river')
  await page.keyboard.press('Enter')
  await expect(turn(page, 2)).toHaveText(/the river\.$/)
  await saved(page, 3)
})

test("typed words are checked against the order's spelling", async ({ page, account, seeded }) => {
  const options = { transcript_type: 'manual', spelling_style: 'british' } as const
  const id = await seeded.seed(account, { ...harbour(mill), options })
  await openTranscript(page, account, id)
  await untilCorrectable(page)
  await page.mouse.dblclick(...(await placeOf(page, 'harbour')))
  await expect(field(page)).toHaveAttribute('lang', 'en-GB')
  await expect(field(page)).toHaveAttribute('spellcheck', 'true')
  await page.keyboard.press('Escape')
  await expect(turn(page, 0)).not.toHaveAttribute('lang')
})

test('a long name takes its place at once: nothing lies over anything, nothing jumps', async ({
  page,
  account,
  seeded,
}) => {
  await openHarbour(page, account, seeded)
  for (const width of [1440, 1024, 700]) {
    await page.setViewportSize({ width, height: 800 })
    await correct(page, 0, 'talk.', 'talk at the mill. '.repeat(4))
    const name = `Dr Katherine Whitfield-Okonkwo of the Harbour Board of ${width}`
    if (width > 960) {
      await openTask(page, 'Read')
      await page
        .getByRole('button', { name: /^Rename/ })
        .first()
        .click()
      await page.keyboard.type(name)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name }).first()).toHaveAttribute('title', name)
    }
    const boxes = await page.getByRole('article').evaluateAll((all) =>
      all.map((one) => {
        const part = (selector: string) => (one.querySelector(selector) as Element).getBoundingClientRect()
        const { top, bottom } = one.getBoundingClientRect()
        return { top, bottom, time: part('time').bottom, text: part('p').bottom, name: part('h2').height }
      }),
    )
    for (const [index, { bottom, time, text, name: height }] of boxes.entries()) {
      expect(Math.max(time, text), `turn ${index} at ${width}`).toBeLessThanOrEqual(bottom)
      expect(height).toBeLessThanOrEqual(41)
      if (index > 0) expect(boxes[index]?.top).toBeCloseTo(boxes[index - 1]?.bottom ?? 0, 0)
    }
  }
})
