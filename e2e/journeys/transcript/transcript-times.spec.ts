import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { runFfmpeg } from '../../../src/service/platform/media/testing/run-ffmpeg.ts'
import { plainSentence, speak } from '../../../src/service/recognition/testing/speak.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { contentText } from '../../kit/downloaded-text.ts'
import { rowOf } from '../../kit/files-page.ts'
import { expectNoAxeFindings, test } from '../../kit/fixtures.ts'
import { signIn } from '../../kit/sign-in.ts'
import { openTask, pressFormat } from '../../kit/transcript-tasks.ts'

/* Times of day: a recording that began at 15:06 has them in its text and in documents, by every way to a file. */

async function save(page: Page, press: () => Promise<void>): Promise<string> {
  const download = page.waitForEvent('download')
  await press()
  const file = await download
  return contentText(file.suggestedFilename(), await readFile(await file.path()))
}

test(
  'the time code of a camera becomes the times of the text and of every download, and programs keep seconds',
  { tag: '@slow' },
  async ({ page, service, sandboxAccount: { key } }, testInfo) => {
    const camera = testInfo.outputPath('camera.mp4')
    const picture = ['-f', 'lavfi', '-i', 'color=size=32x32:rate=25:duration=3']
    const sound = await speak(plainSentence)
    runFfmpeg(...picture, '-i', sound, '-timecode', '15:06:10:12', camera)
    const form = new FormData()
    form.set('file', new Blob([await readFile(camera)], { type: 'video/mp4' }), 'camera.mp4')
    const query = 'files?transcript_type=automated&time_coding=on'
    const made = await askApi(service.url, key, query, { method: 'POST', body: form })
    const { id } = (await made.json()) as { id: string }
    await expect.poll(async () => (await askApi(service.url, key, `file/${id}.json`)).status).toBe(200)

    await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }))
    await signIn(page, key, { at: `/sandbox/files/${id}` })
    const time = page.getByRole('article').first().getByRole('time')
    await expect(time).toHaveText('00:00')
    await openTask(page, 'Read')
    await page.getByRole('button', { name: 'Time of day…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Times' })
    const field = dialog.getByLabel('The recording began at')
    await field.fill('25:00')
    await expect(dialog.getByRole('alert')).toHaveText('A time of day, such as 15:06 or 15:06:30.')
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    await dialog.getByRole('button', { name: 'Time code: 15:06:10:12' }).click()
    await expect(field).toHaveValue('15:06:10.480')
    await expectNoAxeFindings(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await expect(time).toHaveText('15:06:10')
    await expect(page.getByText('Times from 15:06:10')).toBeVisible()

    for (const format of ['TXT', 'PDF', 'ODT', 'DOC']) {
      expect(await save(page, () => pressFormat(page, format)), format).toContain('15:06:10')
    }
    expect(await save(page, () => pressFormat(page, 'SRT'))).toContain('00:00:00,')

    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await page.getByRole('menuitem', { name: /^More formats/ }).click()
    const choices = page.getByRole('dialog', { name: /^Download/ })
    await expect(choices.getByText('Times are of the day: the recording began at 15:06:10.')).toBeVisible()
    await choices.getByRole('combobox', { name: 'Format', exact: true }).selectOption('srt')
    await choices.getByText('Time of day', { exact: true }).click()
    const clocked = await save(page, () => choices.getByRole('button', { name: 'Download', exact: true }).click())
    expect(clocked).toContain('15:06:10,')
    await expect(choices).toBeHidden()

    const programs = await askApi(service.url, key, `file/${id}.txt`)
    expect(await programs.text()).toMatch(/^00:00 /m)
    const entry = await accountClient(service.url, key).read<{ labels: unknown }>('GET', `files/${id}`)
    expect(entry.labels).toMatchObject({ begins_at_seconds: 54_370.48 })

    // The list remembers the format of the last download.
    await save(page, () => pressFormat(page, 'TXT'))
    await page.getByRole('link', { name: 'Files', exact: true }).first().click()
    const row = rowOf(page, 'camera')
    expect(
      await save(page, () =>
        row
          .getByRole('button', { name: /^Download/ })
          .first()
          .click(),
      ),
    ).toMatch(/15:06:10/)
    await row.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Download all as ZIP' }).click()
    const zip = page.getByRole('dialog')
    await zip.getByRole('combobox', { name: 'Format', exact: true }).selectOption('txt')
    expect(await save(page, () => zip.getByRole('button', { name: 'Save ZIP' }).click())).toContain('15:06:10')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'More for camera' }).click()
    await page.getByRole('menuitem', { name: 'Name, note, tags…' }).click()
    await page.getByRole('dialog').getByLabel('The recording began at').fill('')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await rowOf(page, 'camera').getByRole('link', { name: 'camera' }).click()
    await expect(time).toHaveText('00:00')
  },
)
