import { once } from 'node:events'
import { readdir, statfs } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { UploadClient } from '../../api/uploads/testing/upload-client.ts'
import { accountClient } from '../../testing/account-client.ts'
import { authorization } from '../../testing/ask-api.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'

const query = '?transcript_type=automated'
let service: TestService
afterEach(() => service.close())

test('a demo account stores only so much, by forms and uploads; others are not limited', async () => {
  service = await startTestService({ demoBytes: 250_000 })
  const opened = await fetch(`${service.address}/sandbox/account/demo`, { method: 'POST' })
  const { key } = (await opened.json()) as { key: string }
  const [tone, short] = [await service.tone(10), await service.tone(1)] // 160 and 16 kB
  const { id } = await service.order(key, tone, query)
  const refused = await service.post(key, tone, query)
  expect([refused.status, await refused.json()]).toEqual([507, { error: expect.stringContaining('may store 0.3 MB') }])
  const uploads = new UploadClient(service, key)
  expect((await uploads.create(80_000)).status).toBe(201)
  expect((await uploads.create(80_000)).status, 'declared bytes count').toBe(507)
  expect((await service.post(key, short, query)).status).toBe(507)
  const chunked = await fetch(`${service.address}/sandbox/v1/files${query}`, {
    method: 'POST',
    headers: { authorization: authorization(key), 'content-type': 'multipart/form-data; boundary=x' },
    body: Readable.toWeb(Readable.from(['--x'])) as ReadableStream,
    duplex: 'half',
  })
  expect(chunked.status).toBe(411)
  await service.fetch(key, `file/${id}`, { method: 'DELETE' })
  expect((await service.post(key, tone, query)).status).toBe(201)
  const { key: other } = await service.account()
  expect((await service.post(other, tone, query)).status).toBe(201)
  expect((await service.post(other, tone, query)).status).toBe(201)
})

test('a link without room is refused by its declared length, before it is downloaded, else as its bytes arrive', async () => {
  let sentBytes = 0
  function* endless() {
    for (; ; sentBytes += 1_000_000) yield Buffer.alloc(1_000_000)
  }
  const host = createServer((request, response) => {
    if (request.url === '/declared.wav')
      return response.writeHead(200, { 'content-length': 9_000_000_000 }).flushHeaders()
    Readable.from(endless()).pipe(response)
  })
  await once(host.listen(0, '127.0.0.1'), 'listening')
  const server = `127.0.0.1:${(host.address() as AddressInfo).port}`
  service = await startTestService({ demoBytes: 250_000, allowTargets: [server] })
  const opened = await fetch(`${service.address}/sandbox/account/demo`, { method: 'POST' })
  const { key } = (await opened.json()) as { key: string }
  for (const path of ['declared.wav', 'endless.wav']) {
    const body = new FormData()
    body.append('link', `http://${server}/${path}`)
    const refused = await service.fetch(key, `files${query}`, { method: 'POST', body })
    expect([refused.status, await refused.json()], path).toEqual([
      507,
      { error: expect.stringContaining('may store 0.3 MB') },
    ])
  }
  expect(sentBytes).toBeLessThan(100_000_000)
  expect(await readdir(join(service.dataDir, 'blobs', 'staging'))).toEqual([])
  host.closeAllConnections()
  await new Promise((resolve) => host.close(resolve))
})

test('the sandbox leaves a part of the disk to live orders', async () => {
  service = await startTestService({ sandboxSparePercent: 99.99 })
  const [live, sandbox] = [await service.account({ environment: 'live' }), await service.account()]
  const tone = await service.tone(1)
  const refused = await service.post(sandbox.key, tone, query)
  expect([refused.status, await refused.json()]).toEqual([
    507,
    { error: expect.stringContaining('The sandbox is out') },
  ])
  expect((await new UploadClient(service, sandbox.key).create(1_000)).status).toBe(507)
  expect((await service.post(live.key, tone, query)).status).toBe(201)
})

test('what is still arriving counts: of orders at once only as many are taken as leave the spare disk', async () => {
  service = await startTestService()
  const { key } = await service.account()
  const uploads = new UploadClient(service, key)
  const [bytes, tone] = [4_000_000_000, await service.tone(1)]
  const path = await uploads.created(bytes)
  const { bavail, blocks, bsize } = await statfs(service.dataDir)
  // Half of it has room, whatever other programs write.
  const spare = (100 * (bavail * bsize - bytes / 2)) / (blocks * bsize)
  const refused = { status: 507, body: { error: expect.stringContaining('The sandbox is out') } }
  const patch = uploads.openPatch(path, bytes, new Uint8Array(1_000))
  await patch.onDisk(1_000)
  Object.assign(service.platform.config, { sandboxSparePercent: spare })
  const sample = () =>
    accountClient(service.address, key).ask('POST', 'tools/files', { seconds: 9, progress_percent: 9 })
  for (const answer of [await service.post(key, tone, query), await sample()])
    expect({ status: answer.status, body: await answer.json() }).toEqual(refused)
  patch.breakOff()
  await expect.poll(async () => (await service.post(key, tone, query)).status).toBe(201)
})
