import { expect, test } from 'vitest'
import type { LogPage } from '../../../contract/account/audit-log.ts'
import { captionReport } from '../../../contract/account/captions.ts'
import type { FilePage } from '../../../contract/account/file-pages.ts'
import { captionStyles } from '../../../formats/captions/caption-rules.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { makeChange, makeSample, postChange, refusal, type Sample, typed } from './testing/sample-to-correct.ts'

const room = accountRoom()
const own = { ...captionStyles.netflix, lineLength: 20 }

const put = (id: string, rules: unknown) => room.client.ask('PUT', `files/${id}/caption-rules`, rules)
const get = ({ id }: Sample, format = 'srt', headers: Record<string, string> = {}) =>
  room.service.fetch(room.account.key, `file/${id}.${format}`, { headers })
const longest = (srt: string) => Math.max(...srt.split('\n').map((line) => line.length))
const correct = async (file: Sample) =>
  expect(
    (await postChange(room, `${file.id}/corrections`, 0, makeChange(file, [typed(file, 5, 'Corrected')]))).status,
  ).toBe(200)

test('are stored with the transcript, and its entry has them unless they are Parley’s', async () => {
  const { id } = await makeSample(room)
  const listed = async () =>
    (await room.client.read<FilePage>('GET', 'files')).files.find((file) => file.id === id)?.caption_rules
  expect(await listed()).toBeUndefined()
  expect((await put(id, own)).status).toBe(204)
  expect(await listed()).toEqual(own)
  for (const wrong of [{ ...own, lineLength: 3 }, { ...own, minSeconds: 8 }, { ...own, speakers: 'song' }, {}]) {
    expect((await put(id, wrong)).status, JSON.stringify(wrong)).toBe(400)
  }
  expect((await put(id, captionStyles.parley)).status).toBe(204)
  expect(await listed()).toBeUndefined()
  const { entries } = await room.client.read<LogPage>('GET', 'log?action=corrected')
  expect(entries).toMatchObject([{ detail: 'caption rules', file_id: id, times: 2 }])
})

test('the corrected text and the report follow them, and the text of programs that get the corrected one', async () => {
  const file = await makeSample(room)
  const before = await (await get(file)).text()
  await put(file.id, own)
  expect(await (await get(file)).text(), 'the interface, to the letter').toBe(before)
  await room.client.read('PUT', 'program-text', { program_text: 'corrected' })
  const narrow = await get(file)
  const srt = await narrow.text()
  expect(longest(before)).toBeGreaterThan(29)
  expect(longest(srt.replaceAll(/.*-->.*/g, ''))).toBeLessThanOrEqual(20)
  expect(await (await get(file, 'srt', { 'Transcript-Version': 'original' })).text()).toBe(before)
  const tags = [narrow.headers.get('etag')]
  const shifted = (shiftSeconds: number) => ({ ...own, timing: { stretch: 1, shiftSeconds } })
  for (const rules of [{ ...own, lineLength: 24 }, shifted(1.5), shifted(3)]) {
    await put(file.id, rules)
    tags.push((await get(file)).headers.get('etag'))
  }
  expect(new Set(tags).size).toBe(4)
  await put(file.id, own)
  expect((await get(file, 'txt')).headers.get('etag')).toBe((await get(file, 'txt')).headers.get('etag'))
  await correct(file)
  const corrected = await (await room.client.ask('GET', `files/${file.id}/corrected/srt`)).text()
  expect(corrected).toContain('Corrected')
  expect(longest(corrected.replaceAll(/.*-->.*/g, ''))).toBeLessThanOrEqual(20)
  expect(await (await get(file)).text()).toBe(corrected)
})

test('the report is by them, or by a style guide that is named', async () => {
  const { id } = await makeSample(room)
  const { db } = room.service.platform
  const { options_json } = await db
    .selectFrom('files')
    .select('options_json')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const options = JSON.stringify({ ...JSON.parse(options_json), subtitle_file: 'on' })
  await db.updateTable('files').set({ options_json: options }).where('id', '=', id).execute()
  await put(id, own)
  const report = async (query = '') =>
    captionReport.parse(await room.client.read('GET', `files/${id}/caption-report${query}`))
  expect((await report()).style).toBe('own')
  const byNetflix = await report('?style=netflix')
  expect(byNetflix.style).toBe('netflix')
  expect(byNetflix.captions).toBeLessThan((await report()).captions)
})

test('an approved transcript keeps its rules until it is reopened', async () => {
  const file = await makeSample(room)
  const move = (revision: number, body: unknown) => postChange(room, `${file.id}/review`, revision, body)
  await move(0, { state: 'in_review' })
  expect((await move(1, { state: 'approved', corrections: 0 })).status).toBe(200)
  expect(await refusal(await put(file.id, own))).toEqual([409, expect.stringContaining('Reopen it to change it.')])
  await move(2, { state: 'draft' })
  expect((await put(file.id, own)).status).toBe(204)
})

test('those of new files are the account’s, without a timing', async () => {
  const before = await makeSample(room)
  const wanted = { ...captionStyles.bbc, timing: { stretch: 1, shiftSeconds: 3 } }
  expect((await room.client.ask('PUT', 'caption-rules', wanted)).status).toBe(204)
  expect(await room.client.read('GET', '')).toMatchObject({ caption_rules: captionStyles.bbc })
  const after = await makeSample(room)
  const { files } = await room.client.read<FilePage>('GET', 'files')
  const rulesOf = ({ id }: Sample) => files.find((file) => file.id === id)?.caption_rules
  expect(rulesOf(after)).toEqual(captionStyles.bbc)
  expect(rulesOf(before), 'ordered before').toBeUndefined()
  expect((await room.client.ask('PUT', 'caption-rules', { ...own, lineLength: 3 })).status).toBe(400)
  await room.client.ask('PUT', 'caption-rules', captionStyles.parley)
  expect(await room.client.read('GET', '')).not.toHaveProperty('caption_rules')
})
