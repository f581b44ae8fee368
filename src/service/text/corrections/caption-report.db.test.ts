import { expect, test } from 'vitest'
import { captionReport } from '../../../contract/account/captions.ts'
import { readStoredOptions } from '../../../contract/interface/option-values.ts'
import { accountClient } from '../../testing/account-client.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { makeChange, makeSample, postChange, typed } from './testing/sample-to-correct.ts'

const room = accountRoom()

async function orderedWithCaptions() {
  const file = await makeSample(room)
  await setOption(file.id, 'on')
  return file
}

async function setOption(id: string, subtitle_file: 'on' | 'off') {
  const { db } = room.service.platform
  const { options_json } = await db
    .selectFrom('files')
    .select('options_json')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const options = { ...readStoredOptions(options_json), subtitle_file }
  await db
    .updateTable('files')
    .set({ options_json: JSON.stringify(options) })
    .where('id', '=', id)
    .execute()
}

const ask = (id: string, query = '') => room.client.ask('GET', `files/${id}/caption-report${query}`)

test('an order with a subtitle file has a report of its captions, which counts those of its SRT', async () => {
  const { id } = await orderedWithCaptions()
  const report = captionReport.parse(await (await ask(id)).json())
  const srt = await (await room.service.fetch(room.account.key, `file/${id}.srt`)).text()
  expect(report).toMatchObject({ style: 'parley', text: 'original', captions: srt.trimEnd().split('\n\n').length })
  expect(report.keep_rules).toBe(report.captions - new Set(report.faults.map(({ caption }) => caption)).size)
  expect(report.top_speed).toBeGreaterThanOrEqual(report.mean_speed)
})

test('is of the corrected text, and names each caption that breaks a rule of the chosen style', async () => {
  const file = await orderedWithCaptions()
  const long = 'W'.repeat(60)
  await postChange(room, `${file.id}/corrections`, 0, makeChange(file, [typed(file, 5, long)]))
  const report = captionReport.parse(await (await ask(file.id, '?style=dcmp')).json())
  expect(report).toMatchObject({ style: 'dcmp', text: 'corrected' })
  const fault = report.faults.find(({ text }) => text.replaceAll('\n', '').includes('WWWW'))
  expect(fault?.fault).toBe('too fast to read')
  expect(fault?.value).toBeGreaterThan(16)
  expect(report.keep_rules).toBeLessThan(report.captions)
})

test('there is none without a subtitle file, before the transcript is ready, for other rules, or for other accounts', async () => {
  const { id } = await makeSample(room)
  expect((await ask(id)).status).toBe(409)
  await setOption(id, 'on')
  expect((await ask(id, '?style=mine')).status).toBe(400)
  const made = { seconds: 60, progress_percent: 20, transcript_type: 'manual' }
  const begun = await room.client.read<{ id: string }>('POST', 'tools/files', made)
  await setOption(begun.id, 'on')
  expect(await (await ask(begun.id)).json()).toEqual({ error: expect.stringContaining('once the transcript is ready') })
  const other = await room.service.account()
  const stranger = accountClient(room.service.address, other.key)
  expect((await stranger.ask('GET', `files/${id}/caption-report`)).status).toBe(404)
})
