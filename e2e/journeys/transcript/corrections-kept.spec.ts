import { expect, type Page } from '@playwright/test'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { authorization } from '../../../src/service/testing/ask-api.ts'
import { openOn, putBefore, sample } from '../../kit/devices.ts'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import { correct, openConflicts, saved, turn } from '../../kit/harbour-talk.ts'
import { untilCorrectable } from '../../kit/seeded-transcripts.ts'
import { signIn } from '../../kit/sign-in.ts'
import { sessionOf, storeSession } from '../../kit/stored-session.ts'
import { openTask, showTask } from '../../kit/transcript-tasks.ts'

/* Corrections stored by the account: two devices of one account, which share nothing but the service. */

async function rename(page: Page, from: string, to: string): Promise<void> {
  await openTask(page, 'Read')
  await page.getByRole('button', { name: `Rename ${from}` }).click()
  await page.getByLabel(`New name of ${from}`).fill(to)
  await page.keyboard.press('Enter')
}

async function kept(page: Page): Promise<void> {
  await showTask(page, 'Edit')
  await expect(page.getByText('Corrections are saved to your account')).toBeVisible()
}

test('corrections sync between two devices, during concurrent editing and after', { tag: '@slow' }, async ({
  browser,
  service,
  sandboxAccount,
}) => {
  const id = await sample(service, sandboxAccount)
  const [desk, sofa] = await Promise.all([1, 2].map(() => openOn(browser, service, sandboxAccount, id)))
  if (desk === undefined || sofa === undefined) throw new Error('Two devices were opened.')
  await putBefore(desk, 0, 'Firstly')
  await expect(turn(sofa, 0)).toHaveText(/^Firstly /)
  await putBefore(sofa, 1, 'Secondly')
  await expect(turn(desk, 1)).toHaveText(/^Secondly /)
  await saved(desk, 2)
  await kept(desk)
  const later = await openOn(browser, service, sandboxAccount, id)
  await expect(turn(later, 0)).toHaveText(/^Firstly /)
  await expect(turn(later, 1)).toHaveText(/^Secondly /)
  await saved(later, 2)
  // On a device that never opened it, the list shows the corrections as well, and downloads include them.
  const list = await (await later.context().browser()?.newContext({ baseURL: service.url.href }))?.newPage()
  if (list === undefined) throw new Error('A third device was opened.')
  await storeSession(list, sessionOf(sandboxAccount, 'sandbox'))
  await list.goto('/sandbox/files')
  const [download] = await Promise.all([
    list.waitForEvent('download'),
    list.getByRole('button', { name: /^Download .* of Shared talk, corrected$/ }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^Shared talk corrected\./)
  await expectNoAxeFindings(later)
})

test('offline changes by two people are merged, and conflicts are left to a person', { tag: '@slow' }, async ({
  browser,
  service,
  sandboxAccount,
}) => {
  const id = await sample(service, sandboxAccount)
  const train = await openOn(browser, service, sandboxAccount, id)
  const office = await openOn(browser, service, sandboxAccount, id)
  await kept(train)
  await train.context().setOffline(true)
  await putBefore(train, 0, 'Train')
  await putBefore(train, 2, 'Tunnel')
  await rename(train, 'Speaker 1', 'Ada Train')
  await openTask(train, 'Edit')
  await expect(train.getByText('Not sent yet, and safe on this device')).toBeVisible()
  await putBefore(office, 0, 'Office')
  await rename(office, 'Speaker 1', 'Ada Office')
  // Whoever is first has no conflict.
  await expect(office.getByText(/^2 corrections · saved/).first()).toBeVisible()
  await train.context().setOffline(false)
  await expect(turn(train, 0)).toHaveText(/^Office /)
  await expect(turn(train, 2)).toHaveText(/^Tunnel /)
  await expect(turn(office, 2)).toHaveText(/^Tunnel /)
  await openConflicts(train, 2)
  const dialog = train.getByRole('dialog')
  const [words, speaker] = [dialog.getByRole('listitem').first(), dialog.getByRole('listitem').nth(1)]
  await expect(speaker).toContainText(/Speaker.*Ada Office.*Ada Train/)
  await speaker.getByRole('button', { name: 'Use mine' }).click()
  await expect(words).toContainText('Train')
  await expectNoAxeFindings(train)
  await words.getByRole('button', { name: 'Use mine' }).click()
  await expect(turn(office, 0)).toHaveText(/Train /)
  await expect(office.getByRole('heading', { name: 'Ada Train' }).first()).toBeVisible()
})

test('a decided conflict replaces the other word, and none beside it', async ({ browser, service, sandboxAccount }) => {
  const id = await sample(service, sandboxAccount)
  const [train, office] = await Promise.all([1, 2].map(() => openOn(browser, service, sandboxAccount, id)))
  if (train === undefined || office === undefined) throw new Error('Two devices were opened.')
  await kept(train)
  await train.context().setOffline(true)
  await correct(train, 0, 'sample', 'bridge')
  await correct(office, 0, 'sample', 'beach')
  await expect(office.getByText(/^1 correction · saved/).first()).toBeVisible()
  await train.context().setOffline(false)
  await openConflicts(train, 1)
  const dialog = train.getByRole('dialog')
  await expect(dialog).toContainText('This is a beach file')
  await dialog.getByRole('button', { name: 'Use mine' }).click()
  for (const page of [train, office]) await expect(turn(page, 0)).toHaveText('This is a bridge file of the sandbox.')

  // The next one waits in its bar: the dialog of the last one does not come back over what is done then.
  await train.context().setOffline(true)
  await correct(train, 1, 'words', 'pier')
  await correct(office, 1, 'words', 'quay')
  const client = accountClient(service.url, sandboxAccount.key)
  const stored = async () => JSON.stringify(await client.read('GET', `files/${id}/corrections`))
  await expect.poll(stored).toContain('quay')
  await train.context().setOffline(false)
  await expect(train.getByRole('region', { name: 'Conflicts' })).toContainText('1 conflict')
  await expect(dialog).toHaveCount(0)
})

test('corrections made on a device before the account stored any are uploaded once, with renamed speakers', {
  tag: '@slow',
}, async ({ browser, service, sandboxAccount }) => {
  const id = await sample(service, sandboxAccount)
  const device = await openOn(browser, service, sandboxAccount, id)
  await device.route('**/account/files/*/corrections', (route) => route.fulfill({ status: 404 }))
  await device.reload()
  await untilCorrectable(device)
  await putBefore(device, 1, 'Old')
  await rename(device, 'Speaker 1', 'Ada Obi')
  await openTask(device, 'Edit')
  await expect(device.getByText('Corrections stay on this device')).toBeVisible()
  await device.unroute('**/account/files/*/corrections')
  await device.reload()
  await kept(device)
  const other = await openOn(browser, service, sandboxAccount, id)
  await expect(turn(other, 1)).toHaveText(/^Old /)
  await expect(other.getByRole('heading', { name: 'Ada Obi' }).first()).toBeVisible()
  await saved(other, 2)
})

test('earlier states can be named and restored, on any device', { tag: '@slow' }, async ({
  browser,
  service,
  sandboxAccount,
}) => {
  const id = await sample(service, sandboxAccount)
  const page = await openOn(browser, service, sandboxAccount, id)
  await putBefore(page, 0, 'Draft')
  await kept(page)
  await openTask(page, 'Edit')
  await page.getByRole('button', { name: 'Versions' }).click()
  const dialog = page.getByRole('dialog', { name: 'Versions' })
  await dialog.getByRole('button', { name: /^Name the version of / }).click()
  await page.getByLabel('Name', { exact: true }).fill('For the editor')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(dialog.getByText('For the editor')).toBeVisible()
  await expectNoAxeFindings(page)
  await page.keyboard.press('Escape')
  await putBefore(page, 1, 'Mistake')
  await putBefore(page, 2, 'Mistake')
  await saved(page, 3)
  const other = await openOn(browser, service, sandboxAccount, id)
  await expect(turn(other, 1)).toHaveText(/^Mistake /)
  await openTask(other, 'Edit')
  await other.getByRole('button', { name: 'Versions' }).click()
  const named = other.getByRole('listitem').filter({ hasText: 'For the editor' })
  await named.getByRole('button', { name: 'Compare' }).click()
  const comparison = other.getByRole('dialog', { name: 'This version and the text now' })
  await expect(comparison.getByText('2 places with other words')).toBeVisible()
  await expect(comparison.getByRole('listitem').first()).toContainText('Mistake')
  await expectNoAxeFindings(other)
  await comparison.getByRole('button', { name: 'Back to versions' }).click()
  const line = other.getByRole('listitem').filter({ hasText: 'For the editor' })
  await line.getByRole('button', { name: 'Restore' }).click()
  await expect(turn(page, 1)).not.toHaveText(/^Mistake /)
  await expect(turn(page, 0)).toHaveText(/^Draft /)
  await saved(other, 1)
})

test('offline corrections are sent when the device is online, even if the transcript is not opened again', async ({
  browser,
  service,
  sandboxAccount,
}) => {
  const id = await sample(service, sandboxAccount)
  const train = await openOn(browser, service, sandboxAccount, id)
  await kept(train)
  await train.context().setOffline(true)
  await putBefore(train, 0, 'Train')
  await expect(train.getByText('Not sent yet, and safe on this device')).toBeVisible()
  await expect(train.getByText('1 correction · on this device, not sent yet').first()).toBeVisible()
  const context = train.context()
  await train.close()
  await context.setOffline(false)
  const list = await context.newPage()
  await list.goto('/sandbox/files')
  await expect(list.getByRole('row', { name: /Shared talk/ })).toBeVisible()
  const other = await openOn(browser, service, sandboxAccount, id)
  await expect(turn(other, 0)).toHaveText(/^Train /)
})

test('unsent corrections of a revoked key are sent with the next key of the account', async ({
  browser,
  service,
  sandboxAccount,
}) => {
  const id = await sample(service, sandboxAccount)
  const client = accountClient(service.url, sandboxAccount.key)
  const lent = await client.read<{ key: string; entry: { id: string } }>('POST', 'keys', { name: 'Lent' })
  const page = await openOn(browser, service, { ...sandboxAccount, key: lent.key }, id)
  await page.route('**/account/files/*/corrections', (route) => route.abort())
  await putBefore(page, 0, 'Quixotry')
  await expect(page.getByText('Not sent yet, and safe on this device')).toBeVisible()
  await client.read('DELETE', `keys/${lent.entry.id}`)
  await page.unroute('**/account/files/*/corrections')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  const answer = await page.request.get(`/sandbox/account/files/${id}/corrections`, {
    headers: { Authorization: authorization(sandboxAccount.key) },
  })
  expect(await answer.json()).toMatchObject({ set: null })
  await signIn(page, sandboxAccount.key)
  const other = await openOn(browser, service, sandboxAccount, id)
  await expect(turn(other, 0)).toHaveText(/^Quixotry /)
})

/** The content of this origin's databases and local storage, as text. */
function storedOn(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const done = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error ?? new Error('The database cannot be read.'))
      })
    const held: unknown[] = [{ ...localStorage }]
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name))
      for (const store of database.objectStoreNames) {
        held.push(await done(database.transaction(store).objectStore(store).getAll()))
      }
      database.close()
    }
    return JSON.stringify(held)
  })
}

test('deleting a file removes its corrections from every device, even from one that was offline', async ({
  browser,
  service,
  sandboxAccount,
}) => {
  const [first, second] = [await sample(service, sandboxAccount), await sample(service, sandboxAccount)]
  const page = await openOn(browser, service, sandboxAccount, first)
  await putBefore(page, 0, 'Zymurgy')
  await kept(page)
  await page.goto(`/sandbox/files/${second}`)
  await untilCorrectable(page)
  await putBefore(page, 0, 'Quixotry')
  await kept(page)
  await expect.poll(() => storedOn(page)).toMatch(/Zymurgy.*Quixotry|Quixotry.*Zymurgy/)
  const remove = async (id: string) => {
    const answer = await fetch(new URL(`/sandbox/v1/file/${id}`, service.url), {
      method: 'DELETE',
      headers: { Authorization: authorization(sandboxAccount.key) },
    })
    expect(answer.ok).toBe(true)
  }
  await page.goto('/nothing-here')
  await remove(first)
  await page.goto('/sandbox/files')
  await expect(page.getByRole('row', { name: /Shared talk/ })).toHaveCount(1)
  await expect.poll(() => storedOn(page)).not.toContain('Zymurgy')
  expect(await storedOn(page)).toContain('Quixotry')
  await remove(second)
  await expect(page.getByRole('row', { name: /Shared talk/ })).toHaveCount(0)
  await expect.poll(() => storedOn(page)).not.toContain('Quixotry')
})
