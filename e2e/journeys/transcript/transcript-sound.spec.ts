import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { runFfmpeg } from '../../../src/service/platform/media/testing/run-ffmpeg.ts'
import { plainSentence, speak } from '../../../src/service/recognition/testing/speak.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { test } from '../../kit/fixtures.ts'
import { signIn } from '../../kit/sign-in.ts'
import { openTask } from '../../kit/transcript-tasks.ts'

test('the transcript of a recording with a silent first track says which one was heard', async ({
  page,
  service,
  sandboxAccount: { key },
}, testInfo) => {
  const path = testInfo.outputPath('panel.mkv')
  const tracks = [
    '-f',
    'lavfi',
    '-t',
    '4',
    '-i',
    'anullsrc',
    '-i',
    await speak(plainSentence),
    '-map',
    '0',
    '-map',
    '1',
  ]
  runFfmpeg(...tracks, '-metadata:s:a:1', 'title=Guest', path)
  const form = new FormData()
  form.set('file', new Blob([await readFile(path)]), 'panel.mkv')
  const query = 'files?transcript_type=automated'
  const { id } = (await (await askApi(service.url, key, query, { method: 'POST', body: form })).json()) as {
    id: string
  }
  await expect.poll(async () => (await askApi(service.url, key, `file/${id}.json`)).status).toBe(200)
  await signIn(page, key, { at: `/sandbox/files/${id}` })
  await expect(page.getByRole('article')).toHaveCount(1)
  await openTask(page, 'File')
  await expect(page.getByText('2 sound tracks: “Guest” was heard')).toBeVisible()
})
