import { expect, test } from 'vitest'
import type { FilePage } from '../../../contract/account/file-pages.ts'
import { UploadClient, usualMetadata } from '../../api/uploads/testing/upload-client.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { fileForm } from '../../testing/test-service.ts'

const room = accountRoom({ role: 'api' })

async function orderIn(batch: string | null, seconds: number): Promise<Response> {
  const body = fileForm(await room.service.tone(seconds))
  const headers: Record<string, string> = batch === null ? {} : { 'order-batch': batch }
  return await room.service.fetch(room.account.key, 'files', { method: 'POST', headers, body })
}

const batches = async () => {
  const { files } = await room.client.read<FilePage>('GET', 'files?limit=100')
  return files.map(({ batch }) => batch ?? null).toSorted()
}

test('files of one batch are listed with its name, however they were sent', async () => {
  expect((await orderIn('press-1', 2)).status).toBe(201)
  expect((await orderIn(null, 3)).status).toBe(201)
  const uploads = new UploadClient(room.service, room.account.key)
  const tone = new Uint8Array(await room.service.tone(4))
  const path = await uploads.created(tone.length, { ...usualMetadata, batch: 'press-1' })
  expect((await uploads.patch(path, 0, tone)).status).toBe(204)
  expect(await batches()).toEqual([null, 'press-1', 'press-1'].toSorted())
})

test.each(['', 'two words', 'x'.repeat(65)])(
  'the name of a batch cannot be “%s”, and nothing is charged',
  async (name) => {
    expect((await orderIn(name, 2)).status).toBe(400)
    expect(await room.client.read('GET', 'ledger')).toMatchObject({ total: 0 })
  },
)
