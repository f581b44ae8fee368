import { randomBytes, randomInt } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { dayMs } from '../../../contract/common/durations.ts'
import { openBucket, type S3Config } from '../../platform/media/s3/bucket.ts'
import { type FaultProxy, s3Error, startFaultProxy } from '../../testing/fault-proxy.ts'
import { openSchema } from '../../testing/postgres-schemas.ts'
import { startPostgres, type TestCluster } from '../../testing/start-postgres.ts'
import { makeBucket } from '../../testing/test-bucket.ts'
import { makeTone, startTestService, type TestAccount, type TestService } from '../../testing/test-service.ts'
import { UploadClient } from './testing/upload-client.ts'

const partBytes = 8_388_608

let cluster: TestCluster
let proxy: FaultProxy
let s3: S3Config
let nodes: [TestService, TestService]
let account: TestAccount
let clients: [UploadClient, UploadClient]

beforeAll(() => {
  cluster = startPostgres()
})
beforeEach(async () => {
  s3 = await makeBucket()
  if (s3.endpoint === null) throw new Error('The gateway has an address.')
  proxy = await startFaultProxy(s3.endpoint)
  const shared = { postgres: await openSchema(cluster.url), s3: { ...s3, endpoint: proxy.endpoint } }
  nodes = [await startTestService(shared), await startTestService(shared)]
  account = await nodes[0].account()
  clients = [new UploadClient(nodes[0], account.key), new UploadClient(nodes[1], account.key)]
})
afterEach(async () => {
  for (const node of nodes) await node.close()
  proxy.close()
})
afterAll(() => cluster.remove())

/** Non-repeating audio. */
async function noise(seconds: number): Promise<Buffer<ArrayBuffer>> {
  const wav = Buffer.from(await makeTone(seconds))
  return Buffer.concat([wav.subarray(0, 100), randomBytes(wav.byteLength - 100)])
}

/** Keys of recordings and tails in the bucket, and of unfinished uploads. */
async function keys(): Promise<string[]> {
  const { client, bucket: Bucket } = openBucket(s3)
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: `${s3.prefix}files/` }))
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }))
  return (
    [...Contents, ...Uploads]
      .map(({ Key = '' }) => Key.split('/').slice(-2).join('/'))
      // Excludes data derived from a recording in the meantime.
      .filter((key) => !key.endsWith('/peaks') && !key.startsWith('sound/'))
      .toSorted()
  )
}

const offsetOf = async (client: UploadClient, path: string) =>
  Number((await client.send('HEAD', path)).headers.get('upload-offset'))
const fileOf = (answer: Response) => answer.headers.get('x-service-file') ?? ''
const mediaOf = (id: string) => buffer(nodes[0].platform.blobs.read(id, 'media'))
const uploadRows = () => nodes[0].platform.db.selectFrom('uploads').selectAll().execute()

/** Sends a PATCH and cuts the connection once this many bytes are out. */
async function cutPatch(client: UploadClient, path: string, offset: number, content: Uint8Array, sent: number) {
  const request = client.request(path, { 'content-length': content.byteLength, 'upload-offset': offset })
  request.on('error', () => undefined).on('response', (answer) => answer.resume())
  const { promise, resolve } = Promise.withResolvers<void>()
  request.write(content.subarray(0, sent), () => resolve())
  await promise
  request.destroy()
}

/**
 * Sends the rest. The request that was cut last may still be storing what it received: if refused, it asks for the
 * offset again, as every client does.
 * @returns the ID of the file
 */
async function sendRest(
  client: UploadClient,
  path: string,
  recording: Uint8Array<ArrayBuffer>,
  tries = 5,
): Promise<string> {
  const offset = await offsetOf(client, path)
  const answer = await client.patch(path, offset, recording.subarray(offset)).catch((error: unknown) => {
    // It was refused before everything was sent.
    if (tries === 1) throw error
    return null
  })
  if (answer?.ok) return fileOf(answer)
  if (tries === 1 || (answer !== null && answer.status !== 409)) throw new Error(`It was answered ${answer?.status}.`)
  return await sendRest(client, path, recording, tries - 1)
}

const cuts = Number(process.env.CUTS ?? 6)
test(`cut at ${cuts} random bytes and resumed at the other node each time, an upload has equal bytes`, async () => {
  const recording = await noise(1_100)
  const path = await clients[0].created(recording.byteLength)
  let offset = 0
  for (let cut = 0; cut < cuts; cut += 1) {
    const [here, there] = cut % 2 === 0 ? clients : clients.toReversed()
    if (here === undefined || there === undefined) throw new Error('There are two.')
    const sent =
      cut === 0 ? partBytes + randomInt(1_000_000) : randomInt(1, Math.ceil((recording.byteLength - offset) / 2))
    await cutPatch(here, path, offset, recording.subarray(offset), sent)
    const reached = await offsetOf(there, path)
    expect(reached).toBeGreaterThanOrEqual(offset)
    expect(reached).toBeLessThanOrEqual(offset + sent)
    offset = reached
  }
  const made = await sendRest(clients[1], path, recording)
  expect((await mediaOf(made)).equals(recording)).toBe(true)
  expect(await keys()).toEqual([`${made}/media`])
}, 60_000)

test('if two nodes receive the same offset at once, only one writes', async () => {
  const contents = await Promise.all([noise(600), noise(600)])
  const path = await clients[0].created(10_000_000)
  await Promise.all(
    clients.map((client, index) => client.patch(path, 0, contents[index] ?? Buffer.alloc(0)).catch(() => null)),
  )
  const offset = await offsetOf(clients[0], path)
  expect(offset).toBeGreaterThan(0)
  const made = fileOf(await clients[1].patch(path, offset, Buffer.alloc(10_000_000 - offset)))
  const stored = (await mediaOf(made)).subarray(0, offset)
  expect(contents.filter((one) => one.subarray(0, offset).equals(stored))).toHaveLength(1)
})

test('a stalled node that was fenced off can neither write nor complete', async () => {
  const recording = await noise(1_100)
  const path = await clients[0].created(recording.byteLength)
  const half = partBytes + 1_000
  expect((await clients[0].patch(path, 0, recording.subarray(0, half))).status).toBe(204)
  const hanging = clients[0].request(path, {
    'content-length': recording.byteLength - half,
    'upload-offset': half,
  })
  const ended = new Promise((resolve) => hanging.on('error', resolve).on('response', resolve))
  hanging.write(recording.subarray(half, half + 1_000))
  const isHeld = async () => (await uploadRows())[0]?.fence === 2
  await expect.poll(isHeld).toBe(true)
  await nodes[0].platform.db.updateTable('uploads').set({ leased_until: 0 }).execute()
  const late = half + partBytes
  expect((await clients[1].patch(path, half, recording.subarray(half, late))).status).toBe(204)
  hanging.end(Buffer.alloc(recording.byteLength - half - 1_000))
  await ended
  expect(await offsetOf(clients[1], path)).toBe(late)
  const made = fileOf(await clients[1].patch(path, late, recording.subarray(late)))
  expect((await mediaOf(made)).equals(recording)).toBe(true)
})

test('a temporarily refused order keeps the upload, a permanently refused one removes it', async () => {
  const recording = await noise(600)
  const { db } = nodes[0].platform
  const cards = await db.selectFrom('payment_methods').selectAll().execute()
  const path = await clients[0].created(recording.byteLength)
  await db.deleteFrom('payment_methods').execute()
  expect((await clients[0].patch(path, 0, recording)).status).toBe(402)
  await db.insertInto('payment_methods').values(cards).execute()
  const ordered = await clients[1].send('POST', `${path}/order`)
  const { id } = (await ordered.json()) as { id: string }
  expect((await mediaOf(id)).equals(recording)).toBe(true)
  const text = Buffer.from('no sound at all '.repeat(100))
  const other = await clients[0].created(text.byteLength)
  expect((await clients[0].patch(other, 0, text.subarray(0, 500))).status).toBe(204)
  expect((await clients[1].patch(other, 500, text.subarray(500))).status).toBe(415)
  expect((await clients[0].send('HEAD', other)).status).toBe(404)
  expect(await keys()).toEqual([`${id}/media`])
})

test('while the bucket fails, a PATCH gets 503, and later resumes at its offset', async () => {
  const recording = await noise(800)
  const path = await clients[0].created(recording.byteLength)
  expect((await clients[0].patch(path, 0, recording.subarray(0, 1_000_000))).status).toBe(204)
  proxy.faultOf = () => s3Error(400, 'ExpiredToken')
  const refused = await clients[1].patch(path, 1_000_000, recording.subarray(1_000_000, 2_000_000))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10'])
  expect(await offsetOf(clients[0], path)).toBe(1_000_000)
  proxy.faultOf = () => null
  const made = fileOf(await clients[0].patch(path, 1_000_000, recording.subarray(1_000_000)))
  expect((await mediaOf(made)).equals(recording)).toBe(true)
}, 60_000)

test('parts with lost responses are sent again', async () => {
  const recording = await noise(1_100)
  let left = 3
  proxy.faultOf = ({ method }) => {
    if (method === 'GET' || left === 0) return null
    left -= 1
    return 'lost'
  }
  const path = await clients[0].created(recording.byteLength)
  expect((await clients[0].patch(path, 0, recording.subarray(0, partBytes + 5))).status).toBe(204)
  const made = fileOf(await clients[1].patch(path, partBytes + 5, recording.subarray(partBytes + 5)))
  expect(left).toBe(0)
  expect((await mediaOf(made)).equals(recording)).toBe(true)
})

test('an unrecorded part, left by a killed node, does not block completion', async () => {
  const recording = await noise(1_100)
  const path = await clients[0].created(recording.byteLength)
  const isPart = (url: string) => url.includes('partNumber=')
  for (const client of clients) {
    proxy.faultOf = ({ url }) => (isPart(url) ? 'lost' : null)
    const offset = await offsetOf(client, path)
    const answer = await client.patch(path, offset, recording.subarray(offset)).catch(() => null)
    expect(answer?.status ?? 503).toBe(503)
    proxy.faultOf = () => null
    const next = await offsetOf(client, path)
    await client.patch(path, next, recording.subarray(next, next + partBytes + 7))
  }
  const made = await sendRest(clients[1], path, recording)
  expect((await mediaOf(made)).equals(recording)).toBe(true)
  expect(await keys()).toEqual([`${made}/media`])
}, 60_000)

test('after a refused part, later parts in flight are discarded and sent again', async () => {
  const recording = await noise(2_200)
  const path = await clients[0].created(recording.byteLength)
  const sent = new Set<string>()
  proxy.faultOf = ({ url }) => {
    const number = new URL(url, s3.endpoint ?? undefined).searchParams.get('partNumber')
    if (number !== null) sent.add(number)
    return number === '2' ? s3Error(400, 'ExpiredToken') : null
  }
  const refused = await clients[0].patch(path, 0, recording).catch(() => null)
  expect(refused?.status ?? 503).toBe(503)
  expect(sent).toContain('3')
  proxy.faultOf = () => null
  expect(await offsetOf(clients[1], path)).toBe(partBytes)
  const made = await sendRest(clients[1], path, recording)
  expect((await mediaOf(made)).equals(recording)).toBe(true)
  expect(await keys()).toEqual([`${made}/media`])
}, 60_000)

test('removed and abandoned uploads leave nothing, active ones keep everything', async () => {
  const recording = await noise(1_100)
  const begun = async () => {
    const path = await clients[0].created(recording.byteLength)
    expect((await clients[0].patch(path, 0, recording.subarray(0, partBytes + 5))).status).toBe(204)
    return path
  }
  expect((await clients[1].send('DELETE', await begun())).status).toBe(204)
  expect(await keys()).toEqual([])
  const [kept] = [await begun(), await begun()]
  const { blobs } = nodes[0].platform
  if ('adopt' in blobs.resumed) throw new Error('They are objects.')
  await blobs.resumed.begin('left-by-a-crash')
  await blobs.write('left-by-a-crash', 'tail/000000001', 'x')
  expect(await keys()).toHaveLength(6)
  nodes[1].advance(Date.now() - nodes[1].platform.clock() + dayMs + 60 * 60_000)
  const touched = nodes[0].platform.db.updateTable('uploads').set({ touched_at: nodes[1].platform.clock() })
  await touched.where('id', '=', kept.split('/').at(-1) ?? '').execute()
  await nodes[1].doChores()
  expect(await keys()).toHaveLength(2)
  const made = fileOf(await clients[1].patch(kept, partBytes + 5, recording.subarray(partBytes + 5)))
  expect(await keys()).toEqual([`${made}/media`])
})
