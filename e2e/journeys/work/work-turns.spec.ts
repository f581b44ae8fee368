import { expect, type Page } from '@playwright/test'
import type { DeskPart } from '../../../src/contract/work/parts.ts'
import { takeNext, text, typed, workPage } from '../../kit/staff-page.ts'
import { firstPart, giveWords, hire, orderTyping, test } from '../../kit/staff-work.ts'

/** Turns of two speakers, with one doubt each: the second word. */
function talk(...turns: string[]): DeskPart['words'] {
  const words = turns.flatMap((turn, index) => {
    const all = turn.split(' ')
    return all.map((word, at) => ({
      word,
      conf: at === 1 ? 0.2 : 0.99,
      speaker: index % 2,
      isLast: at === all.length - 1,
    }))
  })
  return words.map(({ isLast, ...word }, at) => ({
    ...{ ...word, start: at * 0.05, end: at * 0.05 + 0.05 },
    ...(isLast && { turn: true as const }),
  }))
}

const turnTexts = (page: Page) => text(page).getByRole('paragraph').allTextContents()
const doubts = (page: Page) => page.getByRole('toolbar', { name: 'Doubtful places' })

test('Ctrl-Enter splits a turn or adds one, and typing goes on in it', { tag: '@slow' }, async ({
  browser,
  service,
}) => {
  const page = await workPage(browser, service, await hire(service, 'Kay', 'typist'))
  const { id } = await orderTyping(service)
  await giveWords(service, await firstPart(service, id, 1), talk('it was money', 'so we came home', 'and that is'), [
    'Ann',
    'Bob',
  ])
  await takeNext(page, 'Type')
  await expect(doubts(page)).toContainText('“was” 20% sure · 1 of 3')
  const { keyboard } = page

  // At the end of a turn: a new one, for which letters are no commands.
  await keyboard.press('Enter')
  await expect(typed(page)).toBeFocused()
  await keyboard.press('Control+End')
  await keyboard.press('Control+Enter')
  await keyboard.type('no, yes any money you say')
  await expect(typed(page)).toHaveText('no, yes any money you say')
  await keyboard.press('Enter')
  const added = ['it was money', 'no, yes any money you say', 'so we came home', 'and that is']
  await expect.poll(() => turnTexts(page)).toEqual(added)
  await expect(page.getByText('1 of 3')).toBeVisible()

  // It is the next speaker's if that is said, and goes again if nothing is typed.
  await text(page).getByRole('article').nth(1).press('Enter')
  await keyboard.press('End')
  await keyboard.press('Control+Enter')
  await keyboard.press('Alt+2')
  await expect(text(page).getByRole('article').nth(2).getByRole('heading')).toHaveText('Bob')
  await keyboard.type('Bob says so')
  await keyboard.press('Control+Enter')
  await keyboard.press('Escape')
  await expect.poll(() => turnTexts(page)).toEqual([...added.slice(0, 2), 'Bob says so', ...added.slice(2)])

  // In the middle of one, the caret stays at the start of the second half; there nothing can be split.
  await text(page).getByRole('article').nth(3).press('Enter')
  await keyboard.press('Home')
  await keyboard.press('Control+ArrowRight')
  await keyboard.press('Control+ArrowRight')
  await keyboard.press('Control+Enter')
  await expect(typed(page)).toHaveText('came home')
  await keyboard.press('Control+Enter')
  await keyboard.type('yes ')
  await expect(typed(page)).toHaveText('yes came home')
  await keyboard.press('Enter')
  await expect
    .poll(() => turnTexts(page))
    .toEqual([...added.slice(0, 2), 'Bob says so', 'so we', 'yes came home', 'and that is'])
  await page.context().close()
})

test('a text that is typed from nothing has as many turns as are spoken', { tag: '@slow' }, async ({
  browser,
  service,
}) => {
  const page = await workPage(browser, service, await hire(service, 'Lee', 'typist'))
  const { id } = await orderTyping(service)
  await giveWords(service, await firstPart(service, id, 1), [], [])
  await takeNext(page, 'Type')
  await page.getByRole('button', { name: 'Begin to type' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Begin to type' }).click()
  for (const turn of ['Good morning', 'And to you']) {
    await page.keyboard.type(turn)
    await page.keyboard.press('Control+Enter')
    await expect(typed(page)).toHaveText('…')
  }
  await page.keyboard.type('Shall we')
  await page.keyboard.press('Enter')
  await expect.poll(() => turnTexts(page)).toEqual(['Good morning', 'And to you', 'Shall we'])
  await page.context().close()
})

test('what is typed right after Ctrl-F arrives in its field', { tag: '@slow' }, async ({ browser, service }) => {
  const page = await workPage(browser, service, await hire(service, 'Moe', 'typist'))
  const { id } = await orderTyping(service)
  await giveWords(service, await firstPart(service, id, 1), talk('it was money', 'so we came'), ['Ann', 'Bob'])
  // A slow line: the code of what is opened takes its time.
  await page.route(/assets\/.*\.js/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, /desk-page/.test(route.request().url()) ? 0 : 400))
    await route.continue()
  })
  await takeNext(page, 'Type')
  await expect(doubts(page)).toContainText('1 of 2')
  await page.keyboard.press('Control+f')
  await page.keyboard.type('Kynny', { delay: 20 })
  await expect(page.getByRole('searchbox', { name: 'Find in the transcript' })).toHaveValue('Kynny')
  await expect(doubts(page)).toContainText('“was” 20% sure · 1 of 2')
  await page.context().close()
})
