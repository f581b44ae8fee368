import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dayMs } from '../../contract/common/durations.ts'
import { uploadsBasePath } from '../../contract/interface/resumable-uploads.ts'
import { authorization } from '../testing/ask-api.ts'
import { openSchema } from '../testing/postgres-schemas.ts'
import { firstKey, serveProcess } from '../testing/real-process.ts'
import { hasPostgres, startPostgres, type TestCluster } from '../testing/start-postgres.ts'
import { fileForm, startTestService, type TestService } from '../testing/test-service.ts'

describe.skipIf(!hasPostgres())('several nodes on one database (needs PostgreSQL)', () => {
  let cluster: TestCluster
  let nodes: [TestService, TestService]

  beforeAll(() => {
    cluster = startPostgres()
  })
  beforeEach(async () => {
    const postgres = await openSchema(cluster.url)
    const first = await startTestService({ postgres })
    nodes = [first, await startTestService({ postgres, dataDir: first.dataDir })]
  })
  afterEach(async () => {
    for (const node of nodes.toReversed()) await node.close()
  })
  afterAll(() => cluster.remove())

  test('startup and clean-up skip files that other nodes work on, and remove day-old ones', async () => {
    const [a, b] = nodes
    const { blobs } = a.platform
    const staged = await blobs.stage()
    await staged.append(Buffer.from('half of an order'))
    await blobs.write('fnocommit', 'words.json', '[]')
    await writeFile(join(a.dataDir, 'uploads', 'unoroworleft'), 'x')
    await b.restart()
    await b.doChores()
    expect(await staged.finish()).toMatchObject({ bytes: 16 })
    expect(await blobs.size('fnocommit', 'words.json')).toBe(2)
    expect(await readdir(join(a.dataDir, 'uploads'))).toHaveLength(1)
    // The files are from today; the test's clock starts earlier.
    b.advance(Date.now() - b.platform.clock() + dayMs + 60_000)
    await b.doChores()
    expect(await blobs.size('fnocommit', 'words.json')).toBeNull()
    expect(await readdir(join(a.dataDir, 'uploads'))).toEqual([])
    expect(await readdir(join(a.dataDir, 'blobs', 'staging'))).toEqual([])
    await staged.discard()
  })

  test('demo accounts are counted over all of them', async () => {
    const open = (node: TestService) => fetch(`${node.address}/sandbox/account/demo`, { method: 'POST' })
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => open(nodes[index % 2 === 0 ? 0 : 1])))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(30)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
    for (const node of nodes) node.advance(60 * 60_000)
    expect((await open(nodes[1])).status).toBe(201)
    expect(await nodes[0].platform.db.selectFrom('demo_counts').selectAll().execute()).toHaveLength(1)
  })

  test('each knows how many there are, and one that ends is gone at once', async () => {
    const [a, b] = nodes
    expect(b.platform.nodes.answering).toBe(2)
    await b.restart()
    expect(b.platform.nodes.answering).toBe(2)
    const rows = await a.platform.db.selectFrom('nodes').select('id').execute()
    expect(rows.map(({ id }) => id).toSorted()).toEqual([a.platform.node, b.platform.node].toSorted())
  })

  test('a refund settled by two nodes at once is sent and entered once', async () => {
    const [a, b] = nodes
    const { id: accountId, key } = await a.account({ environment: 'live' })
    const asked: string[] = []
    for (const { platform } of nodes) {
      const refund = platform.payment.live.refund.bind(platform.payment.live)
      platform.payment.live.refund = async (request, signal) => {
        asked.push(request.idempotencyKey)
        return await refund(request, signal)
      }
    }
    const { id } = await a.order(key, await a.tone(1))
    expect((await b.fetch(key, `file/${id}`, { method: 'DELETE' })).status).toBe(200)
    for (const node of nodes) node.advance(5 * dayMs)
    await Promise.all(nodes.map((node) => node.doChores()))
    expect(new Set(asked).size).toBe(1)
    const refunds = a.platform.db.selectFrom('ledger').select('status').where('account_id', '=', accountId)
    expect(await refunds.where('kind', '=', 'refund').execute()).toEqual([{ status: 'settled' }])
  })

  test('a lost database is 503 within 5 s on every route, and all nodes recover once it is back', async () => {
    const [a] = nodes
    const { key } = await a.account()
    const { id } = await a.order(key, await a.tone(1))
    const headers = { authorization: authorization(key) }
    const playback = await fetch(`${a.address}/sandbox/account/files/${id}/playback`, { method: 'POST', headers })
    const { url: played } = (await playback.json()) as { url: string }
    const octets = { 'tus-resumable': '1.0.0', 'upload-length': '5' }
    const ways: [string, RequestInit][] = [
      ['/sandbox/v1/files', { headers }],
      [`/sandbox/v1/file/${id}`, { headers, method: 'HEAD' }],
      ['/sandbox/v1/files', { headers, method: 'POST', body: fileForm(await a.tone(1)) }],
      ['/sandbox/account/ledger', { headers }],
      ['/sandbox/account/events', { headers }],
      [uploadsBasePath('sandbox'), { headers: { ...headers, ...octets }, method: 'POST' }],
      ['/sandbox/account/demo', { method: 'POST' }],
      [played, {}],
      ['/readyz', {}],
    ]
    cluster.stop('immediate')
    try {
      const startedMs = performance.now()
      const answers = await Promise.all(ways.map(([path, init]) => fetch(a.address + path, init)))
      expect(answers.map(({ status }, index) => [ways[index]?.[0], status])).toEqual(ways.map(([path]) => [path, 503]))
      for (const answer of answers.slice(0, -1)) expect(answer.headers.get('retry-after')).toBe('5')
      expect(performance.now() - startedMs).toBeLessThan(5_000)
      expect((await fetch(`${a.address}/healthz`)).status).toBe(200)
    } finally {
      cluster.start()
    }
    await expect.poll(async () => (await fetch(`${a.address}/readyz`)).status).toBe(200)
    expect((await a.metadata(key, id)).name).toBe('recording')
    for (const node of nodes) node.loggedErrors.length = 0
  })

  test('two that start at once create the first accounts once; one that ends first reports it and hints its streams to reconnect', async () => {
    const { url } = await openSchema(cluster.url)
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-nodes-'))
    const processes = await Promise.all([0, 1].map(() => serveProcess(dataDir, { DATABASE_URL: url })))
    try {
      await expect.poll(() => processes.map(({ lines }) => lines.length > 1)).toEqual([true, true])
      const keys = processes.map((one) => firstKey(one, 'live')).filter((key) => key !== '')
      expect(keys).toHaveLength(1)
      const [first, second] = processes
      if (first === undefined || second === undefined) throw new Error('Two were started.')
      const headers = { authorization: authorization(keys[0] ?? '') }
      const ready = async () => (await fetch(new URL('readyz', first.url))).status
      expect(await ready()).toBe(200)
      const stream = await fetch(new URL('account/events', first.url), { headers })
      const ended = first.end('SIGTERM')
      await expect.poll(ready).toBe(503)
      expect((await fetch(new URL('v1/files', first.url), { headers })).status, 'until others have noticed').toBe(200)
      expect(await stream.text()).toMatch(/^id: .*event: hello.*\nretry: \d+\n\n$/s)
      expect(await ended).toBe(0)
      expect((await fetch(new URL('v1/files', second.url), { headers })).status).toBe(200)
    } finally {
      for (const one of processes) await one.end('SIGKILL')
      await rm(dataDir, { recursive: true })
    }
  })
})
