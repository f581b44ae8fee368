import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { plainSentence, speak } from '../../../src/service/recognition/testing/speak.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import { expectOrders, fillTray, payButton } from '../../kit/order-page.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { signIn } from '../../kit/sign-in.ts'
import { cutInTwo, doStep, firstPart, hire, orderTyping, partsOf, percentOf } from '../../kit/staff-work.ts'
import { openTask } from '../../kit/transcript-tasks.ts'

/** Types, reviews and checks an order through the API. @returns the order, and who may re-review it: not the reviewer */
async function deliveredOrder(service: ServiceProcess) {
  const [typist, reviewer] = [await hire(service, 'Ann', 'typist'), await hire(service, 'Cleo', 'reviewer')]
  const checker = await hire(service, 'Dan', 'reviewer')
  const order = await orderTyping(service)
  await expect.poll(async () => (await partsOf(service, order.id)).length).toBeGreaterThan(0)
  const [part = ''] = await partsOf(service, order.id)
  await doStep(service, typist, part)
  await doStep(service, reviewer, part)
  await expect.poll(async () => (await partsOf(service, order.id)).length).toBe(2)
  const [whole = ''] = await partsOf(service, order.id)
  await doStep(service, checker, whole)
  await expect.poll(() => percentOf(service, order.key, order.id)).toBe(100)
  return { ...order, checker, whole }
}

const turns = (page: Page) => page.getByRole('feed', { name: 'Turns' })
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Places to be re-reviewed' })

test('a customer requests a re-review: places marked by key and by mouse, sent once, and the new text arrives', {
  tag: '@slow',
}, async ({ browser, service }) => {
  const { id, key, checker, whole } = await deliveredOrder(service)
  const page = await (await browser.newContext({ baseURL: service.url.href })).newPage()
  await signIn(page, key, { at: `/live/files/${id}`, keep: true })
  await openTask(page, 'Edit')
  await page.getByRole('button', { name: 'Mark places' }).press('Enter')
  await expect(bar(page)).toContainText('0 places marked')
  // With the keyboard: only the turn that has the focus.
  await page.keyboard.press('m')
  await expect(bar(page)).toContainText('1 place marked')
  await page.keyboard.press('m')
  await expect(bar(page)).toContainText('0 places marked')
  // With the mouse: selected words.
  const text = turns(page).locator('.block-text').first()
  const { x, y } = (await text.boundingBox()) as { x: number; y: number }
  await page.mouse.move(x + 2, y + 12)
  await page.mouse.down()
  await page.mouse.move(x + 60, y + 12, { steps: 4 })
  await page.mouse.up()
  await bar(page).getByRole('button', { name: 'Mark', exact: true }).click()
  await expect(bar(page)).toContainText('1 place marked')
  await expect.poll(() => page.evaluate(() => CSS.highlights.get('re-review')?.size)).toBe(1)
  await expectNoAxeFindings(page)
  await bar(page).getByRole('button', { name: 'List and send' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/What is wrong at 0:0/).fill('The name is wrong')
  await expectNoAxeFindings(page)

  // A colleague was faster: an error message explains it, and nothing is sent twice.
  const path = `../account/files/${id}/re-review`
  const places = [{ start: 0, end: 1, note: 'Mine' }]
  const headers = { 'content-type': 'application/json' }
  const asked = await askApi(service.url, key, path, { method: 'POST', headers, body: JSON.stringify({ places }) })
  expect(asked.status).toBe(204)
  await dialog.getByRole('button', { name: 'Send 1 place' }).click()
  await expect(page.getByText('that can be done once')).toBeVisible()
  await expect(page.getByText('Your re-review is being worked on: 1 place.')).toBeVisible()
  expect(await percentOf(service, key, id)).toBe(100)

  await doStep(service, checker, whole, 'Mended')
  await expect(page.getByText('Your re-review is done: a new version of this transcript has arrived.')).toBeVisible()
  await expect(turns(page)).not.toContainText('Mended')
  await page.getByRole('button', { name: 'Show it' }).click()
  await expect(turns(page)).toContainText('Mended')
  await expect(page.getByText(/Your re-review was done today, .* It can be asked for once\./)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Mark places' })).toHaveCount(0)
  await page.context().close()
})

/** The words highlighted as spoken. */
const spoken = (page: Page) => page.evaluate(() => [...(CSS.highlights.get('spoken') ?? [])].join(''))

test('a text in progress shows what is missing and what is new, and can be played along', { tag: '@slow' }, async ({
  browser,
  service,
}) => {
  const typist = await hire(service, 'Ben', 'typist')
  const { id, key } = await orderTyping(service)
  const first = await firstPart(service, id, 1)
  await cutInTwo(service, first, 2, 'a young woman')
  await doStep(service, typist, first)
  const page = await (await browser.newContext({ baseURL: service.url.href })).newPage()
  await signIn(page, key, { at: `/live/files/${id}`, keep: true })
  await expect(page.getByText('1 of 2 parts typed, none reviewed')).toBeVisible()
  await expect(turns(page)).toContainText('[0:02 to 0:04: not typed yet]')
  await expect(turns(page)).toContainText('HEARD ')
  await expect(page.getByText('new since you looked last')).toHaveCount(0)
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: /^Play 0:00 to 0:02: typed/ }).click()
  await expect.poll(() => spoken(page)).toMatch(/^\w+$/)
  await expect.poll(() => spoken(page)).toBe('[0:02 to 0:04: not typed yet]')

  await page.goto('about:blank')
  await doStep(service, typist, `${first}2`, 'an')
  await page.goto(`${service.url.href}live/files/${id}`)
  await expect(turns(page)).toContainText('an young woman')
  await page.getByRole('button', { name: '1 part new since you looked last' }).press('Enter')
  const news = turns(page).getByRole('article').filter({ hasText: 'an young woman' })
  await expect(news.getByText('New', { exact: true })).toBeVisible()
  await expect(turns(page).getByText('New', { exact: true })).toHaveCount(1)
  await expect(page.getByRole('button', { name: /^Play 0:02 to 0:04: typed, new$/ })).toBeVisible()
  await expectNoAxeFindings(page)
  await page.reload()
  await expect(turns(page)).toContainText('an young woman')
  await expect(page.getByText('new since you looked last')).toHaveCount(0)
  await page.context().close()
})

test('a service without typing says so on the order page and offers automated; nothing is charged', {
  tag: '@slow',
}, async ({ browser }) => {
  const service = await ServiceProcess.start({ MANUAL_ORDERS: 'off', OFFLINE: '1', LOG_LEVEL: 'warn' })
  try {
    const account = await service.createAccount('live')
    const page = await (await browser.newContext({ baseURL: service.url.href })).newPage()
    await signIn(page, account.key)
    const recording = await speak(plainSentence)
    await fillTray(page, recording)
    await page.getByRole('radio', { name: /Manual/ }).check()
    await expect(page.getByText('This service takes no manual orders.')).toBeVisible()
    await expect(payButton(page)).toBeDisabled()
    // Ordering one anyway, for example through the API, is refused with a message.
    const body = new FormData()
    body.set('file', new Blob([await readFile(recording)], { type: 'audio/wav' }), 'talk.wav')
    const refused = await askApi(service.url, account.key, 'files', { method: 'POST', body })
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('takes no manual orders')])
    await expectOrders(service, account, 0)
    await page.getByRole('button', { name: 'Order automated instead' }).press('Enter')
    await expect(page.getByRole('radio', { name: /Automated/ })).toBeChecked()
    await expect(page.getByText('This service takes no manual orders.')).toHaveCount(0)
    await payButton(page).click()
    await expect.poll(() => service.parley('ledger', account.account)).not.toBe('')
    await expectOrders(service, account, 1)
    await page.context().close()
  } finally {
    await service.remove()
  }
})
