import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import type { DeskPart } from '../../../src/contract/work/parts.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { ListedKeys } from '../../kit/listed-keys.ts'
import { beginToType, finish, takeNext, text, typed, workPage } from '../../kit/staff-page.ts'
import { firstPart, giveWords, hire, orderTyping, test } from '../../kit/staff-work.ts'

const sentence = 'the people of the town came down'.split(' ')
const turns = 12

/** A talk of two speakers with one doubt a turn: its fourth word, or fifth. */
function doubtfulTalk(): DeskPart['words'] {
  return Array.from({ length: turns * sentence.length }, (_, at) => {
    const [turn, word] = [Math.floor(at / sentence.length), at % sentence.length]
    const isDoubt = word === 3 + (turn % 2)
    return {
      word: isDoubt ? `wrong${turn}` : (sentence[word] ?? ''),
      start: at * 0.02,
      end: at * 0.02 + 0.02,
      conf: isDoubt ? 0.2 : 0.99,
      speaker: turn % 2,
      ...(word === sentence.length - 1 && { turn: true as const }),
    }
  })
}

test('doubts are corrected by the keys that the desk lists, without a mouse', { tag: '@slow' }, async ({
  browser,
  service,
}) => {
  const page = await workPage(browser, service, await hire(service, 'Kay', 'typist'))
  const { id } = await orderTyping(service)
  const part = await firstPart(service, id, 1)
  await giveWords(service, part, doubtfulTalk(), ['Ann Lee', 'Bob Okafor'])
  await takeNext(page, 'Type')
  const bar = page.getByRole('toolbar', { name: 'Doubtful places' })
  await expect(bar).toContainText(`“wrong0” 20% sure · 1 of ${turns}`)
  const keyboard = new ListedKeys(page)
  await keyboard.read()
  for (let turn = 0; turn < turns - 2; turn += 1) {
    await expect(bar).toContainText(`“wrong${turn}”`)
    if (turn % 3 === 0) await keyboard.press('Doubt: looks right, next')
    else {
      await keyboard.press('Doubt: correct it, Enter: next')
      await page.keyboard.type(`right${turn}`)
      await keyboard.press('Save')
    }
  }
  expect(keyboard.presses / (turns - 2)).toBeLessThanOrEqual(3)

  // The same within the text; the speaker is set without leaving the word.
  await expect(bar).toContainText('1 of 2')
  await keyboard.press('Type at next doubt')
  await expect(typed(page)).toBeFocused()
  await page.keyboard.type('other')
  await keyboard.press('Speaker: Ann Lee')
  await page.keyboard.type('wise')
  await keyboard.press('Toolbar')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemcheckbox', { name: 'Ann Lee' }).press('Enter')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(typed(page)).toBeFocused()
  await keyboard.press('[crosstalk]')
  await keyboard.press('Save')
  await expect(text(page)).toContainText('right8')
  await expect(text(page)).toContainText('otherwise [crosstalk]')
  await expect(page.getByRole('heading', { name: 'Ann Lee' })).toHaveCount(turns / 2 + 1)
  await expect(text(page)).toContainText('wrong9')

  // Find and replace, then finish; Escape leads back to the text each time.
  await keyboard.press('Find and replace')
  await expect(page.getByRole('searchbox', { name: 'Find in the transcript' })).toBeFocused()
  await page.keyboard.type('wrong9')
  await expect(page.getByText('1 of 1', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('article').filter({ hasText: 'wrong9' })).toBeFocused()
  await keyboard.press('Finish the part')
  await expect(page.getByRole('dialog', { name: 'Finish this part' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('article').filter({ hasText: 'wrong9' })).toBeFocused()
  await page.context().close()
})

test('a part taken again opens at a doubt that is left; keys, pedal switches and abbreviations are the typist’s own', {
  tag: '@slow',
}, async ({ browser, service }) => {
  const page = await workPage(browser, service, await hire(service, 'Lee', 'typist'))
  const { id } = await orderTyping(service)
  const part = await firstPart(service, id, 1)
  await giveWords(service, part, doubtfulTalk(), ['Ann Lee', 'Bob Okafor'])
  await takeNext(page, 'Type')
  const bar = page.getByRole('toolbar', { name: 'Doubtful places' })
  await expect(bar).toContainText('“wrong0”')
  await page.keyboard.press('y')
  await expect(bar).toContainText('“wrong1”')
  await page.getByRole('button', { name: 'Give back' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Give back' }).click()
  await takeNext(page, 'Type')
  await expect(bar).toContainText(`“wrong1” 20% sure · 1 of ${turns - 1}`)

  await page.keyboard.press('F1')
  await page.getByRole('button', { name: 'Another key: Doubt: looks right, next' }).click()
  await page.keyboard.press('F9')
  await page.getByRole('button', { name: 'Another key: Next doubt' }).click()
  await pressPedal(page)
  await expect(page.getByRole('listitem').filter({ hasText: /^Next doubt.*Right pedal/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('F9')
  await expect(bar).toContainText(`“wrong2” 20% sure · 1 of ${turns - 2}`)
  await pressPedal(page)
  await expect(bar).toContainText('“wrong3”')

  await page.getByLabel('Abbreviations to load').setInputFiles({
    ...{ name: 'mine.txt', mimeType: 'text/plain' },
    buffer: Buffer.from('bod\tboard of directors\nno tab\n'),
  })
  await expect(page.getByText('1 line left out')).toBeVisible()
  await page.getByLabel('Short', { exact: true }).fill('q.')
  await page.getByLabel('Written out').fill('question:')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as a file' }).click()
  const saved = await readFile(await (await saving).path(), 'utf8')
  expect(saved).toBe('bod\tboard of directors\nq.\tquestion:\n')
  await page.context().close()
})

test('a ticked item leaves the keys to the desk; Finish says what is missing; a deleted order offers nothing', {
  tag: '@slow',
}, async ({ browser, service }) => {
  const page = await workPage(browser, service, await hire(service, 'Fay', 'typist'))
  const { id, key } = await orderTyping(service)
  await firstPart(service, id, 1)
  await takeNext(page, 'Type')
  const points = page.getByRole('complementary').getByRole('checkbox')
  await points.first().focus()
  await page.keyboard.press('Control+Shift+Enter')
  const dialog = page.getByRole('dialog', { name: 'Finish this part' })
  const items = dialog.getByRole('checkbox')
  await expect(items).toHaveCount(await points.count())
  await expect(dialog).toContainText('Tick each item')
  await page.keyboard.press('Escape')
  for (const point of await points.all()) await point.check()
  await page.keyboard.press('Control+Shift+Enter')
  const reason = dialog.getByLabel('Why is that enough?')
  await reason.fill('ok')
  await expect(dialog.getByText('At least 10 characters.')).toBeVisible()
  await expect(items).toHaveCount(0)
  await expect(dialog.getByRole('button', { name: 'Finish' })).toBeDisabled()
  await reason.fill('Silence only')
  await expect(dialog.getByRole('button', { name: 'Finish' })).toBeEnabled()
  await page.keyboard.press('Escape')

  await askApi(service.url, key, `file/${id}`, { method: 'DELETE' })
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(page.getByRole('alert')).toContainText('The customer has deleted this order.')
  await expect(page.getByRole('link', { name: 'To the queue' }).last()).toBeVisible()
  await expect(page.getByRole('button', { name: /^(Copy the text|Take it again)$/ })).toHaveCount(0)
  await page.context().close()
})

test('two tabs of one typist: both versions of a turn are offered; a new tab of the session is signed in', {
  tag: '@slow',
}, async ({ browser, service }) => {
  const page = await workPage(browser, service, await hire(service, 'Max', 'typist'))
  const { id } = await orderTyping(service)
  await firstPart(service, id, 1)
  await takeNext(page, 'Type')
  // As a duplicated tab has it: the session, and the same store.
  const [second] = await Promise.all([page.waitForEvent('popup'), page.evaluate(() => void window.open(location.href))])
  await expect(second.getByText('Saved', { exact: false }).first()).toBeVisible()
  await beginToType(page)
  await page.keyboard.type('Version of tab one')
  await beginToType(second)
  await second.keyboard.type('Version of tab two')
  await second.keyboard.press('Enter')
  await expect(text(second)).toContainText('Version of tab two')
  await page.bringToFront()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Conflicts' })).toContainText('“Version of tab one”')
  await page.getByRole('button', { name: 'Choose' }).click()
  const dialog = page.getByRole('dialog', { name: 'Conflicts' })
  await expect(dialog).toContainText('Version of tab two')
  await dialog.getByRole('button', { name: 'Use mine' }).click()
  await expect(text(page)).toContainText('Version of tab one')
  await expect(text(second)).toContainText('Version of tab one')
  await page.context().close()
})

test('a review lists and tints what was typed; words marked by key go back with the part', { tag: '@slow' }, async ({
  browser,
  service,
}) => {
  const typist = await workPage(browser, service, await hire(service, 'Nia', 'typist'))
  const reviewer = await workPage(browser, service, await hire(service, 'Ora', 'reviewer'))
  const { id } = await orderTyping(service)
  const part = await firstPart(service, id, 1)
  await giveWords(service, part, doubtfulTalk(), ['Ann Lee', 'Bob Okafor'])
  await takeNext(typist, 'Type')
  await expect(typist.getByRole('toolbar', { name: 'Doubtful places' })).toContainText('“wrong0”')
  await typist.keyboard.press('Enter')
  await typist.keyboard.type('right0')
  await typist.keyboard.press('Enter')
  await expect(typist.getByRole('toolbar', { name: 'Doubtful places' })).toContainText('“wrong1”')
  // What is said to be right is no change.
  await typist.keyboard.press('y')
  await finish(typist)

  await takeNext(reviewer, 'Review')
  const panel = reviewer.getByRole('complementary', { name: 'Instructions' })
  await expect(panel.getByRole('button', { name: 'wrong0 right0' })).toBeVisible()
  await expect(panel.getByRole('heading', { name: '1 change since the step before' })).toBeVisible()
  const tinted = () => [...(CSS.highlights.get('changed-before') ?? [])].map(String)
  await expect.poll(() => reviewer.evaluate(tinted)).toEqual(['right0'])
  await reviewer.keyboard.press('d')
  await expect(reviewer.getByRole('article').first()).toBeFocused()
  await reviewer.keyboard.press('n')
  await expect(reviewer.getByRole('toolbar', { name: 'Doubtful places' })).toContainText('“wrong2”')
  await reviewer.keyboard.press('m')
  await expect(panel.getByRole('button', { name: 'No longer mark “wrong2”' })).toBeVisible()
  await reviewer.getByRole('button', { name: 'Send back' }).click()
  const dialog = reviewer.getByRole('dialog')
  await expect(dialog.getByText('With the marked words: “wrong2”')).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'Spelling or names are wrong' }).check()
  await dialog.getByRole('button', { name: 'Send back' }).click()
  await expect(reviewer.getByRole('heading', { name: 'Queue' })).toBeVisible()

  await takeNext(typist, 'Type')
  const places = typist.getByRole('complementary', { name: 'Instructions' })
  await places.getByRole('button', { name: /“wrong2”$/ }).press('Enter')
  await expect(typist.getByRole('article').nth(2)).toBeFocused()
  await typist.context().close()
  await reviewer.context().close()
})

/** A switch of a pedal acts as a key, whatever device it is on: see `pedal-actions.ts`. */
const pressPedal = (page: Page) =>
  page.evaluate(() =>
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'PedalRight', bubbles: true, cancelable: true }),
    ),
  )
