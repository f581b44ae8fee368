import { expect, type Page } from '@playwright/test'
import type { CreatedApiKey } from '../../../src/contract/account/keys.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { authorization } from '../../../src/service/testing/ask-api.ts'
import { sendOneLate } from '../../kit/bad-network.ts'
import { openOn, putBefore, sample } from '../../kit/devices.ts'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import { field, saved, turn } from '../../kit/harbour-talk.ts'
import type { NewAccount, ServiceProcess } from '../../kit/service-process.ts'
import { openTask, showTask } from '../../kit/transcript-tasks.ts'

/* Reviewing and approving with the review stored by the account: an editor and a chief, on separate devices. */

async function checked(page: Page, count: number): Promise<void> {
  await showTask(page, 'Edit')
  const words = new RegExp(`^${count} of \\d+ turns checked$`)
  await expect(page.getByRole('complementary').getByText(words)).toBeVisible()
}

const tick = (page: Page, index: number) =>
  page.getByRole('article').nth(index).getByRole('img', { name: 'Checked', exact: true })

/** Another key of the same account. */
async function chiefOf(service: ServiceProcess, { account, key }: NewAccount): Promise<NewAccount> {
  const made = await accountClient(service.url, key).read<CreatedApiKey>('POST', 'keys', { name: 'Chief' })
  return { account, key: made.key }
}

async function expectNoFindingsInBothThemes(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expectNoAxeFindings(page)
  }
}

test('an editor checks turns by one key, and every device shows how many are', { tag: '@slow' }, async ({
  browser,
  service,
  sandboxAccount,
}) => {
  const id = await sample(service, sandboxAccount)
  const desk = await openOn(browser, service, sandboxAccount, id)
  const sofa = await openOn(browser, service, sandboxAccount, id)
  // First it moves to the first turn, then it checks.
  for (const count of [0, 1, 2]) {
    await desk.keyboard.press('c')
    await checked(desk, count)
  }
  await expect(desk.getByRole('article').nth(2)).toBeFocused()
  await expect(tick(desk, 1)).toBeVisible()
  await checked(sofa, 2)
  await expect(tick(sofa, 0)).toBeVisible()
  // Whoever corrects a turn checks it as well: the sequence is Enter, type, Enter, C.
  await desk.keyboard.press('Enter')
  await desk.keyboard.insertText('Rather: ')
  await desk.keyboard.press('Enter')
  await desk.keyboard.press('c')
  await checked(sofa, 3)
  await expect(turn(sofa, 2)).toHaveText(/^Rather: /)
  await expect(tick(sofa, 2)).toBeVisible()
  // Undo takes back the check, not the correction before it.
  await desk.keyboard.press('Control+z')
  await checked(sofa, 2)
  await expect(turn(desk, 2)).toHaveText(/^Rather: /)
  await expect(desk.getByRole('article').nth(2)).toBeFocused()
  await desk.keyboard.press('c')
  await desk.keyboard.press('c')
  await checked(sofa, 4)
  // One after the other, and again; the text is the same all the time.
  for (const [key, count] of [
    ['z', 3],
    ['z', 2],
    ['y', 3],
    ['y', 4],
    ['z', 3],
  ] as const) {
    await desk.keyboard.press(`Control+${key}`)
    await checked(sofa, count)
    await expect(turn(desk, 2)).toHaveText(/^Rather: /)
  }
  await putBefore(sofa, 0, 'Also')
  await expect(turn(desk, 0)).toHaveText(/^Also /)
  // A check is of the words that were read.
  await expect(tick(desk, 0)).toHaveCount(0)
  for (const page of [desk, sofa]) await checked(page, 2)
  await desk.getByRole('article').nth(1).focus()
  await desk.keyboard.press('Shift+C')
  await checked(sofa, 1)
  await expect(tick(sofa, 1)).toHaveCount(0)
  await expectNoFindingsInBothThemes(desk)
  // The button keeps the focus: a screen reader is told the next turn and the count.
  await desk.getByRole('button', { name: 'Checked, next' }).press('Enter')
  const said = (words: string | RegExp) => desk.getByRole('status').filter({ hasText: words })
  await expect(said(await turn(desk, 3).innerText())).toHaveCount(1)
  await expect(said(/^2 of \d+ turns checked · /)).toBeVisible()
})

test('offline checks are sent later, or by the next visit', async ({ browser, service, sandboxAccount }) => {
  const id = await sample(service, sandboxAccount)
  const train = await openOn(browser, service, sandboxAccount, id)
  await checked(train, 0)
  await train.context().setOffline(true)
  for (const count of [0, 1]) {
    await train.keyboard.press('c')
    await checked(train, count)
  }
  await expect(train.getByText('Not sent yet, and safe on this device: This device is offline.')).toBeVisible()
  const context = train.context()
  // A page that closes is online again for a moment.
  const sent = /\/review(\/checks)?$/
  await context.route(sent, (route) => route.abort())
  await train.close()
  await context.unroute(sent)
  await context.setOffline(false)
  const office = await openOn(browser, service, sandboxAccount, id)
  await checked(office, 0)
  const again = await context.newPage()
  await again.goto(`/sandbox/files/${id}`)
  await checked(again, 1)
  await checked(office, 1)
})

test('a chief approves: the editor is notified, keeps typed text, and may reopen; API clients get the approved text', {
  tag: '@slow',
}, async ({ browser, service, sandboxAccount }) => {
  const id = await sample(service, sandboxAccount)
  const desk = await openOn(browser, service, sandboxAccount, id)
  await putBefore(desk, 0, 'Approved')
  await openTask(desk, 'Edit')
  await desk.getByRole('button', { name: 'Send to review' }).click()
  await expect(desk.getByText(/^Sent to review by “First key”, /)).toBeVisible()
  const sofa = await openOn(browser, service, await chiefOf(service, sandboxAccount), id)
  await expect(turn(sofa, 0)).toHaveText(/^Approved /)
  // The editor is typing when the chief approves.
  await turn(desk, 1).dblclick({ position: { x: 8, y: 12 } })
  await field(desk).fill('Too late for this one.')
  await openTask(sofa, 'Edit')
  await sofa.getByRole('button', { name: 'Approve' }).click()
  await expect(sofa.getByText(/^\d+ turns of \d+ are not checked yet\.$/)).toBeVisible()
  await expect(sofa.getByRole('dialog', { name: 'Approve this transcript?' })).toBeFocused()
  await sofa.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  const locked = (page: Page) => page.getByRole('status').filter({ hasText: /^Approved by “Chief”, / })
  await expect(locked(sofa)).toContainText('Locked. Reopen to edit.')
  await expect(locked(desk)).toBeVisible()
  await field(desk).press('Enter')
  await expect(locked(desk)).toContainText('Your corrections after that are not sent, and safe on this device.')
  await expect(turn(desk, 1)).toHaveText('Too late for this one.')
  await expect(desk.getByRole('button', { name: 'Undo', exact: true })).toBeDisabled()
  await turn(sofa, 2).dblclick({ position: { x: 8, y: 12 } })
  await expect(sofa.getByText('This transcript is approved', { exact: true })).toBeVisible()
  await expect(field(sofa)).toHaveCount(0)
  await expectNoFindingsInBothThemes(desk)

  const list = await desk.context().newPage()
  await list.goto('/sandbox/files')
  await expect(list.getByRole('row', { name: /Shared talk/ })).toContainText('corrected · ✓ approved')
  await list.getByRole('button', { name: 'Filter' }).click()
  await list.getByLabel('Review', { exact: true }).selectOption('In review')
  await expect(list.getByRole('row', { name: /Shared talk/ })).toHaveCount(0)
  await list.getByLabel('Review', { exact: true }).selectOption('Approved')
  await list.keyboard.press('Escape')
  await expect(list.getByRole('row', { name: /Shared talk/ })).toBeVisible()
  await expectNoFindingsInBothThemes(list)

  await list.goto('/sandbox/settings#programs')
  await list.getByRole('radio', { name: /^Approved/ }).click()
  await expect(list.getByText('Text in the API saved')).toBeVisible()
  await expect(list.getByRole('radio', { name: /^Approved/ })).toBeChecked()
  await expectNoFindingsInBothThemes(list)
  const program = async () => {
    const url = new URL(`/sandbox/v1/file/${id}.txt`, service.url)
    const answer = await fetch(url, { headers: { authorization: authorization(sandboxAccount.key) } })
    return [answer.headers.get('transcript-version'), await answer.text()]
  }
  const approved = ['approved; revision=1', expect.stringMatching(/: Approved /)]
  expect(await program()).toEqual(approved)

  await desk.getByRole('button', { name: 'Reopen' }).click()
  await expect(turn(sofa, 1)).toHaveText('Too late for this one.')
  await expect(locked(sofa)).toHaveCount(0)
  await saved(sofa, 2)
  expect(await program()).toEqual(approved)
  // The dashboard still corrects the service's own text.
  await sofa.reload()
  await saved(sofa, 2)
  await sofa.getByText('Earlier steps').click()
  await expect(sofa.getByText(/^Approved by “Chief”, /)).toBeVisible()
})

test('somebody who works alone checks all turns by a key and approves by the button that follows', {
  tag: '@slow',
}, async ({ browser, service, sandboxAccount }) => {
  const page = await openOn(browser, service, sandboxAccount, await sample(service, sandboxAccount))
  await checked(page, 0)
  await page.getByRole('button', { name: /^Check turns/ }).click()
  const approve = page.getByRole('toolbar', { name: 'All turns are checked' }).getByRole('button', { name: 'Approve' })
  await expect(page.getByRole('toolbar', { name: 'Checking turns' })).toBeVisible()
  await expect(approve).toBeHidden()
  await expect(async () => {
    await page.keyboard.press('c')
    await expect(approve).toBeVisible({ timeout: 100 })
  }).toPass()
  await expectNoAxeFindings(page)
  await page.keyboard.press('c')
  await expect(approve).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Approved by “First key”, /).first()).toBeVisible()
  // The pressed button is gone: the keys work on the text.
  await expect(page.locator('article:focus')).toHaveCount(1)
  await expect(page.getByText('Locked. Reopen to edit.')).toBeVisible() // A turn that is changed after that is to be checked again.
  await page.getByRole('button', { name: 'Reopen' }).click()
  await expect(page.getByText('22 of 22 turns checked')).toBeVisible()
  await putBefore(page, 1, 'Rather')
  await checked(page, 21)
  await expect(page.getByRole('article').filter({ hasText: 'Rather' }).getByRole('img')).toHaveCount(0)
  await expect(approve).toBeHidden()
  await page.reload()
  await checked(page, 21)
})

test('approved in the moment after it was sent to review, nobody else is blamed', async ({
  browser,
  service,
  sandboxAccount,
}) => {
  const page = await openOn(browser, service, sandboxAccount, await sample(service, sandboxAccount))
  await openTask(page, 'Edit')
  await page.route('**/review', async (route) => {
    // The service has done it already, and its answer is on its way.
    const response = await route.fetch()
    setTimeout(() => void route.fulfill({ response }), 1_000)
  })
  const panel = page.getByRole('complementary')
  await panel.getByRole('button', { name: 'Send to review', exact: true }).click()
  await panel.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByRole('status').filter({ hasText: /^Approved by / })).toBeVisible()
  await expect(page.getByText('Somebody else')).toHaveCount(0)
})

test('what is being typed when Approve is pressed is in the approved text', async ({
  browser,
  service,
  sandboxAccount,
}) => {
  const id = await sample(service, sandboxAccount)
  const page = await openOn(browser, service, sandboxAccount, id)
  await openTask(page, 'Edit')
  await sendOneLate(page, '**/corrections')
  await turn(page, 0).dblclick({ position: { x: 8, y: 12 } })
  await field(page).fill('Typed without Enter.')
  await page.getByRole('complementary').getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByRole('status').filter({ hasText: /^Approved by / })).toContainText('Locked. Reopen to edit.')
  await page.goto('/sandbox/settings#programs')
  await page.getByRole('radio', { name: /^Approved/ }).click()
  await expect(page.getByText('Text in the API saved')).toBeVisible()
  const headers = { authorization: authorization(sandboxAccount.key) }
  const approved = await fetch(new URL(`sandbox/v1/file/${id}.txt`, service.url), { headers })
  expect(await approved.text()).toContain('Typed without Enter.')
})
