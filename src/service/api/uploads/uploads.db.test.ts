import { readdir } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { Upload } from 'tus-js-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { uploadsBasePath } from '../../../contract/interface/resumable-uploads.ts'
import { accountClient } from '../../testing/account-client.ts'
import { authorization } from '../../testing/ask-api.ts'
import type { TestAccount, TestService } from '../../testing/test-service.ts'
import { startTestService } from '../../testing/test-service.ts'
import { UploadClient, usualMetadata } from './testing/upload-client.ts'

let service: TestService
let account: TestAccount
let uploads: UploadClient
let recording: Uint8Array<ArrayBuffer>

beforeAll(async () => {
  service = await startTestService({ role: 'api' })
  recording = new Uint8Array(await service.tone(3))
})
beforeEach(async () => {
  account = await service.account()
  uploads = new UploadClient(service, account.key)
})
afterAll(() => service.close())

async function hint(answer: Response): Promise<string> {
  return ((await answer.json()) as { error: string }).error
}

async function bytesOnDisk(): Promise<string[]> {
  return await readdir(join(service.dataDir, 'uploads'))
}

describe('an upload', () => {
  test('becomes an order with its options when it is complete', async () => {
    const path = await uploads.created(recording.length)
    const half = 20_000
    const first = await uploads.patch(path, 0, recording.slice(0, half))
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, String(half)])
    expect(first.headers.get('x-service-file')).toBeNull()
    const last = await uploads.patch(path, half, recording.slice(half))
    const id = last.headers.get('x-service-file') ?? ''
    expect(last.status).toBe(204)
    expect(await service.metadata(account.key, id)).toMatchObject({
      name: 'Board meeting',
      bytes: String(recording.length),
      seconds: '3.000',
      options: { transcript_type: 'automated' },
    })
    const head = await uploads.send('HEAD', path)
    expect([head.headers.get('upload-offset'), head.headers.get('x-service-file')]).toEqual([
      String(recording.length),
      id,
    ])
    expect(await (await uploads.send('POST', `${path}/order`)).json()).toEqual({ id })
    expect(await bytesOnDisk()).toEqual([])
    const { url } = await accountClient(service.address, account.key).read<{ url: string }>(
      'POST',
      `files/${id}/playback`,
    )
    const played = await fetch(service.address + url)
    expect(Buffer.compare(Buffer.from(await played.arrayBuffer()), recording)).toBe(0)
  })

  test('resumes at the offset of a lost connection', async () => {
    const path = await uploads.created(recording.length)
    const broken = uploads.openPatch(path, recording.length, recording.subarray(0, 16_384))
    await broken.onDisk(16_384)
    broken.breakOff()
    const head = await uploads.send('HEAD', path)
    expect(head.headers.get('upload-length')).toBe(String(recording.length))
    const offset = Number(head.headers.get('upload-offset'))
    expect(offset).toBe(16_384)
    expect((await uploads.patch(path, 0, recording)).status).toBe(409)
    const last = await uploads.patch(path, offset, recording.slice(offset))
    expect(last.headers.get('x-service-file')).toMatch(/^f/)
  })

  test('is handed to a reconnecting client while the old connection hangs', async () => {
    const path = await uploads.created(recording.length)
    const hanging = uploads.openPatch(path, recording.length, recording.subarray(0, 16_384))
    await hanging.onDisk(16_384)
    const head = await uploads.send('HEAD', path)
    expect(head.headers.get('upload-offset')).toBe('16384')
    await hanging.ended
    expect((await uploads.patch(path, 16_384, recording.slice(16_384))).headers.get('x-service-file')).toMatch(/^f/)
  })

  test('survives a restart of the service', async () => {
    const path = await uploads.created(recording.length)
    await uploads.patch(path, 0, recording.slice(0, 10_000))
    await service.restart()
    expect((await uploads.send('HEAD', path)).headers.get('upload-offset')).toBe('10000')
    expect((await uploads.patch(path, 10_000, recording.slice(10_000))).headers.get('x-service-file')).toMatch(/^f/)
  })

  test("works with tus's own client", async () => {
    const answer = await new Promise<string | undefined>((resolve, reject) => {
      new Upload(Buffer.from(recording), {
        endpoint: service.address + uploadsBasePath('sandbox'),
        headers: { authorization: authorization(account.key) },
        metadata: usualMetadata,
        chunkSize: 9_000,
        onSuccess: ({ lastResponse }) => resolve(lastResponse.getHeader('X-Service-File')),
        onError: reject,
      }).start()
    })
    expect(await service.metadata(account.key, answer ?? '')).toMatchObject({ name: 'Board meeting' })
  })

  test('with a known idempotency key returns the earlier order, however it was created', async () => {
    const pairs = { ...usualMetadata, idempotency_key: 'line-7' }
    const path = await uploads.created(recording.length, pairs)
    const id = (await uploads.patch(path, 0, recording)).headers.get('x-service-file')
    const again = await uploads.created(recording.length, pairs)
    expect((await uploads.patch(again, 0, recording)).headers.get('x-service-file')).toBe(id)
    const { total } = await accountClient(service.address, account.key).read<{ total: number }>('GET', 'ledger')
    expect(total).toBe(1)
  })
})

describe('what is refused', () => {
  test.each([
    ['an unknown option', { ...usualMetadata, options: 'colour=red' }, 400, /colour/],
    ['a type that is not supported', { ...usualMetadata, filetype: 'text/plain' }, 415, /mp3/],
    ['a key that is none', { ...usualMetadata, idempotency_key: 'a b' }, 400, /Idempotency-Key/],
  ])('%s, before a byte is sent', async (_name, pairs, status, words) => {
    const answer = await uploads.create(recording.length, pairs)
    expect([answer.status, await hint(answer)]).toEqual([status, expect.stringMatching(words)])
    expect(answer.headers.get('content-type')).toMatch(/json/)
  })

  test('a file that is empty or over 10 GB', async () => {
    expect((await uploads.create(0)).status).toBe(400)
    expect((await uploads.create(10_000_000_001)).status).toBe(413)
  })

  test('an account without a card, and one whose card is gone by the end: the bytes wait for it', async () => {
    const client = accountClient(service.address, account.key)
    const path = await uploads.created(recording.length)
    await client.read('DELETE', 'payment')
    expect((await uploads.create(recording.length)).status).toBe(402)
    const last = await uploads.patch(path, 0, recording)
    expect([last.status, await hint(last)]).toEqual([402, expect.stringMatching(/payment method/)])
    expect((await uploads.send('POST', `${path}/order`)).status).toBe(402)
    await client.read('PUT', 'payment', { test_card: 'succeeds' })
    const made = await uploads.send('POST', `${path}/order`)
    expect(made.status).toBe(201)
    expect(await client.read('GET', 'ledger')).toMatchObject({ total: 1 })
  })

  test('an order above its limit: nothing is charged, and the bytes wait for a higher one', async () => {
    const client = accountClient(service.address, account.key)
    const path = await uploads.created(recording.length, { ...usualMetadata, max_total_cents: '0' })
    const last = await uploads.patch(path, 0, recording)
    expect([last.status, await hint(last)]).toEqual([400, expect.stringMatching(/more than its limit/)])
    const price = last.headers.get('order-total-cents') ?? ''
    expect([price, last.headers.get('order-duration-ms')]).toEqual([expect.stringMatching(/^[1-9]\d*$/), '3000'])
    expect((await uploads.send('POST', `${path}/order`)).status).toBe(400)
    expect(await client.read('GET', 'ledger')).toMatchObject({ total: 0 })
    expect((await uploads.send('POST', `${path}/order`, { 'max-total-cents': price })).status).toBe(201)
    expect(await client.read('GET', 'ledger')).toMatchObject({ total: 1 })
    expect((await uploads.create(recording.length, { ...usualMetadata, max_total_cents: '1.50' })).status).toBe(400)
  })

  test('bytes that are no recording: nothing is charged or kept', async () => {
    const path = await uploads.created(recording.length)
    const last = await uploads.patch(path, 0, new Uint8Array(recording.length).fill(65))
    expect([400, 415]).toContain(last.status)
    expect((await uploads.send('HEAD', path)).status).toBe(404)
    expect(await bytesOnDisk()).toEqual([])
    expect(await accountClient(service.address, account.key).read('GET', 'ledger')).toMatchObject({ total: 0 })
  })

  test('an order of an incomplete upload', async () => {
    const path = await uploads.created(recording.length)
    await uploads.patch(path, 0, recording.slice(0, 100))
    expect((await uploads.send('POST', `${path}/order`)).status).toBe(409)
  })

  const octets = 'application/offset+octet-stream'
  test.each([
    ['a version that is not 1.0.0', { 'tus-resumable': '0.2.2' }, 412],
    ['a body of another type', { 'content-type': 'audio/wav' }, 415],
    ['an offset that is none', { 'upload-offset': 'x' }, 400],
    ['an offset where the upload is not', { 'upload-offset': '7' }, 409],
    ['more than the upload has', {}, 413],
  ])('a PATCH with %s: the upload stays as it is', async (_name, headers, status) => {
    const path = await uploads.created(recording.length)
    const usualHeaders = { 'content-type': octets, 'upload-offset': '0', ...headers }
    const body = status === 413 ? new Uint8Array(recording.length + 1) : recording
    const answer = await uploads.send('PATCH', path, usualHeaders, body)
    expect([answer.status, answer.headers.get('tus-resumable')]).toEqual([status, '1.0.0'])
    expect((await uploads.send('HEAD', path)).headers.get('upload-offset')).toBe('0')
    expect((await uploads.patch(path, 0, recording)).headers.get('x-service-file')).toMatch(/^f/)
  })

  test('a body of unknown length that is too long: bytes that fit are kept, nothing is ordered', async () => {
    const path = await uploads.created(recording.length)
    const body = new ReadableStream({
      start(controller) {
        for (let sent = 0; sent <= recording.length; sent += 8_192) controller.enqueue(new Uint8Array(8_192))
        controller.close()
      },
    })
    const answer = await uploads.patch(path, 0, body)
    expect(answer.status).toBe(413)
    expect(await accountClient(service.address, account.key).read('GET', 'ledger')).toMatchObject({ total: 0 })
  })

  test("another account's upload, a wrong key and a wrong address", async () => {
    const path = await uploads.created(recording.length)
    const other = new UploadClient(service, (await service.account()).key)
    for (const method of ['HEAD', 'PATCH', 'DELETE']) expect((await other.send(method, path)).status).toBe(404)
    expect((await other.send('POST', `${path}/order`)).status).toBe(404)
    expect((await other.patch(path, 0, recording)).status).toBe(404)
    expect((await uploads.send('HEAD', `${uploadsBasePath('sandbox')}..%2F..%2Fparley.db`)).status).toBe(404)
    expect((await uploads.send('HEAD', path, { authorization: authorization('parley_test_wrong') })).status).toBe(401)
    expect((await uploads.send('HEAD', path.replace('/sandbox', ''))).status).toBe(401)
  })
})

test('an active upload never counts as abandoned', async () => {
  const path = await uploads.created(recording.length)
  const slow = uploads.openPatch(path, recording.length, recording.subarray(0, 16_384))
  await slow.onDisk(16_384)
  service.advance(25 * 60 * 60 * 1_000)
  await service.doChores()
  slow.write(recording.subarray(16_384))
  const answer = (await slow.ended) as IncomingMessage
  expect([answer.statusCode, answer.headers['x-service-file']]).toEqual([204, expect.stringMatching(/^f/)])
})

test('given up or left alone for 24 hours, an upload frees its space', async () => {
  const path = await uploads.created(recording.length)
  await uploads.patch(path, 0, recording.slice(0, 100))
  expect((await uploads.send('DELETE', path)).status).toBe(204)
  const left = await uploads.created(recording.length)
  await uploads.patch(left, 0, recording.slice(0, 100))
  service.advance(24 * 60 * 60 * 1_000)
  await service.doChores()
  expect((await uploads.send('HEAD', left)).status).toBe(200)
  service.advance(1)
  await service.doChores()
  expect((await uploads.send('HEAD', left)).status).toBe(404)
  expect(await bytesOnDisk()).toEqual([])
})
