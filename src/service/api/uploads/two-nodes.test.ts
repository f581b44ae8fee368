import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openSchema } from '../../testing/postgres-schemas.ts'
import { hasPostgres, startPostgres, type TestCluster } from '../../testing/start-postgres.ts'
import { startTestService, type TestAccount, type TestService } from '../../testing/test-service.ts'
import { UploadClient } from './testing/upload-client.ts'

describe.skipIf(!hasPostgres())('resumable uploads of two nodes (needs PostgreSQL)', () => {
  let cluster: TestCluster
  let nodes: [TestService, TestService]
  let account: TestAccount
  let clients: [UploadClient, UploadClient]
  let recording: Uint8Array<ArrayBuffer>

  beforeAll(async () => {
    cluster = startPostgres()
    const postgres = await openSchema(cluster.url)
    const first = await startTestService({ postgres })
    nodes = [first, await startTestService({ postgres, dataDir: first.dataDir })]
    recording = new Uint8Array(await first.tone(3))
  })
  beforeEach(async () => {
    account = await nodes[0].account()
    clients = [new UploadClient(nodes[0], account.key), new UploadClient(nodes[1], account.key)]
  })
  afterAll(async () => {
    for (const node of nodes.toReversed()) await node.close()
    cluster.remove()
  })

  const bytesOnDisk = () => readdir(join(nodes[0].dataDir, 'uploads'))
  const orders = async () =>
    (await nodes[0].platform.db.selectFrom('files').select('id').where('account_id', '=', account.id).execute()).length
  const fileOf = (answer: Response) => answer.headers.get('x-service-file')

  test('each chunk may go to another node, and two concurrent final ones make one order', async () => {
    const [a, b] = clients
    const path = await a.created(recording.length)
    expect((await b.patch(path, 0, recording.slice(0, 10_000))).headers.get('upload-offset')).toBe('10000')
    expect((await a.patch(path, 10_000, recording.slice(10_000, 20_000))).status).toBe(204)
    const last = await Promise.all(clients.map((client) => client.patch(path, 20_000, recording.slice(20_000))))
    const ids = last.flatMap((answer) => fileOf(answer) ?? [])
    // The second one came either before the order, at a wrong offset, or after it.
    expect(last.map(({ status }) => status).toSorted()).toEqual(ids.length === 2 ? [204, 204] : [204, 409])
    expect(fileOf(await b.send('HEAD', path))).toBe(ids[0])
    expect(await Promise.all(clients.map(async (one) => (await one.send('POST', `${path}/order`)).json()))).toEqual([
      { id: ids[0] },
      { id: ids[0] },
    ])
    expect(await orders()).toBe(1)
    expect(await bytesOnDisk()).toEqual([])
  })

  test('concurrent order requests at two nodes make one order', async () => {
    const path = await clients[0].created(recording.length)
    await nodes[0].platform.db.deleteFrom('payment_methods').where('account_id', '=', account.id).execute()
    expect((await clients[0].patch(path, 0, recording)).status).toBe(402)
    const card = { brand: 'visa', last_four: '4242', exp_month: 1, exp_year: 2030, token: 'succeeds', created_at: 1 }
    await nodes[0].platform.db
      .insertInto('payment_methods')
      .values({ account_id: account.id, ...card })
      .execute()
    const asked = [0, 1, 0, 1].map((index) => clients[index]?.send('POST', `${path}/order`))
    const answers = await Promise.all(asked)
    expect(answers.map((answer) => answer?.status)).toEqual([201, 201, 201, 201])
    expect(new Set(await Promise.all(answers.map((answer) => answer?.text()))).size).toBe(1)
    expect(await orders()).toBe(1)
  })

  test('reconnecting to another node ends the hanging connection at the first', async () => {
    const path = await clients[0].created(recording.length)
    const hanging = clients[0].openPatch(path, recording.length, recording.subarray(0, 16_384))
    await hanging.onDisk(16_384)
    expect((await clients[1].send('HEAD', path)).headers.get('upload-offset')).toBe('16384')
    await hanging.ended
    expect(fileOf(await clients[1].patch(path, 16_384, recording.slice(16_384)))).toMatch(/^f/)
  })

  test('an upload is taken over from a stalled node, whose later writes change nothing', async () => {
    const path = await clients[0].created(recording.length)
    const hanging = clients[0].openPatch(path, recording.length, recording.subarray(0, 16_384))
    await hanging.onDisk(16_384)
    const id = path.split('/').at(-1) ?? ''
    const uploads = nodes[0].platform.db.updateTable('uploads').where('id', '=', id)
    await uploads.set({ leased_until: 0 }).execute()
    expect((await clients[1].patch(path, 16_384, recording.slice(16_384, 30_000))).status).toBe(204)
    hanging.write(recording.subarray(16_384, 30_000))
    hanging.breakOff()
    await hanging.ended
    await expect.poll(async () => (await clients[1].send('HEAD', path)).headers.get('upload-offset')).toBe('30000')
    const made = fileOf(await clients[1].patch(path, 30_000, recording.slice(30_000)))
    expect(await nodes[1].metadata(account.key, made ?? '')).toMatchObject({ bytes: String(recording.length) })
  })

  test('an upload that is removed while another node makes its order is not ordered and not charged', async () => {
    const path = await clients[0].created(recording.length)
    const { payment } = nodes[0].platform
    const { promise: charged, resolve } = Promise.withResolvers<void>()
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>()
    const charge = payment.sandbox.charge.bind(payment.sandbox)
    payment.sandbox.charge = async (request, signal) => {
      resolve()
      await mayGoOn
      return await charge(request, signal)
    }
    const ordering = clients[0].patch(path, 0, recording)
    await charged
    expect((await clients[1].send('DELETE', path)).status).toBe(204)
    goOn()
    expect((await ordering).status).toBe(404)
    payment.sandbox.charge = charge
    expect(await orders()).toBe(0)
    const { db } = nodes[0].platform
    expect(await db.selectFrom('ledger').select('id').where('account_id', '=', account.id).execute()).toEqual([])
    expect(await db.selectFrom('charge_intents').selectAll().execute()).toEqual([])
  })

  test('an upload active at one node does not expire at another', async () => {
    const path = await clients[0].created(recording.length)
    const slow = clients[0].openPatch(path, recording.length, recording.subarray(0, 16_384))
    await slow.onDisk(16_384)
    nodes[1].advance(25 * 60 * 60 * 1_000)
    await nodes[1].doChores()
    slow.write(recording.subarray(16_384))
    await slow.ended
    expect(fileOf(await clients[0].send('HEAD', path))).toMatch(/^f/)
  })
})
