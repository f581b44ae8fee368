import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { AccountExport } from '../../../src/contract/account/export.ts'
import { type AccountClient, accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { type NewAccount, ServiceProcess } from '../../kit/service-process.ts'
import { Cluster } from '../cluster/cluster.ts'
import { comesTrue, p99, quiet } from '../torture/rounds.ts'
import type { Bench, Measurement } from './measurement.ts'
import { memoryMb } from './process-memory.ts'
import { unlessShort } from './short.ts'
import { fillTraced } from './traced-account.ts'
import { Traces } from './traces.ts'

const othersFiles = 20
/** Rate limit: a hundred reads per second and key. */
const probeEveryMs = 15

/** Another account's requests, one after the other. @returns a function that ends them, with their milliseconds */
function askMeanwhile(service: ServiceProcess, { key }: NewAccount, ids: readonly string[]): () => Promise<number[]> {
  const times: number[] = []
  const client = accountClient(service.url, key)
  const asks: ((id: string) => Promise<Response>)[] = [
    (id) => askApi(service.url, key, `file/${id}`, { method: 'HEAD' }),
    (id) => askApi(service.url, key, `file/${id}.json`),
    () => askApi(service.url, key, 'files'),
    () => client.ask('GET', 'settings'),
  ]
  const stop = new AbortController()
  const asking = (async () => {
    for (let turn = 0; !stop.signal.aborted; turn += 1) {
      const startedMs = performance.now()
      const answer = await asks[turn % asks.length]?.(ids[turn % ids.length] ?? '')
      await answer?.arrayBuffer()
      if (!answer?.ok) throw new Error(`Another account was answered ${answer?.status}.`)
      times.push(performance.now() - startedMs)
      await wait(probeEveryMs)
    }
  })()
  return async () => {
    stop.abort()
    await asking
    return times
  }
}

/** Sets what the kernel keeps as the peak of a process to what it has now. */
const forgetPeak = (pid: number) => writeFileSync(`/proc/${pid}/clear_refs`, '5')

async function untilIndexed(client: AccountClient): Promise<void> {
  const isRead = async () =>
    (await client.read<{ read_percent: number }>('GET', 'search?q=aaaa')).read_percent === 100 || wait(500, false)
  if (!(await comesTrue(isRead, 3_600_000))) throw new Error('The words were not indexed.')
}

async function make(client: AccountClient): Promise<AccountExport> {
  const { id } = await client.read<AccountExport>('POST', 'exports', { recordings: true })
  for (;;) {
    const { exports } = await client.read<{ exports: AccountExport[] }>('GET', 'exports')
    const made = exports.find((one) => one.id === id)
    if (made?.error != null) throw new Error(made.error)
    if (made?.url != null) return made
    await wait(500)
  }
}

async function run(command: string, ...args: string[]): Promise<void> {
  const [code] = (await once(spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit')) as [number]
  if (code !== 0) throw new Error(`${command} ended with ${code}.`)
}

type Setup = { service: ServiceProcess; account: NewAccount; other: NewAccount; others: string[] }

async function measureExport({ service, account, other, others }: Setup): Promise<Measurement[]> {
  const client = accountClient(service.url, account.key)
  const path = join(mkdtempSync(join(tmpdir(), 'parley-exported-')), 'all.zip')
  const before = askMeanwhile(service, other, others)
  await wait(unlessShort(20_000, 1_000))
  const idleTimes = await before()
  const idleMb = memoryMb(service.pid, 'VmRSS')
  forgetPeak(service.pid)
  const meanwhile = askMeanwhile(service, other, others)
  const startedMs = performance.now()
  const made = await make(client)
  const madeMs = performance.now() - startedMs
  const peakMb = memoryMb(service.pid, 'VmHWM')
  const makingTimes = await meanwhile()
  forgetPeak(service.pid)
  const whileSent = askMeanwhile(service, other, others)
  await run('curl', '-sf', '-o', path, new URL(made.url ?? '', service.url).href)
  const sendingTimes = await whileSent()
  const sentMb = memoryMb(service.pid, 'VmHWM')
  if (statSync(path).size !== made.bytes) throw new Error('The archive has another length.')
  // Each entry is compared with its checksum by a program that is not ours.
  await run('python3', '-m', 'zipfile', '-t', path)
  rmSync(join(path, '..'), { recursive: true })
  return [
    { what: `An account of ${made.files_done} files: its archive`, value: made.bytes / 1e6, unit: 'MB' },
    { what: 'until it is made', value: madeMs / 1_000, unit: 's' },
    { what: 'resident memory of the service before', value: idleMb, unit: 'MB' },
    { what: 'its peak above that while it is made', value: peakMb - idleMb, unit: 'MB', goal: { atMost: 150 } },
    { what: 'its peak above that while it is sent', value: sentMb - idleMb, unit: 'MB', goal: { atMost: 150 } },
    p99('requests of others before', idleTimes, 50),
    p99('requests of others while it is made', makingTimes, 50),
    p99('requests of others while it is sent', sendingTimes, 50),
  ]
}

async function measureErasure(setup: Setup, traces: Traces): Promise<Measurement[]> {
  const { service, account, other, others } = setup
  const before = await traces.count()
  await traces.backUp()
  const meanwhile = askMeanwhile(service, other, others)
  const startedMs = performance.now()
  await service.parley('account', 'erase', account.account, '--confirm', 'Test')
  const isErased = async () => (await traces.isErased(account.account)) || wait(500, false)
  if (!(await comesTrue(isErased, 3_600_000))) throw new Error('It was not erased.')
  const erasedMs = performance.now() - startedMs
  const times = await meanwhile()
  const after = await traces.countErased()
  return [
    { what: 'until it is erased, with the minute that its chore takes to look', value: erasedMs / 1_000, unit: 's' },
    p99('requests of others while it is erased', times, 50),
    ...Object.entries(before).map(([place, value]) => {
      return { what: `traces before: ${place}`, value, unit: '', goal: { atLeast: 1 } }
    }),
    ...Object.entries(after).map(([place, value]) => ({
      what: `traces after: ${place}`,
      value,
      unit: '',
      goal: { atMost: 0 },
    })),
  ]
}

async function measure(environment: Record<string, string>, fileCount: number): Promise<Measurement[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-export-'))
  const service = await ServiceProcess.start(environment, undefined, dataDir)
  try {
    const [account, other] = [await service.createAccount('live', 'Test'), await service.createAccount('sandbox')]
    const client = accountClient(service.url, other.key)
    const others: string[] = []
    while (others.length < othersFiles) {
      const sample = { seconds: 300, progress_percent: 100 }
      others.push((await client.read<{ id: string }>('POST', 'tools/files', sample)).id)
    }
    await using traces = new Traces(service, environment)
    await fillTraced(service, account, environment, fileCount)
    await untilIndexed(accountClient(service.url, account.key))
    await traces.visit(account)
    const setup = { service, account, other, others }
    return [...(await measureExport(setup)), ...(await measureErasure(setup, traces))]
  } finally {
    await service.remove()
  }
}

/**
 * An account of 10,000 files is exported, downloaded and erased, while another one asks; then whatever was its own is
 * searched for. `--files 1000`: fewer. `--stores postgres`: on PostgreSQL with a bucket (Ceph).
 */
export const benchExport: Bench = async ({ stores = 'embedded', files = unlessShort('10000', '120') }) => {
  if (stores === 'embedded') return await measure(quiet, Number(files))
  return await Cluster.with(quiet, async (cluster) => {
    cluster.migrate()
    const figures = await measure({ ...cluster.env, ...quiet }, Number(files))
    await cluster.stop()
    return figures
  })
}
