import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect } from '@playwright/test'
import { encodePeaks } from '../../../src/contract/interface/peaks.ts'
import type { WordRecord } from '../../../src/contract/interface/words.ts'
import { openFsBlobStore } from '../../../src/service/platform/media/fs-blob-store.ts'
import { runFfmpeg } from '../../../src/service/platform/media/testing/run-ffmpeg.ts'
import { plainSentence, speak } from '../../../src/service/recognition/testing/speak.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { openOn, sample } from '../../kit/devices.ts'
import { test } from '../../kit/fixtures.ts'
import { field, turn } from '../../kit/harbour-talk.ts'
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

test('what is typed over a turn keeps clear of a pause of the sound', async ({ browser, service, sandboxAccount }) => {
  const id = await sample(service, sandboxAccount)
  const client = accountClient(service.url, sandboxAccount.key)
  await client.read('PUT', 'program-text', { program_text: 'corrected' })
  const words = async () =>
    (await (await askApi(service.url, sandboxAccount.key, `file/${id}.json`)).json()) as WordRecord[]
  const heard = await words()
  const end = heard.findIndex((word) => word.turn === true)
  const [from, to] = [heard[0]?.start ?? 0, heard[end]?.end ?? 0]
  const pause = { from: from + (to - from) * 0.3, to: from + (to - from) * 0.7 }
  // Loud for two minutes but for the pause, in 20 steps a second.
  const peaks = Int8Array.from({ length: 2 * 20 * 120 }, (_, at) =>
    at / 40 >= pause.from && at / 40 < pause.to ? 0 : at % 2 === 0 ? -80 : 80,
  )
  const blobs = await openFsBlobStore(join(service.dataDir, 'blobs'))
  // The service draws its own first: of a silent sample.
  await expect.poll(() => blobs.size(id, 'peaks')).not.toBeNull()
  await blobs.write(id, 'peaks', Readable.from([encodePeaks(peaks)]))
  const page = await openOn(browser, service, sandboxAccount, id)
  const fine = page.waitForResponse((answer) => answer.url().endsWith('/peaks?fine') && answer.ok())
  await turn(page, 0).dblclick({ position: { x: 8, y: 12 } })
  await fine
  await field(page).fill('Nothing that was heard before remains, but everything typed was really said.')
  await field(page).press('Enter')
  await expect.poll(async () => (await words())[0]?.word).toBe('Nothing')
  const typed = (await words()).slice(0, 12)
  expect(typed.at(-1)?.word).toBe('said.')
  const within = typed.filter(({ start, end: ends }) => start < pause.to - 0.1 && ends > pause.from + 0.1)
  expect(within).toEqual([])
  expect(new Set(typed.map(({ start }) => start < pause.from)).size).toBe(2)
})
