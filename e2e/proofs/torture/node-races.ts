import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { CreatedApiKey } from '../../../src/contract/account/keys.ts'
import { UploadClient } from '../../../src/service/api/uploads/testing/upload-client.ts'
import { LocalStripe } from '../../../src/service/orders/money/payment/stripe/testing/local-stripe.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { fileForm, makeTone } from '../../../src/service/testing/test-service.ts'
import type { ServiceProcess } from '../../kit/service-process.ts'
import type { Bench, Measurement } from '../bench/measurement.ts'
import { unlessShort } from '../bench/short.ts'
import { compareWithProvider } from './money-books.ts'
import { booksAreClosed, Nodes } from './nodes.ts'
import { comesTrue, inLanes, insist, longest, newKeys, newPayer, Tally } from './rounds.ts'

const keys = unlessShort(500, 8)
const races = unlessShort(200, 4)
const lanes = unlessShort(8, 2)
/**
 * Customers of the node that is killed, each with an account: an order waits up to a minute for the dead node's lease.
 */
const mourners = unlessShort(40, 4)
const revokedWithinMs = 1_000

type Pair = { nodes: Nodes; a: ServiceProcess; b: ServiceProcess; tone: Uint8Array }

function order(node: ServiceProcess, key: string, tone: Uint8Array, wish: string): Promise<Response> {
  const init = () => ({ method: 'POST', body: fileForm(tone), headers: { 'idempotency-key': wish } })
  return insist(() => askApi(node.url, key, 'files', init()), [201])
}

/** The id of an order; retries if the response was cut off. */
async function orderId(ask: () => Promise<Response>): Promise<string> {
  for (;;) {
    const body = await ask().then((answer) => answer.json().catch(() => null) as Promise<{ id: string } | null>)
    if (body !== null) return body.id
  }
}

const newFile = (node: ServiceProcess, key: string, progress_percent: number) =>
  orderId(() =>
    insist(() => accountClient(node.url, key).ask('POST', 'tools/files', { seconds: 600, progress_percent }), [201]),
  )

/** The same idempotency key to both at once: one order, and both return it. */
async function sameKeys({ nodes, a, b, tone }: Pair, payers: readonly string[]): Promise<Tally> {
  const same = new Tally('idempotency keys sent to two nodes at once')
  await inLanes(keys, lanes, async (lane) => {
    const wish = randomUUID()
    const ids = await Promise.all([a, b].map((node) => orderId(() => order(node, payers[lane] ?? '', tone, wish))))
    same.count(ids[0] === ids[1], `${wish} became ${ids.join(' and ')}`)
  })
  const { files } = await nodes.db
    .selectFrom('files')
    .select((eb) => eb.fn.countAll<number>().as('files'))
    .where('environment', '=', 'live')
    .executeTakeFirstOrThrow()
  same.count(files === keys, `${keys} keys are ${files} orders`)
  return same
}

async function refundsOf({ db }: Nodes, id: string): Promise<number> {
  const rows = await db
    .selectFrom('ledger')
    .select('id')
    .where('file_id', '=', id)
    .where('kind', '=', 'refund')
    .execute()
  return rows.length
}

/** A deletion at one node, progress from 59 to 60 at the other: refunded, or locked, never both. */
async function deletionAgainstProgress({ nodes, a, b }: Pair): Promise<Tally> {
  const tally = new Tally('deletions against progress')
  const own = await newKeys(a, 'sandbox', lanes)
  await inLanes(races, lanes, async (lane) => {
    const key = own[lane] ?? ''
    const id = await newFile(a, key, 59)
    const path = `tools/files/${id}/progress`
    const [, deleted] = await Promise.all([
      insist(() => accountClient(a.url, key).ask('POST', path, { progress_percent: 60 }), [200, 204, 404]),
      insist(() => askApi(b.url, key, `file/${id}`, { method: 'DELETE' }), [200, 404, 409]),
    ])
    const isThere =
      (await insist(() => askApi(a.url, key, `file/${id}`, { method: 'HEAD' }), [200, 404])).status === 200
    const refunds = await refundsOf(nodes, id)
    const isRight = isThere ? deleted.status === 409 && refunds === 0 : deleted.status === 200 && refunds === 1
    tally.count(isRight, `${id}: DELETE was ${deleted.status}, refunds ${refunds}, there: ${isThere}`)
  })
  return tally
}

async function deletionAgainstDeletion({ nodes, a, b, tone }: Pair, payers: readonly string[]): Promise<Tally> {
  const tally = new Tally('deletions against deletions')
  await inLanes(races, lanes, async (lane) => {
    const key = payers[lane] ?? ''
    const id = await orderId(() => order(a, key, tone, randomUUID()))
    const ask = (node: ServiceProcess) =>
      insist(() => askApi(node.url, key, `file/${id}`, { method: 'DELETE' }), [200, 404])
    const statuses = (await Promise.all([ask(a), ask(b)])).map(({ status }) => status).sort()
    const refunds = await refundsOf(nodes, id)
    tally.count(statuses.join() === '200,404' && refunds === 1, `${id}: ${statuses.join()}, refunds ${refunds}`)
  })
  return tally
}

/** Both get the last piece of an upload: it becomes one order. */
async function lastPieces({ nodes, a, b, tone }: Pair): Promise<Tally> {
  const tally = new Tally('last pieces of one upload at two nodes')
  const bytes = new Uint8Array(tone)
  const half = bytes.length >> 1
  const own = await newKeys(a, 'sandbox', lanes)
  await inLanes(races, lanes, async (lane) => {
    const key = own[lane] ?? ''
    const [one, other] = [a, b].map(
      (node) => new UploadClient({ address: node.url.origin, dataDir: nodes.dataDir }, key),
    )
    if (one === undefined || other === undefined) throw new Error('There are two nodes.')
    const begun = await insist(() => one.create(bytes.length), [201])
    const path = begun.headers.get('location') ?? ''
    await insist(() => one.patch(path, 0, bytes.slice(0, half)), [204])
    // The loser may end without a response; the client continues from the current offset.
    const last = (client: UploadClient) => client.patch(path, half, bytes.slice(half)).catch(() => null)
    const answers = await Promise.all([last(one), last(other)])
    const ids = answers.flatMap((answer) => answer?.headers.get('x-service-file') ?? [])
    const known = async () => {
      const head = await insist(() => other.send('HEAD', path), [200])
      const offset = Number(head.headers.get('upload-offset'))
      if (offset < bytes.length) await other.patch(path, offset, bytes.slice(offset)).catch(() => null)
      return head.headers.get('x-service-file')
    }
    await comesTrue(async () => (await known()) !== null, 20_000)
    const id = await known()
    const statuses = answers.map((answer) => answer?.status).join()
    tally.count(id !== null && ids.every((told) => told === id), `${statuses} with ${ids.join()}, and then ${id}`)
  })
  const orders = await nodes.db
    .selectFrom('files')
    .innerJoin('accounts', 'accounts.id', 'files.account_id')
    .innerJoin('api_keys', 'api_keys.account_id', 'accounts.id')
    .select('files.id')
    .where(
      'api_keys.last_four',
      'in',
      own.map((key) => key.slice(-4)),
    )
    .where('files.name', '=', 'Board meeting')
    .execute()
  tally.count(orders.length === races, `${races} uploads are ${orders.length} orders`)
  return tally
}

/** A key revoked at one node is rejected by the other within a second. */
async function revocations({ a, b }: Pair): Promise<Measurement[]> {
  const tally = new Tally('requests a second after their key was revoked')
  const timesMs: number[] = []
  const own = await newKeys(a, 'sandbox', lanes)
  await inLanes(races, lanes, async (lane) => {
    const client = accountClient(a.url, own[lane] ?? '')
    const made = (await (
      await insist(() => client.ask('POST', 'keys', { name: 'Second' }), [200, 201])
    ).json()) as CreatedApiKey
    await insist(() => askApi(b.url, made.key, 'files'), [200])
    await insist(() => client.ask('DELETE', `keys/${made.entry.id}`), [200, 204])
    const revokedMs = performance.now()
    for (let afterMs = 0; ; ) {
      const { status } = await askApi(b.url, made.key, 'files')
      if (status === 401) break
      tally.count(afterMs < revokedWithinMs, `answered ${status} after ${Math.round(afterMs)} ms`)
      afterMs = performance.now() - revokedMs
    }
    tally.count(true, '')
    timesMs.push(performance.now() - revokedMs)
  })
  return [...tally.rows(), longest('from revoked at one node to 401 at the other', timesMs, revokedWithinMs)]
}

/** Repeatedly kills one node while orders are charged; customers retry at any live node. */
async function crashes({ nodes, a, b, tone }: Pair, payers: readonly string[]): Promise<Measurement[]> {
  const tally = new Tally('orders whose node was killed or not')
  let isOpen = true
  let kills = 0
  const killing = async () => {
    while (isOpen) {
      await wait(500 + Math.random() * 1_500)
      await b.kill()
      await nodes.endLeases()
      await b.boot()
      kills += 1
    }
  }
  const killed = killing()
  const ids: string[] = []
  await inLanes(races, mourners, async (lane, index) => {
    const wish = randomUUID()
    let tries = index
    ids.push(
      await orderId(() => {
        const ask = () => {
          const headers = { 'idempotency-key': wish }
          return askApi((tries++ % 2 === 0 ? b : a).url, payers[lane] ?? '', 'files', {
            method: 'POST',
            body: fileForm(tone),
            headers,
          })
        }
        return insist(ask, [201])
      }),
    )
  })
  isOpen = false
  await killed
  const there = new Set((await nodes.db.selectFrom('files').select('id').execute()).map(({ id }) => id))
  for (const id of ids) tally.count(there.has(id), `${id} is lost`)
  tally.count(new Set(ids).size === races, 'two wishes became one order')
  return [...tally.rows(), { what: 'kills under charges', value: kills, unit: '' }]
}

/**
 * Advances six days a pass: refunds are paid on the next business day, a hundred at a time, and orders that nobody
 * begins fall due meanwhile and are given back as well. @returns whether all are
 */
async function paysRefunds(nodes: Nodes): Promise<boolean> {
  const isPaid = async () => {
    const unpaid = nodes.db.selectFrom('ledger').select('id').where('status', '=', 'pending').executeTakeFirst()
    return (await unpaid) === undefined
  }
  for (let passes = 1; passes <= Math.max(races, 3); passes += 1) {
    await writeFile(join(nodes.dataDir, 'clock'), String(passes * 6 * 24 * 60 * 60_000))
    nodes.doChores()
    if (await comesTrue(isPaid, 5_000)) return true
  }
  return false
}

/** Two nodes on one PostgreSQL that concurrently get requests that must take effect once. */
export const tortureNodeRaces: Bench = async () => {
  const provider = await new LocalStripe().listen()
  const nodes = await Nodes.start(2, { ...provider.env })
  try {
    const [a, b] = [nodes.first, nodes.at(1)]
    const pair = { nodes, a, b, tone: await makeTone(1) }
    const payers: string[] = []
    for (let made = 0; made < Math.max(lanes, mourners); made += 1) payers.push(await newPayer(a))
    const same = await sameKeys(pair, payers)
    const progress = await deletionAgainstProgress(pair)
    const deletions = await deletionAgainstDeletion(pair, payers)
    const pieces = await lastPieces(pair)
    const revoked = await revocations(pair)
    const crashed = await crashes(pair, payers)
    const closed = new Tally('books closed')
    nodes.doChores()
    closed.count(await booksAreClosed(nodes, 240_000), 'a charge stayed undecided')
    closed.count(await paysRefunds(nodes), 'a refund stayed unpaid')
    const books = await compareWithProvider(nodes.db, provider)
    const tallies = [same, progress, deletions, pieces]
    return [...tallies.flatMap((tally) => tally.rows()), ...revoked, ...crashed, ...closed.rows(), ...books.rows()]
  } finally {
    await nodes.remove()
    await provider.close()
  }
}
