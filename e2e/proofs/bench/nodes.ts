import { apiBasePath } from '../../../src/contract/interface/environment.ts'
import { createAccount } from '../../../src/service/accounts/auth/accounts.ts'
import { createKey } from '../../../src/service/accounts/auth/keys.ts'
import { withDatabase } from '../../../src/service/start/cli/operate.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi, authorization } from '../../../src/service/testing/ask-api.ts'
import { openEvents } from '../../../src/service/testing/event-stream.ts'
import { fileForm, makeTone } from '../../../src/service/testing/test-service.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { Nodes } from '../torture/nodes.ts'
import { inLanes, quiet, timed } from '../torture/rounds.ts'
import { hammer } from './hammer.ts'
import { type Bench, type Measurement, median } from './measurement.ts'
import { unlessShort } from './short.ts'
import { wavHeader } from './wav-header.ts'

const rounds = unlessShort(7, 1)
const heads = unlessShort(2_500, 50)
const lists = unlessShort(300, 10)
const orders = unlessShort(60, 4)
const changes = unlessShort(20, 3)
const files = unlessShort(100, 5)
const uploadBytes = unlessShort(100_000_000, 1_000_000)
const lanes = 8
/** Each key may read 400 times at once and order 40 times. */
const keys = unlessShort(60, 4)

/** The service in a realistic configuration, and an account on it. */
type Setup = { services: readonly ServiceProcess[]; keys: readonly string[]; ids: readonly string[] }

async function fill(services: readonly ServiceProcess[]): Promise<Setup> {
  const [first] = services
  if (first === undefined) throw new Error('There is a service.')
  const made = await withDatabase(first, async (db) => {
    const { accountId, key } = await createAccount(db, { environment: 'sandbox', name: 'Bench' }, Date.now())
    const of = { id: accountId, environment: 'sandbox' } as const
    const more: string[] = [key]
    while (more.length < keys) more.push((await createKey(db, of, { name: 'k', expiresAt: null }, Date.now())).key)
    return more
  })
  const ids: string[] = []
  await inLanes(files, 1, async (_, index) => {
    const client = accountClient(first.url, made[index % keys] ?? '')
    ids.push((await client.read<{ id: string }>('POST', 'tools/files', { seconds: 60, progress_percent: 100 })).id)
  })
  return { services, keys: made, ids }
}

/** Operations per second. */
async function rate(count: number, work: (index: number) => Promise<Response>): Promise<number> {
  const ms = await timed(() =>
    inLanes(count, lanes, async (_, index) => {
      const answer = await work(index)
      if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
      await answer.arrayBuffer()
    }),
  )
  return (count * 1_000) / ms
}

/** Milliseconds from requesting a change at one node to its event on a stream of another. */
async function toEvent({ services, keys }: Pick<Setup, 'services' | 'keys'>): Promise<number> {
  const [key = '', other = ''] = keys
  const client = accountClient(services[0]?.url ?? '', key)
  const { id } = await client.read<{ id: string }>('POST', 'tools/files', { seconds: 60, progress_percent: 0 })
  const stream = await openEvents(services.at(-1)?.url.origin ?? '', other)
  await stream.nextOf('hello')
  const times: number[] = []
  for (let percent = 1; percent <= changes; percent += 1) {
    const told = stream.nextOf('file-progress')
    const change = () => client.read('POST', `tools/files/${id}/progress`, { progress_percent: percent })
    times.push(await timed(() => Promise.all([change(), told])))
  }
  stream.close()
  return median(times)
}

/** One round of all measurements. Higher is better, except for the time to an event. */
async function turn({ services, keys, ids }: Setup, round: number, tone: Uint8Array): Promise<number[]> {
  const at = (index: number) => services[index % services.length]?.url ?? ''
  const key = (index: number) => keys[index % keys.length] ?? ''
  const head = (index: number) =>
    `HEAD ${apiBasePath('sandbox')}file/${ids[index % ids.length]} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization(key(index))}\r\n\r\n`
  const order = (content: Uint8Array) => (index: number) =>
    askApi(at(index), key(index), 'files?transcript_type=automated', { method: 'POST', body: fileForm(content) })
  const upload = Buffer.concat([wavHeader(uploadBytes), Buffer.alloc(uploadBytes, 1 + round)])
  return [
    await hammer(
      services.map(({ url }) => url),
      head,
      round * heads,
      heads,
    ),
    await rate(lists, (index) => askApi(at(index), key(index), 'files')),
    await rate(orders, order(tone)),
    (await rate(1, order(upload))) * (uploadBytes / 1e6),
    await toEvent({ services, keys }),
  ]
}

const figures: readonly [string, string][] = [
  ['HEAD of a file', 'a second'],
  ['list', 'a second'],
  ['orders', 'a second'],
  ['upload', 'MB/s'],
  ['from a change to its event', 'ms'],
]

/** PostgreSQL with one node and with two, on this machine, as ratios of the embedded mode, interleaved. */
export const benchNodes: Bench = async () => {
  const embedded = await ServiceProcess.start(quiet)
  const clusters = [await Nodes.start(1), await Nodes.start(2)]
  try {
    const setups: Setup[] = []
    for (const services of [[embedded], ...clusters.map(({ all }) => all)]) setups.push(await fill(services))
    const tone = await makeTone(1)
    const turns: number[][][] = setups.map(() => [])
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, setup] of setups.entries()) turns[index]?.push(await turn(setup, round, tone))
    }
    const middle = (setup: number, figure: number) => median((turns[setup] ?? []).map((one) => one[figure] ?? 0))
    return figures.flatMap(([what, unit], figure): Measurement[] => [
      { what: `${what}, embedded`, value: middle(0, figure), unit },
      { what: `${what}, PostgreSQL and one node, of that`, value: middle(1, figure) / middle(0, figure), unit: '' },
      { what: `${what}, PostgreSQL and two nodes, of that`, value: middle(2, figure) / middle(0, figure), unit: '' },
    ])
  } finally {
    await embedded.remove()
    for (const nodes of clusters) await nodes.remove()
  }
}
