import { expect, type Page } from '@playwright/test'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { rowOf } from '../../kit/files-page.ts'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import { sessionOf, storeSession } from '../../kit/stored-session.ts'

/* Full-text search by the service, on a device that has opened none of the files. */

/** Creates a finished sandbox file. @returns its id, and adjacent words from it */
async function seedTalk(url: URL, key: string, name: string): Promise<{ id: string; phrase: string; at: number }> {
  const { id } = await accountClient(url, key).read<{ id: string }>('POST', 'tools/files', {
    seconds: 60,
    progress_percent: 100,
    name,
  })
  const words = (await (await askApi(url, key, `file/${id}.json`)).json()) as { word: string }[]
  const at = words.findIndex(({ word }, index) => index > 40 && /^[a-z]{5,}$/.test(word))
  return { id, phrase: `${words[at]?.word} ${words[at + 1]?.word.replace(/\W+$/, '')}`, at }
}

async function expectPlaying(page: Page, id: string, at: number): Promise<void> {
  await expect(page).toHaveURL(new RegExp(`/sandbox/files/${id}#w=${at}-${at + 1}&play$`))
  await expect(page.getByRole('button', { name: 'Pause' }).first()).toBeVisible()
}

test('words are found in rows of the list and in the palette, and a click plays them', { tag: '@slow' }, async ({
  page,
  service,
}) => {
  const account = await service.createAccount('sandbox')
  const { id, phrase, at } = await seedTalk(service.url, account.key, 'Harbour, tape 3')
  await storeSession(page, sessionOf(account, 'sandbox'))
  await seedTalk(service.url, account.key, 'Mill, tape 1')
  await page.goto('/sandbox/files')
  await expect(rowOf(page, 'Mill, tape 1')).toBeVisible()
  await page.getByRole('searchbox').fill(`"${phrase.toUpperCase()}" harbour`)
  const row = rowOf(page, 'Harbour, tape 3')
  const sentence = row.getByRole('link', { name: /^Speaker \d · \d+:\d\d/ })
  await expect(sentence.locator('mark')).toHaveText(new RegExp(`^${phrase}`))
  await expect(rowOf(page, 'Mill, tape 1')).toBeHidden()
  await expect(page.getByText('1 of 2 files')).toBeVisible()
  await expectNoAxeFindings(page)
  await row.getByRole('checkbox').click()
  await expect(page.getByText('1 selected')).toBeVisible()
  await sentence.click()
  await expectPlaying(page, id, at)
  await page.goBack()
  await expect(page.getByRole('searchbox')).toHaveValue(/harbour$/)
  await row.focus()
  await page.keyboard.press('Enter')
  await expectPlaying(page, id, at)
  await page.goto('/sandbox/files')
  await expect(page.getByRole('link', { name: 'Harbour, tape 3' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type(`"${phrase}"`)
  const option = page.getByRole('option').filter({ hasText: 'Harbour, tape 3 · Speaker' }).first()
  await option.click()
  await expectPlaying(page, id, at)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('"nothing of the sort was said')
  await expect(page.getByText('No results in your files, pages, commands or transcripts.')).toBeVisible()
})
