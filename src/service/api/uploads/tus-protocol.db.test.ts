import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { specDefaultOptions } from '../../../contract/interface/option-values.ts'
import { uploadsBasePath } from '../../../contract/interface/resumable-uploads.ts'
import { startTestService, type TestAccount, type TestService } from '../../testing/test-service.ts'
import { encodeMetadata, UploadClient, usualMetadata } from './testing/upload-client.ts'

/* The MUSTs of tus 1.0.0 and its extensions creation, creation-with-upload, expiration and termination. */

let service: TestService
let account: TestAccount
let uploads: UploadClient
let recording: Uint8Array<ArrayBuffer>

beforeAll(async () => {
  service = await startTestService({ role: 'api', allowOrigins: ['https://partner.example'] })
  recording = new Uint8Array(await service.tone(3))
})
beforeEach(async () => {
  account = await service.account()
  uploads = new UploadClient(service, account.key)
})
afterAll(() => service.close())

const base = uploadsBasePath('sandbox')
const octets = { 'content-type': 'application/offset+octet-stream' }

function creation(length: number): Record<string, string> {
  return { 'upload-length': String(length), 'upload-metadata': encodeMetadata(usualMetadata) }
}

async function unfinishedUploads(): Promise<number> {
  const rows = await service.platform.db
    .selectFrom('uploads')
    .select('id')
    .where('account_id', '=', account.id)
    .where('file_id', 'is', null)
    .execute()
  return rows.length
}

test('OPTIONS returns version, extensions and maximum size, whatever Tus-Resumable is', async () => {
  const answer = await uploads.send('OPTIONS', base, { 'tus-resumable': '9.9' })
  expect(answer.status).toBe(204)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'tus-version': '1.0.0',
    'tus-extension': 'creation,creation-with-upload,expiration,termination',
    'tus-max-size': '10000000000',
  })
})

test('every response names the version, including errors', async () => {
  const path = await uploads.created(recording.length)
  const answers = [
    await uploads.send('HEAD', path),
    await uploads.send('HEAD', `${path}x`),
    await uploads.send('HEAD', path, { authorization: 'Basic d3Jvbmc6' }),
    await uploads.send('POST', base, creation(0)),
    await uploads.patch(path, 7, recording),
    await uploads.send('DELETE', path),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 401, 400, 409, 204])
  for (const { headers } of answers) expect(headers.get('tus-resumable')).toBe('1.0.0')
})

test('an unsupported version is 412 with the supported ones, and nothing is done', async () => {
  const path = await uploads.created(recording.length)
  for (const [method, at, headers] of [
    ['POST', base, creation(recording.length)],
    ['HEAD', path, {}],
    ['PATCH', path, { ...octets, 'upload-offset': '0' }],
    ['DELETE', path, {}],
  ] as const) {
    const answer = await uploads.send(method, at, { ...headers, 'tus-resumable': '0.2.2' })
    expect([answer.status, answer.headers.get('tus-version')], method).toEqual([412, '1.0.0'])
  }
  expect(await unfinishedUploads()).toBe(1)
  expect((await uploads.send('HEAD', path)).headers.get('upload-offset')).toBe('0')
})

test('a page of an allowed origin can send all headers and read those of the response', async () => {
  const origin = 'https://partner.example'
  const asked = { origin, 'access-control-request-method': 'PATCH' }
  const { headers: allowed } = await uploads.send('OPTIONS', base, asked)
  const accepted = (allowed.get('access-control-allow-headers') ?? '').toLowerCase().split(', ')
  expect(accepted).toEqual(
    expect.arrayContaining(['tus-resumable', 'upload-length', 'upload-metadata', 'upload-offset']),
  )
  const { headers } = await uploads.send('HEAD', await uploads.created(recording.length), { origin })
  const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ')
  expect(exposed).toEqual(expect.arrayContaining(['upload-offset', 'upload-length', 'location', 'x-service-file']))
})

describe('creation', () => {
  test.each([
    ['no length', {}],
    ['a length that is no number', { 'upload-length': '-1' }],
    ['a length that comes later', { 'upload-defer-length': '1' }],
    ['a part of several', { 'upload-length': '100', 'upload-concat': 'partial' }],
    ['metadata without a key', { 'upload-length': '100', 'upload-metadata': 'filetype YQ==, YQ==' }],
    ['metadata that is no base64', { 'upload-length': '100', 'upload-metadata': 'filetype audio/wav!' }],
    ['metadata with a key twice', { 'upload-length': '100', 'upload-metadata': 'filetype YQ==,filetype YQ==' }],
  ])('with %s is 400', async (_name, headers) => {
    expect((await uploads.send('POST', base, headers as Record<string, string>)).status).toBe(400)
    expect(await unfinishedUploads()).toBe(0)
  })

  test('returns the upload’s URL and expiry; HEAD returns its metadata and is not cached', async () => {
    const answer = await uploads.create(recording.length, { ...usualMetadata, relativePath: 'ä,b c' })
    const path = answer.headers.get('location') ?? ''
    const expires = Date.parse(answer.headers.get('upload-expires') ?? '')
    expect([answer.status, expires]).toEqual([201, service.platform.clock() + 24 * 60 * 60 * 1_000])
    const { headers } = await uploads.send('HEAD', path)
    expect(headers.get('upload-metadata')).toBe(encodeMetadata({ ...usualMetadata, relativePath: 'ä,b c' }))
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('upload-length')).toBe(String(recording.length))
  })

  test('with the first bytes returns the offset, and a PATCH continues', async () => {
    const headers = { ...creation(recording.length), ...octets }
    const answer = await uploads.send('POST', base, headers, recording.slice(0, 10_000))
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([201, '10000'])
    const path = answer.headers.get('location') ?? ''
    const last = await uploads.patch(path, 10_000, recording.slice(10_000))
    expect(last.headers.get('x-service-file')).toMatch(/^f/)
  })

  test('with all bytes becomes an order at once; with too many, nothing', async () => {
    const headers = { ...creation(recording.length), ...octets }
    const answer = await uploads.send('POST', base, headers, recording)
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([201, String(recording.length)])
    expect(answer.headers.get('x-service-file')).toMatch(/^f/)
    const tooMuch = await uploads.send('POST', base, headers, new Uint8Array(recording.length + 1))
    expect([tooMuch.status, await unfinishedUploads()]).toEqual([413, 0])
  })
})

describe('PATCH', () => {
  test('acknowledges with 204, the new offset and the expiry, which each byte extends', async () => {
    const path = await uploads.created(recording.length)
    service.advance(60 * 60 * 1_000)
    const answer = await uploads.patch(path, 0, recording.slice(0, 10_000))
    const expires = Date.parse(answer.headers.get('upload-expires') ?? '')
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([204, '10000'])
    expect(expires).toBe(service.platform.clock() + 24 * 60 * 60 * 1_000)
  })

  test('that waits to send its body is refused before it is sent', async () => {
    const path = await uploads.created(recording.length)
    const request = uploads.request(path, { 'content-length': 100, 'upload-offset': 7, expect: '100-continue' })
    let isLetIn = false
    request.on('continue', () => {
      isLetIn = true
    })
    const status = await new Promise((resolve, reject) => {
      request.on('response', ({ statusCode }) => resolve(statusCode)).on('error', reject)
      request.flushHeaders()
    })
    request.destroy()
    expect([status, isLetIn]).toEqual([409, false])
  })

  test('and DELETE can be sent as a POST by a client that supports neither', async () => {
    const path = await uploads.created(recording.length)
    const headers = { ...octets, 'upload-offset': '0', 'x-http-method-override': 'PATCH' }
    const patched = await uploads.send('POST', path, headers, recording.slice(0, 100))
    expect([patched.status, patched.headers.get('upload-offset')]).toEqual([204, '100'])
    expect((await uploads.send('POST', path, { 'x-http-method-override': 'DELETE' })).status).toBe(204)
    expect((await uploads.send('HEAD', path)).status).toBe(404)
    const other = await uploads.created(recording.length)
    for (const override of [{}, { 'x-http-method-override': 'constructor' }]) {
      const refused = await uploads.send('POST', other, override)
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'HEAD, PATCH, DELETE'])
    }
  })
})

describe('DELETE', () => {
  test('of a complete upload removes it; the resulting file stays', async () => {
    const path = await uploads.created(recording.length)
    const id = (await uploads.patch(path, 0, recording)).headers.get('x-service-file') ?? ''
    expect((await uploads.send('DELETE', path)).status).toBe(204)
    for (const method of ['HEAD', 'DELETE']) expect((await uploads.send(method, path)).status).toBe(404)
    expect(await service.metadata(account.key, id)).toMatchObject({ name: 'Board meeting' })
  })

  test.each([
    ['the last PATCH', 204, (path: string) => uploads.patch(path, 20_000, recording.slice(20_000))],
    ['the order', 201, (path: string) => uploads.send('POST', `${path}/order`)],
  ])(
    'at the same moment as %s: one of them wins, and says so',
    async (_name, success, complete) => {
      for (let turns = 0; turns < 12; turns += 2) {
        const path = await uploads.created(recording.length)
        await uploads.patch(path, 0, recording.slice(0, 20_000))
        if (success === 201) await leaveComplete(path)
        const [completed, removed] = await Promise.all([
          complete(path).catch(() => null), // cut off: a later request on a new connection takes over
          later(turns, () => uploads.send('DELETE', path)),
        ])
        expect([success, 404, undefined]).toContain(completed?.status)
        expect([204, 409]).toContain(removed.status)
        if (completed?.status !== success) expect(removed.status).toBe(204)
      }
    },
    60_000,
  )

  /** Leaves an upload with all its bytes but no order, as after a crash. */
  async function leaveComplete(path: string): Promise<void> {
    await writeFile(join(service.dataDir, 'uploads', path.split('/').at(-1) ?? ''), recording)
  }

  async function later(turns: number, work: () => Promise<Response>): Promise<Response> {
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    return await work()
  }
})

test('a misspelt name in Upload-Metadata is refused, as a limit that is not read is none', async () => {
  const start = (names: Record<string, string>) =>
    uploads.send('POST', base, {
      'upload-length': String(recording.length),
      'upload-metadata': encodeMetadata({ ...usualMetadata, ...names }),
    })
  const answer = await start({ max_total_cent: '1' })
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining('takes no \\"max_total_cent\\", only filename'),
  ])
  expect(await unfinishedUploads()).toBe(0)
  // Uppy sends these on its own.
  expect((await start({ name: 'a.mp3', type: 'audio/mpeg', relativePath: 'null' })).status).toBe(201)
})

test('an active upload does not expire, however long it takes', async () => {
  const path = await uploads.created(recording.length)
  const slow = uploads.openPatch(path, recording.length, recording.subarray(0, 1_000))
  await slow.onDisk(1_000)
  for (const end of [2_000, 3_000]) {
    service.advance(23 * 60 * 60 * 1_000)
    slow.write(recording.subarray(end - 1_000, end))
    await slow.onDisk(end)
    await service.doChores()
  }
  slow.write(recording.subarray(3_000))
  await slow.ended
  expect((await uploads.send('HEAD', path)).headers.get('x-service-file')).toMatch(/^f/)
})

test('an upload begun by an earlier version of the service continues', async () => {
  const id = 'u0earlierversion'
  const request = { fileName: 'Old.wav', declaredType: 'audio/wav', options: specDefaultOptions, idempotencyKey: null }
  const metadata = { filename: 'Old.wav', filetype: 'audio/wav', options: null }
  const now = service.platform.clock()
  await service.platform.db
    .insertInto('uploads')
    .values({
      id,
      account_id: account.id,
      bytes: recording.length,
      request_json: JSON.stringify({ ...request, metadata }),
      file_id: null,
      created_at: now,
      touched_at: now,
    })
    .execute()
  await writeFile(join(service.dataDir, 'uploads', id), recording.subarray(0, 5_000), { mode: 0o644 })
  expect((await uploads.send('HEAD', base + id)).headers.get('upload-offset')).toBe('5000')
  const last = await uploads.patch(base + id, 5_000, recording.slice(5_000))
  const made = last.headers.get('x-service-file') ?? ''
  expect(await service.metadata(account.key, made)).toMatchObject({ name: 'Old', bytes: String(recording.length) })
})
