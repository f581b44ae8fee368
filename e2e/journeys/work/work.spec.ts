import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { staffKeyPrefix, workBasePath } from '../../../src/contract/work/staff.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { expectNoAxeFindings } from '../../kit/fixtures.ts'
import { signIn } from '../../kit/sign-in.ts'
import { beginToType, finish, takeNext, text, typed, workPage } from '../../kit/staff-page.ts'
import { askWork, customerName, fileName, hire, orderTyping, percentOf, test } from '../../kit/staff-work.ts'
import { startWithEngine } from '../../kit/start-with-engine.ts'

const houseStyle = join(import.meta.dirname, '../../../docs/glossary.md')

test('a live manual order goes from 0 to 100 by two typists, a reviewer and a checker, each in a separate browser', {
  tag: '@slow',
}, async ({ browser }) => {
  const service = await startWithEngine('fake', { HOUSE_STYLE_FILE: houseStyle })
  try {
    const keys = [
      await hire(service, 'Ann', 'typist'),
      await hire(service, 'Ben', 'typist'),
      await hire(service, 'Cleo', 'reviewer'),
      await hire(service, 'Dan', 'reviewer'),
    ] as const
    const { id, key, account } = await orderTyping(service)
    const ann = await workPage(browser, service, keys[0])
    const seen: string[] = []
    ann.on('response', async (answer) => {
      if (answer.url().includes(workBasePath)) seen.push(await answer.text().catch(() => ''))
    })
    await takeNext(ann, 'Type')
    await ann.getByText('How things are written here').click()
    await expect(ann.getByRole('complementary').getByRole('heading', { name: 'Glossary' })).toBeVisible()
    await expectNoAxeFindings(ann)
    // Ann's text reaches Ben: she returns the part half-way through.
    await beginToType(ann)
    await typed(ann).pressSequentially('The people of the city')
    await typed(ann).press('ControlOrMeta+i')
    await ann.getByRole('button', { name: 'Give back' }).click()
    await ann.getByRole('dialog').getByRole('button', { name: 'Give back' }).click()
    await expect(ann.getByRole('heading', { name: 'Queue' })).toBeVisible()
    const ben = await workPage(browser, service, keys[1])
    await takeNext(ben, 'Type')
    await expect(text(ben)).toContainText('The people of the city [inaudible]')
    await finish(ben)
    await expect.poll(() => percentOf(service, key, id)).toBe(60)
    const customer = await (await browser.newContext({ baseURL: service.url.href })).newPage()
    await signIn(customer, key, { at: `/live/files/${id}` })
    await expect(customer.getByText('1 of 1 part typed, none reviewed')).toBeVisible()
    await expect(customer.getByRole('button', { name: /^Play 0:00 to .*: typed$/ })).toBeVisible()
    const cleo = await workPage(browser, service, keys[2])
    await takeNext(cleo, 'Review')
    await finish(cleo)
    await expect.poll(() => percentOf(service, key, id)).toBe(85)
    const dan = await workPage(browser, service, keys[3])
    await takeNext(dan, 'Check')
    // A part of the whole is typed and reviewed again.
    await dan.getByRole('button', { name: 'Send a part back' }).click()
    await dan.getByLabel('Part', { exact: true }).selectOption({ index: 1 })
    await dan.getByRole('dialog').getByRole('checkbox').first().check()
    await expectNoAxeFindings(dan)
    await dan.getByRole('button', { name: 'Send back' }).click()
    await expect(dan.getByRole('heading', { name: 'Queue' })).toBeVisible()
    await takeNext(ann, 'Type')
    await expect(text(ann)).toContainText('The people of the city [inaudible]')
    const sheet = ann.getByRole('complementary').getByRole('checkbox')
    await sheet.first().check()
    await ann.reload()
    await expect(sheet.first()).toBeChecked()
    await finish(ann)
    await takeNext(cleo, 'Review')
    await finish(cleo)
    expect(await percentOf(service, key, id)).toBe(85)
    await takeNext(dan, 'Check')
    await finish(dan)
    // Nobody has played anything: a manager looks at it before it is released.
    await expect.poll(() => percentOf(service, key, id)).toBe(85)
    const eva = await workPage(browser, service, await hire(service, 'Eva', 'manager'))
    await eva.getByRole('link', { name: 'Orders' }).click()
    await expect(eva.getByText('6 odd steps to decide')).toBeVisible()
    await eva.getByRole('button', { name: 'Parts' }).press('Enter')
    const accept = eva.getByRole('button', { name: 'Accept' })
    for (let left = 6; left > 0; left -= 1) {
      await expect(accept).toHaveCount(left)
      if (left === 6) await expectNoAxeFindings(eva)
      await accept.first().click()
    }
    await expect.poll(() => percentOf(service, key, id)).toBe(100)
    await eva.getByRole('link', { name: 'Pay' }).click()
    await expect(eva.getByRole('row', { name: /^Dan/ })).toContainText('reviewer')
    await eva.context().close()
    const delivered = await (await askApi(service.url, key, `file/${id}.txt`)).text()
    expect(delivered).toContain('The people of the city [inaudible]')
    const all = seen.join('\n')
    expect(all).toContain('Write numbers as digits')
    for (const secret of [customerName, fileName, 'Secret merger', id, key, account]) expect(all).not.toContain(secret)
    for (const page of [ann, ben, cleo, dan, customer]) await page.context().close()
  } finally {
    await service.remove()
  }
})

test('an expired hold says so, keeps the typed text for copying, and changes nothing more', { tag: '@slow' }, async ({
  browser,
  service,
}) => {
  const ann = await workPage(browser, service, await hire(service, 'Eve', 'typist'))
  const boss = await hire(service, 'Mia', 'manager')
  const { staff } = await askWork<{ staff: { id: string; name: string }[] }>(service, boss, 'staff')
  const mia = staff.find(({ name }) => name === 'Mia')?.id
  await orderTyping(service)
  await takeNext(ann, 'Type')
  await beginToType(ann)
  // A save during typing may contain only the beginning.
  const saved = ann.waitForResponse(
    (answer) => /corrections$/.test(answer.url()) && answer.request().postData()?.includes('"Eve"') === true,
  )
  await typed(ann).pressSequentially('Typed by Eve')
  await saved
  await askWork(service, boss, `parts/${ann.url().split('/').at(-1)}/assign`, { staff: mia })
  await typed(ann).pressSequentially(' alone')
  await expect(ann.getByRole('alert').filter({ hasText: 'it cannot be changed any more' })).toBeVisible()
  await expect(text(ann)).toContainText('Typed by Eve alone')
  await expect(ann.getByRole('button', { name: 'Copy the text' })).toBeVisible()
  await text(ann).getByRole('paragraph').first().dblclick()
  await expect(typed(ann)).toHaveCount(0)
  await ann.getByRole('button', { name: 'Take it again' }).click()
  await expect(ann.getByRole('alert')).toContainText('A manager has given this part to somebody else.')
  const page = await workPage(browser, service, boss)
  await takeNext(page, 'Type')
  await expect(text(page)).toContainText('Typed by Eve')
  await expect(text(page)).not.toContainText('alone')
  for (const one of [ann, page]) await one.context().close()
})

test('words that break the order’s options are listed during typing; each is corrected or ignored', {
  tag: '@slow',
}, async ({ browser, service }) => {
  const key = await hire(service, 'Una', 'typist')
  const ann = await workPage(browser, service, key)
  await orderTyping(service)
  await takeNext(ann, 'Type')
  await beginToType(ann)
  await typed(ann).pressSequentially('Um, the the colour of it')
  const panel = ann.getByRole('complementary', { name: 'Instructions' })
  await expect(panel.getByRole('heading', { name: '3 places to look at' })).toBeVisible()
  await expect(panel.getByRole('checkbox', { name: /American spelling · 1 place left/ })).toBeVisible()
  await panel.getByRole('button', { name: 'Write “color”' }).click()
  await expect(text(ann)).toContainText('Um, the the color of it')
  await panel.getByRole('button', { name: 'Ignore “Um”' }).click()
  await expect(panel.getByRole('heading', { name: '1 place to look at' })).toBeVisible()
  await expect(ann.getByText('Saved', { exact: false }).first()).toBeVisible()
  await ann.reload()
  await expect(panel.getByRole('heading', { name: '1 place to look at' })).toBeVisible()
  await panel.getByRole('button', { name: /“the”/ }).first().click()
  await expect(typed(ann)).toBeFocused()
  await panel.getByRole('button', { name: 'Take out “the”' }).click()
  await expect(text(ann)).toContainText('Um, the color of it')
  await ann.context().close()
})

test('nothing of the staff’s pages is in the code that customers load first', async () => {
  const dist = join(import.meta.dirname, '../../../dist')
  const codeOf = async (page: string) => {
    const names = (await readFile(join(dist, page), 'utf8')).match(/assets\/[\w-]+\.(js|css)/g) ?? []
    return (await Promise.all(names.map((name) => readFile(join(dist, name), 'utf8')))).join('')
  }
  const marks = [workBasePath, staffKeyPrefix, 'Parley work']
  const [customers, staff] = [await codeOf('index.html'), await codeOf('work.html')]
  for (const mark of marks) expect([staff.includes(mark), customers.includes(mark)], mark).toEqual([true, false])
})
