import { expect, test } from 'vitest'
import { accountRoom } from '../../testing/account-room.ts'
import { readStoredWords } from '../../text/transcripts/stored-words.ts'
import { sampleWords } from './sample-talk.ts'

const room = accountRoom({ role: 'api' })

test('the words of a long sample are stored in pieces, none lost between them', async () => {
  const sample = { seconds: 7_200, progress_percent: 50 }
  const { id } = await room.client.read<{ id: string }>('POST', 'tools/files', sample)
  const { db } = room.service.platform
  const pieces = await db.selectFrom('pieces').selectAll().where('file_id', '=', id).orderBy('position').execute()
  expect(pieces.length).toBeGreaterThan(4)
  expect(pieces.map(({ start_ms }) => start_ms)).toEqual([0, ...pieces.slice(0, -1).map(({ end_ms }) => end_ms)])
  expect(pieces.at(-1)?.end_ms).toBe(3_600_000)
  const words = pieces.flatMap(({ words_json }) => readStoredWords(words_json))
  expect(words).toEqual([...sampleWords(0, 3_600_000)])
  await room.client.read('POST', `tools/files/${id}/progress`, { progress_percent: 100 })
  const json = await (await room.service.fetch(room.account.key, `file/${id}.json`)).json()
  expect(json).toHaveLength([...sampleWords(0, 7_200_000)].length)
})

test('an own recording that is moved before its words are there gets sample words', async () => {
  const { service, account } = room
  const { id } = await service.order(account.key, await service.tone(20), '?transcript_type=manual')
  const move = (progress_percent: number) =>
    room.client.read('POST', `tools/files/${id}/progress`, { progress_percent })
  // In the middle of a word, which is cut and not lost.
  await move(30)
  await move(45)
  const text = await (await service.fetch(account.key, `file/${id}`)).text()
  expect(text).toMatch(/\n00:00 Speaker 1: This is a sample file/)
  await move(100)
  const json = (await (await service.fetch(account.key, `file/${id}.json`)).json()) as { word: string }[]
  expect(json.map(({ word }) => word)).toEqual([...sampleWords(0, 20_000)].map(({ word }) => word))
})
