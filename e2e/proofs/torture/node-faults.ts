import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { UploadClient, usualMetadata } from '../../../src/service/api/uploads/testing/upload-client.ts'
import { LocalStripe } from '../../../src/service/orders/money/payment/stripe/testing/local-stripe.ts'
import { startFakeRecognizer } from '../../../src/service/recognition/testing/fake-recognizer.ts'
import { makeSpokenPieces } from '../../../src/service/recognition/testing/made-speech.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { fileForm, makeTone } from '../../../src/service/testing/test-service.ts'
import { openReceiver, type Receiver } from '../../kit/receiver.ts'
import type { Bench, Measurement } from '../bench/measurement.ts'
import { unlessShort } from '../bench/short.ts'
import { CuttingProxy } from './cutting-proxy.ts'
import { compareWithProvider } from './money-books.ts'
import { booksAreClosed, Nodes } from './nodes.ts'
import { any, comesTrue, insist, newKey, newPayer, Tally } from './rounds.ts'

const nodesAtOnce = 3
const payers = unlessShort(6, 2)
const uploaders = 2
const kills = unlessShort(200, 2)
const databaseStops = unlessShort(20, 1)
const databaseRunsMs = unlessShort(30_000, 2_000)
const commitCuts = unlessShort(100, 5)
/** More than the minute of a lease, and then the work. */
const settlesWithinMs = 300_000

/** Customers' responses while faults occur. */
type Told = { ordered: Set<string>; deleted: Set<string>; uploaded: Set<string> }

/** Sends a request to any node, until it gets one of these statuses with a complete body. */
async function told(
  ask: () => Promise<Response>,
  statuses: readonly number[],
): Promise<{ status: number; id: string }> {
  for (;;) {
    const answer = await insist(ask, statuses)
    const body = await answer.text().catch(() => null)
    if (body !== null) return { status: answer.status, id: body === '' ? '' : (JSON.parse(body) as { id: string }).id }
  }
}

/** Orders with an idempotency key, and often deletes the file. */
async function payOnce(nodes: Nodes, key: string, tone: Uint8Array, { ordered, deleted }: Told): Promise<void> {
  const wish = randomUUID()
  const ask = () =>
    askApi(any(nodes.all).url, key, 'files', {
      method: 'POST',
      body: fileForm(tone),
      headers: { 'idempotency-key': wish },
    })
  const { id } = await told(ask, [201])
  ordered.add(id)
  if (Math.random() < 0.6) return
  await told(() => askApi(any(nodes.all).url, key, `file/${id}`, { method: 'DELETE' }), [200, 404])
  ordered.delete(id)
  deleted.add(id)
}

/** Uploads a recording in pieces, each to any node, until the order exists. */
async function uploadOnce(
  nodes: Nodes,
  key: string,
  bytes: Uint8Array<ArrayBuffer>,
  { uploaded }: Told,
): Promise<void> {
  const client = () => new UploadClient({ address: any(nodes.all).url.origin, dataDir: nodes.dataDir }, key)
  const begun = await insist(() => client().create(bytes.length, usualMetadata), [201])
  const path = begun.headers.get('location') ?? ''
  for (;;) {
    const head = await insist(() => client().send('HEAD', path), [200])
    const file = head.headers.get('x-service-file')
    if (file !== null) return void uploaded.add(file)
    const offset = Number(head.headers.get('upload-offset'))
    if (offset === bytes.length)
      await client()
        .send('POST', `${path}/order`)
        .catch(() => null)
    else
      await client()
        .patch(path, offset, bytes.slice(offset, offset + 150_000))
        .catch(() => null)
    await wait(100)
  }
}

/** Compares customers' responses with the actual state, once everything is idle. */
async function compare(nodes: Nodes, receiver: Receiver, { ordered, deleted, uploaded }: Told): Promise<Tally[]> {
  const [kept, heard, webhooks, refunds] = [
    new Tally('orders kept, and deletions'),
    new Tally('uploads recognized'),
    new Tally('webhooks'),
    new Tally('refunds'),
  ]
  const { db } = nodes
  const jobs = () =>
    db
      .selectFrom('jobs')
      .select('id')
      .where('kind', '=', 'speech')
      .where('file_id', 'in', [...uploaded])
  heard.count(await comesTrue(async () => !(await jobs().executeTakeFirst()), settlesWithinMs), 'a job stands still')
  const open = () =>
    db.selectFrom('deliveries').select('id').where('state', 'in', ['waiting', 'sending']).executeTakeFirst()
  webhooks.count(await comesTrue(async () => !(await open()), settlesWithinMs), 'a delivery stands still')
  const files = await db.selectFrom('files').select(['id', 'environment', 'progress_percent']).execute()
  const byId = new Map(files.map((file) => [file.id, file]))
  for (const id of ordered) kept.count(byId.has(id), `${id} was acknowledged and is lost`)
  for (const id of deleted) kept.count(!byId.has(id), `${id} was deleted and is there`)
  for (const { id, environment } of files)
    kept.count(environment === 'sandbox' || ordered.has(id), `${id} was never acknowledged`)
  const bodies = receiver.received.map(({ body }) => body).join()
  for (const id of uploaded) {
    heard.count(byId.get(id)?.progress_percent === 100, `${id} is at ${byId.get(id)?.progress_percent} %`)
    webhooks.count(bodies.includes(id), `nothing was told of ${id}`)
  }
  const entered = await db.selectFrom('ledger').select('file_id').where('kind', '=', 'refund').execute()
  const byFile = Map.groupBy(entered, ({ file_id }) => file_id)
  for (const id of deleted) refunds.count(byFile.get(id)?.length === 1, `${id} has ${byFile.get(id)?.length} refunds`)
  return [kept, heard, webhooks, refunds]
}

/** Orders, deletions, uploads, recognition and webhooks on three nodes, during fault injection. */
async function under(
  fail: (nodes: Nodes) => Promise<Measurement>,
  urlOf?: (url: string) => string,
): Promise<Measurement[]> {
  const [provider, recognizer, receiver] = [
    await new LocalStripe().listen(),
    await startFakeRecognizer(),
    await openReceiver(),
  ]
  const environment = {
    ...provider.env,
    RECOGNIZER: 'http',
    RECOGNIZER_URL: recognizer.url.href,
    ALLOW_TARGETS: receiver.target,
  }
  const nodes = await Nodes.start(nodesAtOnce, environment, urlOf)
  try {
    const what: Told = { ordered: new Set(), deleted: new Set(), uploaded: new Set() }
    const [tone, speech] = [await makeTone(1), makeSpokenPieces(1)]
    const work: (() => Promise<void>)[] = []
    for (let made = 0; made < payers; made += 1) {
      const key = await newPayer(nodes.first)
      work.push(() => payOnce(nodes, key, tone, what))
    }
    for (let made = 0; made < uploaders; made += 1) {
      const key = await newKey(nodes.first, 'sandbox')
      await accountClient(nodes.first.url, key).read('PUT', 'webhook', { url: receiver.url })
      work.push(() => uploadOnce(nodes, key, speech, what))
    }
    let isOpen = true
    const working = work.map(async (once) => {
      for (; isOpen; await wait(200)) await once()
    })
    const failures = await fail(nodes)
    isOpen = false
    await Promise.all(working)
    await nodes.endLeases()
    nodes.doChores()
    const closed = new Tally('books closed')
    closed.count(await booksAreClosed(nodes, settlesWithinMs), 'a charge stayed undecided')
    const tallies = [...(await compare(nodes, receiver, what)), closed, await compareWithProvider(nodes.db, provider)]
    return [failures, ...tallies.flatMap((tally) => tally.rows())]
  } finally {
    await nodes.remove()
    await Promise.all([provider.close(), recognizer.close(), receiver.close()])
  }
}

/** Repeatedly kills one of three nodes at random. */
export const tortureNodeKill: Bench = () =>
  under(async (nodes) => {
    for (let count = 0; count < kills; count += 1) {
      await wait(200 + Math.random() * 1_000)
      const node = any(nodes.all)
      await node.kill()
      await nodes.endLeases()
      await node.boot()
    }
    return { what: 'kills', value: kills, unit: '' }
  })

/** Repeatedly stops PostgreSQL without notice. */
export const tortureNodeDatabase: Bench = () =>
  under(async (nodes) => {
    for (let count = 0; count < databaseStops; count += 1) {
      await wait(databaseRunsMs)
      nodes.cluster.stop('immediate')
      await wait(1_000)
      nodes.cluster.start()
      await nodes.endLeases()
    }
    return { what: 'stops of PostgreSQL', value: databaseStops, unit: '' }
  })

/** Cuts connections to PostgreSQL between a COMMIT and its response. */
export const tortureNodeCommits: Bench = async () => {
  const proxy = await CuttingProxy.listen()
  try {
    const cutting = async () => {
      while (proxy.cuts < commitCuts) {
        proxy.cutsNext = true
        await comesTrue(() => !proxy.cutsNext, 60_000)
        await wait(Math.random() * 500)
      }
      return { what: 'connections cut between COMMIT and its answer', value: proxy.cuts, unit: '' }
    }
    return await under(cutting, (url) => proxy.before(url))
  } finally {
    proxy.close()
  }
}
