import { expect, type Page } from '@playwright/test'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { rowOf } from '../../kit/files-page.ts'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import { signIn } from '../../kit/sign-in.ts'

/* Saved views of the list: by name, in the URL, in the sidebar; and its columns. */

test.beforeEach(async ({ service, sandboxAccount }) => {
  const client = accountClient(service.url, sandboxAccount.key)
  for (const [name, seconds] of [
    ['Interview Ada', 60],
    ['Interview Ben', 3_600],
    ['Board meeting', 600],
  ]) {
    await client.read('POST', 'tools/files', { name, seconds, progress_percent: 100 })
  }
})

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search names and speakers' })
const pinned = (page: Page) => page.getByRole('navigation', { name: 'Views' })
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

async function viewsMenu(page: Page, item: string) {
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function saveView(page: Page, name: string) {
  await viewsMenu(page, 'Save as a new view…')
  await page.getByRole('dialog').getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Save view' }).click()
  await expect(heading(page)).toHaveText(name)
}

test('a view is saved, changed, overwritten, and opened by its link with another key', { tag: '@slow' }, async ({
  page,
  browser,
  service,
  sandboxAccount: { key },
}) => {
  await signIn(page, key)
  await search(page).fill('interview')
  await page.getByRole('columnheader', { name: 'Length' }).getByRole('button').click()
  await saveView(page, 'Interviews, longest first')
  await expect(rowOf(page, 'Board meeting')).toHaveCount(0)
  await expect(page).toHaveURL(/\/files\?view=\w+$/)
  const link = page.url()

  await page.getByRole('link', { name: 'Files' }).first().click()
  await expect(heading(page)).toHaveText('Files')
  await pinned(page).getByRole('link', { name: 'Interviews, longest first' }).click()
  await expect(search(page)).toHaveValue('interview')
  await expect(page.getByRole('columnheader', { name: 'Length' })).toHaveAttribute('aria-sort', 'descending')

  // Changing it updates the URL; the saved view stays until it is overwritten.
  await search(page).fill('interview b')
  await page.getByRole('button', { name: 'Columns and notifications' }).click()
  await page.getByRole('checkbox', { name: 'Size' }).check()
  await page.keyboard.press('Escape')
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect(rowOf(page, 'Interview Ada')).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Size' })).toHaveCount(0)
  await search(page).fill('interview b')
  await page.getByRole('button', { name: 'Save changes to this view' }).click()
  await expect(page.getByText('Changed since it was saved.')).toHaveCount(0)
  await expect(page).toHaveURL(link)

  const { key: other } = await accountClient(service.url, key).read<{ key: string }>('POST', 'keys', { name: 'Other' })
  const context = await browser.newContext({ baseURL: new URL(link).origin })
  const elsewhere = await context.newPage()
  await signIn(elsewhere, other, { at: link })
  await expect(heading(elsewhere)).toHaveText('Interviews, longest first')
  await expect(rowOf(elsewhere, 'Interview Ben')).toBeVisible()
  await expect(rowOf(elsewhere, 'Interview Ada')).toHaveCount(0)

  // Two tabs save concurrently: both end up with both views.
  const both = [saveView(page, 'Mine'), saveView(elsewhere, 'Theirs')]
  await Promise.all(both)
  for (const tab of [page, elsewhere]) {
    await expect(pinned(tab).getByRole('link', { name: 'Mine' })).toBeVisible()
    await expect(pinned(tab).getByRole('link', { name: 'Theirs' })).toBeVisible()
  }
  await context.close()
})

test('views are named, reordered and deleted by keyboard, and a link to a deleted one says so', {
  tag: '@slow',
}, async ({ page, service, sandboxAccount: { key } }) => {
  const view = { query: 'q=board&columns=seconds,speed', pinned: true }
  const views = { a: { ...view, name: 'First', at: 0 }, b: { ...view, name: 'Sec\u202eond', at: 1 } }
  await accountClient(service.url, key).read('PATCH', 'settings', { views })
  await signIn(page, key)
  // Also behind the dialog.
  const links = page.locator('nav[aria-label="Views"] a')
  await expect(links).toHaveText(['First', 'Sec ond'])
  await page.getByRole('button', { name: 'Views', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Edit views…' })).toBeVisible()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Edit views…' })).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  const down = dialog.getByRole('button', { name: 'Move First down' })
  await down.focus()
  await page.keyboard.press('Enter')
  await expect(links).toHaveText(['Sec ond', 'First'])
  await expect(down).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Name').fill('Sec ond')
  await expect(dialog.getByText('Another view has this name.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Rename' })).toBeDisabled()
  await dialog.getByLabel('Name').fill('    ')
  await expect(dialog.getByRole('button', { name: 'Rename' })).toBeDisabled()
  await dialog.getByLabel('Name').fill('Board')
  await page.keyboard.press('Enter')
  await expect(links).toHaveText(['Sec ond', 'Board'])
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Delete Board' }).focus()
  await page.keyboard.press('Enter')
  await expect(links).toHaveText(['Sec ond'])
  await page.keyboard.press('Enter')
  await expect(links).toHaveText(['Sec ond', 'Board'])
  await page.keyboard.press('Enter')
  await expect(links).toHaveText(['Sec ond'])
  await page.keyboard.press('Escape')
  await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click()
  await expect(links).toHaveText(['Sec ond', 'Board'])
  await page.keyboard.press('Control+k')
  await page.keyboard.type('board')
  await page.getByRole('option', { name: 'Board', exact: true }).click()
  await expect(heading(page)).toHaveText('Board')
  await expect(page.getByText('columns that do not exist any more: speed')).toBeVisible()
  await expect(rowOf(page, 'Board meeting')).toBeVisible()
  await accountClient(service.url, key).read('PATCH', 'settings', { views: { a: null } })
  await expect(page.getByText('The view of this link does not exist any more')).toBeVisible()
  await expect(rowOf(page, 'Interview Ada')).toBeVisible()
  await search(page).fill('tag:gone')
  await expect(page.getByText('No file has the tag “gone”.')).toBeVisible()
})

test('columns are reordered by keyboard and stored with the account', { tag: '@slow' }, async ({
  page,
  browser,
  baseURL,
  sandboxAccount: { key },
}) => {
  await signIn(page, key)
  const headers = (tab: Page) => tab.getByRole('columnheader')
  await expect(headers(page)).toHaveText(['', 'Name', 'Length', 'Order', 'Progress', 'Total', 'Download'])
  await page.getByRole('button', { name: 'Columns and notifications' }).focus()
  await page.keyboard.press('Enter')
  const up = page.getByRole('button', { name: 'Move Total up' })
  await up.focus()
  for (let times = 0; times < 3; times += 1) await page.keyboard.press('Enter')
  await expect(up).toBeFocused()
  await page.getByRole('checkbox', { name: 'Order' }).focus()
  await page.keyboard.press('Space')
  await expectNoAxeFindings(page)
  await page.keyboard.press('Escape')
  const mine = ['', 'Name', 'Total', 'Length', 'Progress', 'Download']
  await expect(headers(page)).toHaveText(mine)
  const context = await browser.newContext({ ...(baseURL === undefined ? {} : { baseURL }) })
  const elsewhere = await context.newPage()
  await signIn(elsewhere, key)
  await expect(headers(elsewhere)).toHaveText(mine)
  await context.close()
})
