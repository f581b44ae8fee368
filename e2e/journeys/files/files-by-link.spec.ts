import { expect, type Page } from '@playwright/test'
import type { Project } from '../../../src/contract/account/projects.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { setFaults, test } from '../../kit/faults.ts'
import { rowOf } from '../../kit/files-page.ts'
import { seedFiles } from '../../kit/seed-files.ts'
import { txtOf, wordsOf } from '../../kit/seeded-transcripts.ts'
import { sessionOf, storeSession } from '../../kit/stored-session.ts'
import { openCaptions } from '../../kit/transcript-tasks.ts'

/* What the list knows of a file, its pages know by whichever way they are opened. */

const label = 'Rosa Okafor, interview'
const talk = 'The mill stood by the river.|People forget that it was loud.'

async function expectWholeFile(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: label, level: 1 })).toBeVisible()
  await openCaptions(page)
  await expect(page.getByRole('button', { name: 'Video with captions as a track' })).toBeVisible()
  await page.keyboard.press('Escape')
  // A reload before the page has gone back would show the captions again.
  await expect(page).not.toHaveURL(/captions/)
}

test('opened by link and after a reload, a file has its name, kind and project, and its project all files', {
  tag: '@slow',
}, async ({ page, service, account }) => {
  const samples = [
    { name: 'DSC_0412', seconds: 60, media_kind: 'video' as const },
    ...['Two', 'Three'].map((name) => ({ name, seconds: 60 })),
  ]
  const ids = await seedFiles(service.dataDir, account.account, 'live', samples)
  const [id = ''] = ids
  await setFaults(service, {
    bodies: { [`/v1/file/${id}.json`]: JSON.stringify(wordsOf(talk)), [`/v1/file/${id}.txt`]: txtOf(talk) },
  })
  const client = accountClient(service.url, account.key)
  await client.read('PATCH', 'labels', { ids: [id], name: label, add_tags: ['field'] })
  const { id: project } = await client.read<Project>('POST', 'projects', { name: 'Field' })
  await client.read('PUT', 'projects/files', { files: ids.map((file) => ({ id: file, project })) })

  // A long list takes its time: what these pages show must not wait for it.
  const slow = '**/account/files?*'
  await page.route(slow, () => undefined)
  await storeSession(page, sessionOf(account))
  await page.goto(`/live/files/${id}`)
  await expectWholeFile(page)
  await page.reload()
  await expectWholeFile(page)
  await page.goto(`/live/files/${id}/receipt`)
  await expect(page.getByRole('article')).toContainText(label)
  await page.unroute(slow)

  await page.goto(`/live/projects/${project}`)
  await expect(page.getByText(/^3 files, all ready/)).toBeVisible()
  await rowOf(page, label).getByRole('link', { name: label }).click()
  await expectWholeFile(page)
  await page.reload()
  await expectWholeFile(page)
  await page.goBack()
  await expect(page.getByText(/^3 files, all ready/)).toBeVisible()
  await expect(rowOf(page, label)).toContainText('field')
  await page.getByRole('button', { name: 'Download all in another format' }).click()
  await expect(page.getByRole('dialog')).toContainText('3 transcripts')
})

test('a tag filters: by a click on it, in the filter, and as a suggestion while it is typed', async ({
  page,
  service,
  account,
}) => {
  const names = ['Mill talk', 'River talk', 'Harbour talk']
  const [mill = '', river = ''] = await seedFiles(
    service.dataDir,
    account.account,
    'live',
    names.map((name) => ({ name, seconds: 60 })),
  )
  const client = accountClient(service.url, account.key)
  await client.read('PATCH', 'labels', { ids: [mill, river], add_tags: ['field work'] })
  await client.read('PATCH', 'labels', { ids: [mill], add_tags: ['2026'] })
  await storeSession(page, sessionOf(account))
  await page.goto('/live/files')
  await rowOf(page, 'Mill talk').getByRole('link', { name: 'field work' }).click()
  await expect(rowOf(page, 'Harbour talk')).toHaveCount(0)
  await expect(rowOf(page, 'River talk')).toBeVisible()
  const search = page.getByLabel('Search names and speakers')
  await expect(search).toHaveValue('tag:"field work"')

  await page.getByRole('button', { name: /^Filter/ }).click()
  await page.getByLabel('Tag', { exact: true }).selectOption('2026')
  await expect(rowOf(page, 'River talk')).toHaveCount(0)
  await expect(rowOf(page, 'Mill talk')).toBeVisible()
  await page.keyboard.press('Escape')

  await search.fill('river tag:fi')
  const suggested = page.locator('datalist option')
  await expect(suggested).toHaveAttribute('value', 'river tag:"field work"')
  await search.fill((await suggested.getAttribute('value')) ?? '')
  await expect(rowOf(page, 'River talk')).toBeVisible()
  await expect(rowOf(page, 'Mill talk')).toHaveCount(0)
})
