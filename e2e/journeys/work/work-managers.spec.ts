import { expect, type Locator, type Page } from '@playwright/test'
import { metadataHeader } from '../../../src/contract/interface/headers.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { expectNoAxeFindings } from '../../kit/fixtures.ts'
import type { ServiceProcess } from '../../kit/service-process.ts'
import { signIn, submitKey } from '../../kit/sign-in.ts'
import { workPage } from '../../kit/staff-page.ts'
import { askWork, doStep, firstPart, hire, orderTyping, percentOf, test } from '../../kit/staff-work.ts'

/** The card of a customer's order, with its parts. */
async function openCard(page: Page, customer: string) {
  await page.getByRole('link', { name: 'Orders' }).click()
  const card = page.getByRole('listitem').filter({ hasText: customer })
  const parts = card.getByRole('button', { name: 'Parts' })
  if ((await parts.getAttribute('aria-expanded')) !== 'true') await parts.press('Enter')
  return card
}

/** The parts available to a member of staff now. */
async function offeredTo(service: ServiceProcess, key: string): Promise<string[]> {
  const { parts } = await askWork<{ parts: { id: string }[] }>(service, key, 'queue')
  return parts.map(({ id }) => id)
}

test('a manager assigns a part to one typist and has it typed again; the typist finds it, others do not', {
  tag: '@slow',
}, async ({ browser, service }) => {
  const [ann, ben] = [await hire(service, 'Ann Only', 'typist'), await hire(service, 'Ben Else', 'typist')]
  const rea = await hire(service, 'Rea', 'reviewer')
  const { id, key } = await orderTyping(service, 'Assigned Ltd')
  const part = await firstPart(service, id, 1)
  const boss = await workPage(browser, service, await hire(service, 'Max', 'manager'))
  const card = await openCard(boss, 'Assigned Ltd')
  await card.getByLabel('Only for').selectOption({ label: 'Ann Only' })
  await expect.poll(() => offeredTo(service, ben)).not.toContain(part)
  expect(await offeredTo(service, ann)).toContain(part)
  await doStep(service, ann, part)
  expect(await percentOf(service, key, id)).toBe(60)
  await doStep(service, rea, part)
  const whole = await firstPart(service, id, 2)
  expect(whole).not.toBe(part)
  expect(await percentOf(service, key, id)).toBe(85)

  // Her page updates automatically.
  const typed = card.getByRole('row').filter({ hasText: 'Type by Ann Only: submitted' })
  const dialog = boss.getByRole('dialog')
  await typed.getByRole('button', { name: 'Text' }).press('Enter')
  // The first of the two words was typed in capitals.
  await expect(dialog.getByRole('listitem')).toContainText('HEARD')
  await expectNoAxeFindings(boss)
  await boss.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await typed.getByRole('button', { name: 'Reopen…' }).click()
  const reopen = dialog.getByRole('button', { name: 'Reopen' })
  await expect(reopen).toBeDisabled()
  await dialog.getByRole('checkbox').first().check()
  await expectNoAxeFindings(boss)
  await reopen.click()
  await expect(dialog).toHaveCount(0)
  await expect.poll(() => offeredTo(service, ann)).toContain(part)
  expect(await percentOf(service, key, id)).toBe(85)
  await boss.context().close()
})

test('a manager refunds an unintelligible recording: work ends, the customer sees why and is refunded', {
  tag: '@slow',
}, async ({ browser, service }) => {
  const typist = await hire(service, 'Tom', 'typist')
  const { id, key, account } = await orderTyping(service, 'Noise Ltd')
  const part = await firstPart(service, id, 1)
  const { claim } = await askWork<{ claim: number }>(service, typist, 'claims', { part })
  const boss = await workPage(browser, service, await hire(service, 'Ida', 'manager'))
  const card = await openCard(boss, 'Noise Ltd')
  await card.getByRole('button', { name: 'Refund…' }).click()
  const dialog = boss.getByRole('dialog')
  const refund = dialog.getByRole('button', { name: 'Refund' })
  await expect(refund).toBeDisabled()
  await dialog.getByLabel('Reason, which the customer reads').fill('There is only wind to be heard.')
  await expectNoAxeFindings(boss)
  await refund.click()
  // Behind an open dialog no card is found by its role.
  await expect(dialog).toHaveCount(0)
  await expect(card).toHaveCount(0)
  const told = await askApi(service.url, key, `file/${id}`, { method: 'HEAD' })
  expect(told.headers.get(metadataHeader)).toContain('There is only wind to be heard.')
  const customer = await (await browser.newContext({ baseURL: service.url.href })).newPage()
  await signIn(customer, key)
  const row = customer.getByText('Given up, refunded')
  await expect(row).toBeVisible()
  await expect(customer.getByText('There is only wind to be heard.')).toBeVisible()
  await expect(customer.getByRole('progressbar')).toHaveCount(0)
  await expect(row.locator('..')).not.toContainText(/Cannot be deleted|due /)
  await customer.goto(`/live/files/${id}`)
  await submitKey(customer, key)
  await expect(customer.getByText('It can be deleted at any time.')).toBeVisible()
  await customer.context().close()
  const ledger = await service.parley('ledger', account)
  expect(ledger).toContain('refund')
  // The previous typist no longer holds it.
  await expect(askWork(service, typist, `parts/${part}`, undefined, claim)).rejects.toThrow(/answered 4/)
  await boss.context().close()
})

test('if two managers refund or reopen the same at once, one succeeds and the other gets a message', {
  tag: '@slow',
}, async ({ browser, service }) => {
  const [typist, reviewer] = [await hire(service, 'Nora', 'typist'), await hire(service, 'Oli', 'reviewer')]
  const { id, account } = await orderTyping(service, 'Twice Ltd')
  const part = await firstPart(service, id, 1)
  await doStep(service, typist, part)
  await doStep(service, reviewer, part)
  await firstPart(service, id, 2)
  const bosses = await Promise.all(
    ['Moe', 'Noa'].map(async (name) => await workPage(browser, service, await hire(service, name, 'manager'))),
  )
  const cards = await Promise.all(bosses.map((boss) => openCard(boss, 'Twice Ltd')))

  /** Both open the dialog before either submits. @returns the dialog that stays open, and its message */
  async function bothAtOnce(open: string, submit: string, fill: (dialog: Locator) => Promise<void>): Promise<string[]> {
    for (const card of cards) await card.getByRole('button', { name: open }).first().click()
    const dialogs = bosses.map((boss) => boss.getByRole('dialog'))
    for (const dialog of dialogs) await fill(dialog)
    await Promise.all(dialogs.map((dialog) => dialog.getByRole('button', { name: submit }).click()))
    await expect.poll(async () => (await Promise.all(dialogs.map((each) => each.count()))).toSorted()).toEqual([0, 1])
    return (await Promise.all(dialogs.map((each) => each.allInnerTexts()))).flat()
  }

  const [told] = await bothAtOnce('Reopen…', 'Reopen', (dialog) => dialog.getByRole('checkbox').first().check())
  expect(told).toContain('This part is being typed.')
  for (const boss of bosses) {
    const dialog = boss.getByRole('dialog')
    if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Cancel' }).click()
  }
  const [refused] = await bothAtOnce('Refund…', 'Refund', (dialog) =>
    dialog.getByLabel('Reason, which the customer reads').fill('There is only wind to be heard.'),
  )
  expect(refused).toContain('This order has been refunded already.')
  expect((await service.parley('ledger', account)).match(/refund/g)).toHaveLength(1)
  for (const boss of bosses) await boss.context().close()
})

test('a manager who is about to refund a file that another has just refunded gets a message', { tag: '@slow' }, async ({
  browser,
  service,
}) => {
  await orderTyping(service, 'Meanwhile Ltd')
  const bosses = await Promise.all(
    ['Pia', 'Quin'].map(async (name) => await workPage(browser, service, await hire(service, name, 'manager'))),
  )
  const cards = await Promise.all(bosses.map((boss) => openCard(boss, 'Meanwhile Ltd')))
  const dialogs = bosses.map((boss) => boss.getByRole('dialog'))
  for (const [index, card] of cards.entries()) {
    await card.getByRole('button', { name: 'Refund…' }).click()
    await dialogs[index]?.getByLabel('Reason, which the customer reads').fill('There is only wind to be heard.')
  }
  await dialogs[0]?.getByRole('button', { name: 'Refund' }).click()
  // By text: content behind a dialog has no role. The next poll removes it, after 15 s at most.
  for (const boss of bosses) await expect(boss.getByText('Meanwhile Ltd')).toHaveCount(0, { timeout: 75_000 })
  await dialogs[1]?.getByRole('button', { name: 'Refund' }).click()
  await expect(dialogs[1] as Locator).toContainText('This order has been refunded already.')
  for (const boss of bosses) await boss.context().close()
})

test('a manager sees a re-review with a separate due date, and assigns it to a reviewer', { tag: '@slow' }, async ({
  browser,
  service,
}) => {
  const [typist, reviewer] = [await hire(service, 'Uwe', 'typist'), await hire(service, 'Vera Once', 'reviewer')]
  const other = await hire(service, 'Xenia', 'reviewer')
  const { id, key } = await orderTyping(service, 'Again Ltd')
  const part = await firstPart(service, id, 1)
  await doStep(service, typist, part)
  await doStep(service, reviewer, part)
  const whole = await firstPart(service, id, 2)
  await doStep(service, other, whole)
  await expect.poll(() => percentOf(service, key, id)).toBe(100)
  const body = JSON.stringify({ places: [{ start: 0, end: 1, note: 'The name is wrong' }] })
  const headers = { 'content-type': 'application/json' }
  const asked = await askApi(service.url, key, `../account/files/${id}/re-review`, { method: 'POST', headers, body })
  expect(asked.status).toBe(204)
  const boss = await workPage(browser, service, await hire(service, 'Kim', 'manager'))
  const card = await openCard(boss, 'Again Ltd')
  await expect(card.getByText('Re-review', { exact: true })).toBeVisible()
  await expect(card).toContainText(/due in \d+ (h|days) \(/)
  await expect(card.getByRole('button', { name: 'Refund…' })).toHaveCount(0)
  const open = card.getByRole('row').filter({ has: boss.getByLabel('Only for') })
  await open.getByLabel('Only for').selectOption({ label: 'Vera Once' })
  await expect.poll(() => offeredTo(service, other)).not.toContain(whole)
  expect(await offeredTo(service, reviewer)).toContain(whole)
  await doStep(service, reviewer, whole, 'Mended')
  await expect(card).toHaveCount(0)
  expect(await percentOf(service, key, id)).toBe(100)
  await boss.context().close()
})

test('a reviewer who signs in after a manager starts at the queue, not at a page for managers', async ({
  browser,
  service,
}) => {
  const boss = await workPage(browser, service, await hire(service, 'Mia', 'manager'))
  await boss.getByRole('link', { name: 'Orders' }).click()
  await expect(boss.getByRole('heading', { name: 'Orders' })).toBeVisible()
  await boss.getByRole('button', { name: 'Sign out' }).click()
  await expect(boss.getByLabel('Staff key', { exact: true })).toBeVisible()
  await submitKey(boss, await hire(service, 'Rob', 'reviewer'))
  await expect(boss.getByRole('heading', { name: 'Queue' })).toBeVisible()
})
