import { expect, test } from 'vitest'
import { UploadClient, usualMetadata } from '../../api/uploads/testing/upload-client.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { fileForm } from '../../testing/test-service.ts'

const room = accountRoom({ role: 'api' })

const charges = async () => {
  const { entries } = await room.client.read<{ entries: { kind: string }[] }>('GET', 'ledger')
  return entries.filter(({ kind }) => kind === 'charge').length
}

test('of orders of one recording at once that are to refuse a known one, one is made and charged', async () => {
  const tone = await room.service.tone(2)
  const headers = { 'known-recording': 'refuse' }
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() =>
      room.service.fetch(room.account.key, 'files', { method: 'POST', headers, body: fileForm(tone) }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
  const known = answers.flatMap((answer) => answer.headers.get('known-file') ?? [])
  expect(new Set(known).size).toBe(1)
  expect(await charges()).toBe(1)
})

test('a complete upload of a known recording waits, uncharged, until its order is wanted all the same', async () => {
  const tone = new Uint8Array(await room.service.tone(3))
  const body = fileForm(tone)
  expect((await room.service.fetch(room.account.key, 'files', { method: 'POST', body })).status).toBe(201)
  const uploads = new UploadClient(room.service, room.account.key)
  const path = await uploads.created(tone.length, { ...usualMetadata, known_recording: 'refuse' })
  const last = await uploads.patch(path, 0, tone)
  expect([last.status, await last.text()]).toEqual([
    409,
    expect.stringMatching(/has this recording.*Nothing was charged/),
  ])
  expect((await uploads.send('POST', `${path}/order`)).status).toBe(409)
  expect(await charges()).toBe(1)
  expect((await uploads.send('POST', `${path}/order`, { 'known-recording': 'order' })).status).toBe(201)
  expect(await charges()).toBe(2)
  expect((await uploads.create(9, { ...usualMetadata, known_recording: 'no' })).status).toBe(400)
})
