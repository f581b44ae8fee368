import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { accountOverview } from '../../contract/account/account.ts'
import { queueAnswer } from '../../contract/account/queue.ts'
import { wordRecords } from '../../contract/interface/words.ts'
import { noRecognition } from '../platform/db/hearing-pace.ts'
import type { Nodes } from '../platform/db/postgres/nodes.ts'
import { accountClient } from '../testing/account-client.ts'
import { openSchema } from '../testing/postgres-schemas.ts'
import { hasPostgres, startPostgres, type TestCluster } from '../testing/start-postgres.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { type FakeRecognizer, startFakeRecognizer } from './testing/fake-recognizer.ts'
import { makeSparseSpeech } from './testing/made-speech.ts'

const minutes = 21

let cluster: TestCluster
const running: { close(): Promise<void> }[] = []
beforeAll(() => {
  if (hasPostgres()) cluster = startPostgres()
})
afterEach(async () => {
  for (const each of running.splice(0).toReversed()) await each.close()
})
afterAll(() => cluster?.remove())

/** Starts a node with a recognizer that no other node has. */
async function startNode(shared: Partial<TestService['platform']['config']>): Promise<[TestService, FakeRecognizer]> {
  const server = await startFakeRecognizer()
  running.push(server)
  const kit = await startTestService({ recognizer: 'http', recognizerUrl: server.url, workerParallel: 1, ...shared })
  running.push(kit)
  return [kit, server]
}

it.skipIf(!hasPostgres())(
  'a recording stays with one engine; if that is gone, another recognizes all of it (needs PostgreSQL)',
  { timeout: 120_000 },
  async () => {
    const postgres = await openSchema(cluster.url)
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-engines-'))
    running.push({ close: () => rm(dataDir, { recursive: true }) })
    const [a, first] = await startNode({ postgres, dataDir })
    const { promise: hung, resolve: tell } = Promise.withResolvers<void>()
    first.before = (count) => {
      if (count < 10) return 'answer'
      tell()
      return 'hang'
    }
    const { key } = await a.account()
    const { id } = await a.order(key, makeSparseSpeech(minutes), '?transcript_type=automated')
    await hung
    const [b, second] = await startNode({ postgres, dataDir })
    // It recognizes new orders in the meantime, and skips sections that wait for the other engine.
    const other = await b.order(key, makeSparseSpeech(1), '?transcript_type=automated')
    const { db } = b.platform
    const isReady = async (fileId: string) => {
      const file = db.selectFrom('files').select('progress_percent').where('id', '=', fileId)
      return (await file.executeTakeFirstOrThrow()).progress_percent === 100
    }
    await b.until(() => isReady(other.id))
    expect(second.asked).toHaveLength(3)
    await running.splice(running.indexOf(a), 1)[0]?.close()
    const looksAgain = () => {
      b.advance(20_000)
      return isReady(id)
    }
    await expect.poll(looksAgain, { interval: 200, timeout: 100_000 }).toBe(true)
    expect(second.asked).toHaveLength(3 + 3 * minutes)
    const words = wordRecords.parse(await (await b.fetch(key, `file/${id}.json`)).json())
    expect(words).toHaveLength(2 * 3 * minutes)
  },
)

it.skipIf(!hasPostgres())(
  'an API-only process reports the workers’ engine, and no time if there is none (needs PostgreSQL)',
  { timeout: 60_000 },
  async () => {
    const postgres = await openSchema(cluster.url)
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-engines-'))
    running.push({ close: () => rm(dataDir, { recursive: true }) })
    const api = await startTestService({ recognizer: 'http', recognizerUrl: null, role: 'api', postgres, dataDir })
    running.push(api)
    const { key } = await api.account()
    const client = accountClient(api.address, key)
    const told = async () => {
      await (api.platform.nodes as Nodes).beat()
      const { recognition } = accountOverview.parse(await client.read('GET', ''))
      const { place } = queueAnswer.parse(await client.read('GET', 'queue?seconds=60'))
      return { engine: recognition.engine, reason: recognition.reason, seconds: place?.about_seconds }
    }
    const nobody = { engine: null, reason: noRecognition.reason, seconds: undefined }
    expect(await told()).toEqual(nobody)
    const [unable] = await startNode({ postgres, dataDir, role: 'worker', recognizerUrl: null })
    const reason = 'RECOGNIZER is http, but RECOGNIZER_URL is not set.'
    expect(await told()).toEqual({ engine: null, reason, seconds: undefined })
    const [able] = await startNode({ postgres, dataDir, role: 'worker' })
    expect(await told()).toEqual({ engine: 'http', reason: null, seconds: 60 })
    for (const worker of [able, unable]) await running.splice(running.indexOf(worker), 1)[0]?.close()
    expect(await told()).toEqual(nobody)
  },
)
