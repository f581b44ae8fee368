import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import type { Project } from '../../../src/contract/account/projects.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { makeTone } from '../../../src/service/testing/test-service.ts'
import { wholeBrowserLaunch } from '../../kit/browser-launch.ts'
import { rowOf, tool } from '../../kit/files-page.ts'
import { expectNoAxeFindings, openSettings, test } from '../../kit/fixtures.ts'
import { dock, dropOnApp, payButton } from '../../kit/order-page.ts'
import { signIn } from '../../kit/sign-in.ts'

/* Projects, from the dropped folder to the last transcript. */

test.use({ launchOptions: wholeBrowserLaunch })

test('a folder becomes a project, its order keeps to the budget, and its page tells all of it', {
  tag: '@slow',
}, async ({ page, service, sandboxAccount: { key } }) => {
  const folder = join(await mkdtemp(join(tmpdir(), 'parley-project-')), 'Interviews 2026')
  await mkdir(folder)
  for (const name of ['Ada.wav', 'Ben.wav'])
    await writeFile(join(folder, name), await makeTone(name === 'Ada.wav' ? 61 : 62))
  await signIn(page, key)
  await dropOnApp(page, [folder])
  const wish = page.getByRole('checkbox', { name: 'Make it a project' })
  await expect(wish).toBeChecked()
  const known = page.getByRole('navigation', { name: 'Projects' }).getByRole('link')
  // Nothing is made before it is paid for, and a tick that was taken away stays away.
  await expect(known).toHaveText(['All projects: 0'])
  await wish.uncheck()
  await page.reload()
  await signIn(page, key, { at: null })
  await dropOnApp(page, [folder])
  await expect(wish).not.toBeChecked()
  await wish.check()
  await payButton(page).click()
  await expect(dock(page)).toContainText('2 files in this order')
  await expect(known).toHaveText(['All projects: 1', 'Interviews 2026'])

  const client = accountClient(service.url, key)
  const [{ id } = { id: '' }] = (await client.read<{ projects: Project[] }>('GET', 'projects')).projects
  // More of that folder comes, and its name is known by now.
  for (const name of ['Ada.wav', 'Ben.wav']) await rm(join(folder, name))
  for (const name of ['Cleo.wav', 'Dan.wav'])
    await writeFile(join(folder, name), await makeTone(name === 'Cleo.wav' ? 63 : 64))
  await page.getByRole('link', { name: 'New order' }).first().click()
  await dropOnApp(page, [folder])
  await page.getByRole('button', { name: 'Put into the project of this name' }).click()
  await expect(page.getByLabel('Project', { exact: true })).toHaveText(/Interviews 2026/)
  await client.read('PATCH', `projects/${id}`, { budget_cents: 50 })
  // Pushed by the service: another tab, or a colleague, has set the budget.
  await expect(page.getByText(/more than its budget of \$0\.50/)).toBeVisible()
  await expect(payButton(page)).toBeDisabled()
  await expectNoAxeFindings(page)
  await page.getByLabel('Order over the budget').check()
  await payButton(page).click()
  await expect(page.getByRole('region', { name: 'Order', exact: true })).toContainText('2 files in this order')

  await page.getByRole('navigation', { name: 'Projects' }).getByRole('link', { name: 'Interviews 2026' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Interviews 2026' })).toBeVisible()
  await expect(rowOf(page, 'Ada')).toBeVisible()
  await expect(rowOf(page, 'Ben')).toBeVisible()
  await expect(page.getByText(/of \$0\.50 spent/)).toBeVisible()
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Settings…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Interviews')
  await dialog.getByLabel(/^Budget/).fill('20')
  await expect(dialog).toContainText('As for all files: nothing is deleted')
  await dialog.getByRole('button', { name: 'Set a rule…' }).click()
  await dialog.getByLabel('Delete the recording, keep the text').fill('30')
  await dialog.getByRole('button', { name: 'Show what will be deleted' }).click()
  await expect(page.getByRole('dialog', { name: 'What this rule does' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Save rule' }).click()
  await expect(dialog).toContainText('recordings after 30 days')
  // What was filled in before is still there.
  await expect(dialog.getByLabel('Name')).toHaveValue('Interviews')
  await dialog.getByLabel('Use other options in this project').check()
  await dialog.getByRole('radio', { name: /Automated/ }).check()
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Interviews', exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'New order in this project' }).click()
  await expect(page.getByLabel('Project', { exact: true })).toHaveText(/Interviews/)
  await expect(page.getByRole('radio', { name: /Automated/ })).toBeChecked()
})

test('a folder that cannot become a project is ordered at the next press, the other one into its own', {
  tag: '@slow',
}, async ({ page, service, sandboxAccount: { key } }) => {
  const above = await mkdtemp(join(tmpdir(), 'parley-project-'))
  // Their projects would have the same name, as it is cut to 80 characters.
  const folders = ['first', 'second'].map((part) => join(above, `Interviews ${'of the harbour '.repeat(5)}${part}`))
  for (const [at, folder] of folders.entries()) {
    await mkdir(folder)
    for (const seconds of [61, 62]) await writeFile(join(folder, `${seconds}.wav`), await makeTone(seconds + 2 * at))
  }
  await signIn(page, key)
  await dropOnApp(page, folders)
  await expect(page.getByRole('checkbox', { name: 'Make each a project' })).toBeChecked()
  await expect(page.getByLabel('Project', { exact: true })).toHaveText(/By folder/)
  await payButton(page).click()
  await expect(page.getByText('A project was not made, and nothing was ordered')).toBeVisible()
  await expect(page.getByText(/ second”: There is a project .* already\. Pay again/)).toBeVisible()
  await payButton(page).click()
  await expect(dock(page)).toContainText('4 files in this order')
  const client = accountClient(service.url, key)
  const [{ id } = { id: '' }] = (await client.read<{ projects: Project[] }>('GET', 'projects')).projects
  const listed = () => client.read<{ files: { project?: string }[] }>('GET', 'files')
  const inProjects = async () => (await listed()).files.map(({ project }) => project ?? null).toSorted()
  await expect.poll(inProjects).toEqual([id, id, null, null].toSorted())
})

test('files move with one click and back, one notification says that all are ready, and deleting a project keeps them', {
  tag: '@slow',
}, async ({ page, context, service, sandboxAccount }) => {
  const { key } = sandboxAccount
  const client = accountClient(service.url, key)
  const { id: project } = await client.read<Project>('POST', 'projects', { name: 'Field' })
  const ids: string[] = []
  for (const name of ['One', 'Two', 'Three'])
    ids.push((await tool(service, sandboxAccount, 'files', { seconds: 60, progress_percent: 20, name })).id)
  await context.grantPermissions(['notifications'], { origin: service.url.origin })
  await page.addInitScript(() => {
    window.shown = []
    window.Notification = class extends Notification {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options)
        window.shown.push(title)
      }
    }
  })
  await signIn(page, key)
  for (const name of ['One', 'Two']) await page.getByRole('checkbox', { name: `Select ${name}` }).click()
  await page.getByRole('region', { name: 'Selected files' }).getByRole('button', { name: 'Project…' }).click()
  await page.getByRole('dialog').getByLabel('Project', { exact: true }).selectOption('Field')
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
  await expect(rowOf(page, 'One').getByRole('link', { name: 'Field' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(rowOf(page, 'One').getByRole('link', { name: 'Field' })).toHaveCount(0)
  await client.read('PUT', 'projects/files', { files: ids.slice(0, 2).map((id) => ({ id, project })) })
  const search = page.getByRole('searchbox', { name: 'Search names and speakers' })
  await search.fill('project:field')
  await expect(rowOf(page, 'Three')).toHaveCount(0)
  await rowOf(page, 'Two').getByRole('link', { name: 'Field' }).click()
  await expect(page.getByText(/^0 of 2 ready, all by about/)).toBeVisible()

  await openSettings(page, 'Display and notifications')
  await page.getByRole('switch', { name: 'A file is ready' }).click()
  await page.evaluate(() => Object.defineProperty(document, 'hidden', { get: () => true }))
  for (const id of ids) await tool(service, sandboxAccount, `files/${id}/progress`, { progress_percent: 100 })
  // In either order: both arrive at the same time.
  await expect.poll(() => page.evaluate(() => window.shown.toSorted())).toEqual(['Field is ready', 'Three is ready'])

  await page.getByRole('navigation', { name: 'Projects' }).getByRole('link', { name: 'All projects' }).click()
  await expect(page.getByRole('row', { name: /^Field 2 of 2 – 2 min/ })).toBeVisible()
  await page.getByRole('button', { name: 'Last change' }).click()
  await expect(page).toHaveURL(/projects\?sort=changed$/)
  await expectNoAxeFindings(page)
  await page.getByRole('searchbox', { name: 'Search projects' }).fill('no such')
  await expect(page.getByText('No match.')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search projects' }).fill('FIE')
  await page.getByRole('row').getByRole('link', { name: 'Field' }).click()
  await expect(page.getByText(/^2 files, all ready/)).toBeVisible()
  await page.getByRole('button', { name: 'Download all in another format' }).click()
  await expect(page.getByRole('dialog')).toContainText('2 transcripts')
  await page.keyboard.press('Escape')
  // The ZIP holds what the list shows.
  await client.read('PATCH', 'labels', { ids: [ids[0]], archived: true })
  await expect(page.getByText(/^1 file, all ready · .* · 1 archived/)).toBeVisible()
  await page.getByRole('button', { name: 'Download all', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('1 transcript')
  await expect(page.getByRole('dialog')).toContainText('1 archived file is not in it.')
  await expect(page.getByRole('button', { name: 'Save ZIP' })).toBeVisible()
  const saved = page.waitForEvent('download')
  await page.evaluate(() => Object.defineProperty(window, 'showSaveFilePicker', { value: undefined }))
  await page.getByRole('button', { name: 'Save ZIP' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^Field \d{4}-\d\d-\d\d\.zip$/)
  await page.getByRole('button', { name: 'Done' }).click()
  await client.read('PATCH', 'labels', { ids: ids.slice(0, 2), archived: true })
  await expect(page.getByRole('heading', { name: 'All files are archived' })).toBeVisible()
  await page.getByRole('button', { name: 'Download all in another format' }).click()
  await expect(page.getByRole('dialog')).toContainText('2 transcripts')
  await expect(page.getByRole('dialog')).not.toContainText('archived')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Show archived files' }).click()
  await expect(rowOf(page, 'Two')).toBeVisible()
  await client.read('PATCH', 'labels', { ids: ids.slice(0, 2), archived: false })
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete project' }).click()
  await expect(rowOf(page, 'One')).toBeVisible()
  await page.getByRole('navigation', { name: 'Projects' }).getByRole('link', { name: 'All projects: 0' }).click()
  await page.getByRole('button', { name: 'New project…' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Board 2027')
  await page.getByRole('dialog').getByRole('button', { name: 'Make project' }).click()
  await expect(page.getByRole('heading', { name: 'Board 2027', level: 1 })).toBeVisible()
  await expectNoAxeFindings(page)
  await page.getByRole('link', { name: 'Files', exact: false }).first().click()
  // As in a saved view.
  await search.fill('project:field')
  await expect(page.getByText('There is no project “field”: it may have been renamed or deleted.')).toBeVisible()
})

/** The names in a ZIP that comes when something is pressed. */
async function namesInZip(page: Page, press: () => Promise<void>): Promise<string[]> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()])
  return Object.keys(unzipSync(await readFile(await file.path())))
}

test('a ZIP has as finished what became ready while its dialog was open, and the next one comes at once', {
  tag: '@slow',
}, async ({ page, service, sandboxAccount }) => {
  await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }))
  const client = accountClient(service.url, sandboxAccount.key)
  const { id: project } = await client.read<Project>('POST', 'projects', { name: 'Field' })
  const ids: string[] = []
  for (const [name, progress_percent] of [
    ['One', 100],
    ['Two', 80],
  ] as const)
    ids.push((await tool(service, sandboxAccount, 'files', { seconds: 60, progress_percent, name })).id)
  await client.read('PUT', 'projects/files', { files: ids.map((id) => ({ id, project })) })
  await signIn(page, sandboxAccount.key, { at: `/sandbox/projects/${project}` })
  await page.getByRole('button', { name: 'Download all', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Download/ })
  await expect(dialog).toContainText('1 file is not ready')
  await tool(service, sandboxAccount, `files/${ids[1]}/progress`, { progress_percent: 100 })
  await expect(dialog).not.toContainText('not ready')
  await dialog.getByRole('combobox', { name: 'Format', exact: true }).selectOption('docx')
  const names = await namesInZip(page, () => dialog.getByRole('button', { name: 'Save ZIP' }).click())
  expect(names.map((name) => name.split('.').at(-1))).toEqual(['docx', 'docx'])
  await dialog.getByRole('button', { name: 'Done' }).click()
  // Also after a reload, in the format of the last time and without its dialog.
  await page.reload()
  await signIn(page, sandboxAccount.key, { at: null })
  const again = page.getByRole('button', { name: 'Download all · DOCX' })
  expect(await namesInZip(page, () => again.click())).toEqual(names)
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('Saved 2 transcripts')
  await expect(dialog).toHaveCount(0)
})
