import { expect } from '@playwright/test'
import type { DeskPart } from '../../../src/contract/work/parts.ts'
import { expectNoAxeFindings } from '../../kit/fixtures.ts'
import { takeNext, text, typed, workPage } from '../../kit/staff-page.ts'
import { askWork, doStep, firstPart, giveWords, hire, orderTyping, test } from '../../kit/staff-work.ts'

const talk: DeskPart['words'] = 'it was money so we came home with the money'
  .split(' ')
  .map((word, at) => ({ word, start: at * 0.05, end: at * 0.05 + 0.05, conf: 0.99, speaker: 0 }))

test('Finish says that a text is empty and asks why; its points are ticked there; managers see it', {
  tag: '@slow',
}, async ({ browser, service }) => {
  const page = await workPage(browser, service, await hire(service, 'Kay', 'typist'))
  const { id } = await orderTyping(service, 'Empty Ltd')
  await giveWords(service, await firstPart(service, id, 1), talk, ['Ann'])
  await takeNext(page, 'Type')
  await text(page).getByRole('article').first().press('Enter')
  await expect(typed(page)).toBeFocused()
  for (const key of ['ControlOrMeta+a', 'Delete', 'Enter', 'Control+Shift+Enter']) await page.keyboard.press(key)
  const dialog = page.getByRole('dialog', { name: 'Finish this part' })
  await expect(dialog).toContainText('It goes on to the next step.')
  await expect(dialog.getByText('The text is empty.')).toBeVisible()
  await expect(dialog).toContainText('A manager looks at it before it is paid')
  const points = dialog.getByRole('checkbox')
  await expect(points.first()).toBeFocused()
  const reason = dialog.getByLabel('Why is that enough?')
  await expect(reason).toBeVisible()
  await expectNoAxeFindings(page)
  for (const point of await points.all()) await point.check()
  const submit = dialog.getByRole('button', { name: 'Finish' })
  await expect(submit).toBeDisabled()
  await reason.fill('Nobody speaks here')
  await submit.click()
  await expect(page.getByRole('heading', { name: 'Queue' })).toBeVisible()
  await page.context().close()

  const boss = await workPage(browser, service, await hire(service, 'Max', 'manager'))
  await boss.getByRole('link', { name: 'Orders' }).click()
  const card = boss.getByRole('listitem').filter({ hasText: 'Empty Ltd' })
  await expect(card.getByText('1 odd step to decide')).toBeVisible()
  await card.getByRole('button', { name: 'Parts' }).press('Enter')
  await expect(card.getByRole('row').filter({ hasText: 'Kay' })).toContainText(
    'no words, 10 changed: “Nobody speaks here”',
  )
  await expect(card.getByText('no words', { exact: true }).last()).toHaveClass(/text-warn/)
  await boss.context().close()
})

test('Finish of a check says how much its checker heard, and where the text goes', async ({ browser, service }) => {
  const staff = [await hire(service, 'Tom', 'typist'), await hire(service, 'Rea', 'reviewer')]
  const page = await workPage(browser, service, await hire(service, 'Cleo', 'reviewer'))
  const { id } = await orderTyping(service)
  const part = await firstPart(service, id, 1)
  for (const key of staff) await doStep(service, key, part)
  await takeNext(page, 'Check')
  await page.getByRole('button', { name: 'Finish' }).click()
  const dialog = page.getByRole('dialog', { name: 'Finish this part' })
  await expect(dialog).toContainText('The text goes to the customer.')
  await expect(dialog).toContainText('You have heard 0 % of the sound yourself')
  await expect(dialog).toContainText('before it is paid and delivered: too little of it was heard')
  await page.context().close()
})

test('words are replaced by keys alone, and Escape leads back to the text', { tag: '@slow' }, async ({
  browser,
  service,
}) => {
  const page = await workPage(browser, service, await hire(service, 'Lee', 'typist'))
  const { id } = await orderTyping(service)
  await giveWords(service, await firstPart(service, id, 1), talk, ['Ann'])
  await takeNext(page, 'Type')
  const { keyboard } = page
  await keyboard.press('Control+f')
  await keyboard.type('money')
  const open = page.getByRole('button', { name: 'Replace…' })
  await open.press('Enter')
  const field = page.getByLabel('Replace with')
  await expect(field).toBeFocused()
  await keyboard.type('honey')
  await keyboard.press('Enter')
  await expect(text(page)).toContainText('it was honey so we came home with the money')
  await expect(field).toBeFocused()
  await page.getByRole('button', { name: 'Replace all 1' }).press('Enter')
  await expect(text(page)).toContainText('with the honey')
  await expect(field).toBeFocused()
  await keyboard.press('Escape')
  await expect(open).toBeFocused()
  await keyboard.press('Escape')
  await expect(page.getByRole('searchbox')).toHaveCount(0)
  await expect(text(page).getByRole('article').first()).toBeFocused()
  await page.context().close()
})

test('the queue fits a phone, and T goes on with the part that is held', async ({ browser, service }) => {
  const [typist, reviewer] = [await hire(service, 'Moe', 'typist'), await hire(service, 'Rea', 'reviewer')]
  const { id } = await orderTyping(service)
  const part = await firstPart(service, id, 1)
  await doStep(service, typist, part)
  const { claim } = await askWork<{ claim: number }>(service, reviewer, 'claims', { part })
  const reasons = ['missing', 'inaudible', 'instructions']
  await askWork(service, reviewer, `parts/${part}/reopen`, { reasons }, claim)
  await orderTyping(service)
  const page = await workPage(browser, service, typist)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByText('Once more')).toBeVisible()
  const width = () => page.getByRole('table').evaluate((table) => table.getBoundingClientRect().right)
  expect(await width()).toBeLessThanOrEqual(390)

  await page.getByRole('row').filter({ hasText: 'Once more' }).getByRole('button').click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Type: ')
  const desk = page.url()
  await page.getByRole('link', { name: 'Queue' }).click()
  await expect(page.getByRole('link', { name: 'Go on with it' })).toBeVisible()
  await page.keyboard.press('t')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Type: ')
  expect(page.url()).toBe(desk)
  await page.context().close()
})
