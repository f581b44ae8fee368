import { existsSync, statSync } from 'node:fs'
import { link, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { SearchPage } from '../../../src/contract/account/search.ts'
import { accountBasePath } from '../../../src/contract/interface/environment.ts'
import { dataPaths } from '../../../src/service/platform/data-directory.ts'
import { openFsBlobStore } from '../../../src/service/platform/media/fs-blob-store.ts'
import { storedPath } from '../../../src/service/platform/media/testing/stored-path.ts'
import { withDatabase } from '../../../src/service/start/cli/operate.ts'
import { type AccountClient, accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi, authorization } from '../../../src/service/testing/ask-api.ts'
import { openSchema } from '../../../src/service/testing/postgres-schemas.ts'
import { startPostgres, type TestCluster } from '../../../src/service/testing/start-postgres.ts'
import { storedWordsJson } from '../../../src/service/text/transcripts/stored-words.ts'
import { seedInto } from '../../kit/seed-files.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { manyCorrections } from './kept-corrections.ts'
import { type Bench, type Measurement, percentile } from './measurement.ts'
import { cpuSeconds } from './process-tree.ts'
import { type Corpus, makeCorpus, randomNumbers } from './search-corpus.ts'
import { unlessShort } from './short.ts'

const wordsOfFile = unlessShort(9_000, 500)
const queriesOfKind = unlessShort(200, 5)
/** This many files share the same words: a hundred million distinct ones would fill the disk. */
const alike = 10
/** Often enough for a percentile, rarely enough that the service spends its time indexing. */
const probeEveryMs = 100

/** Inserts files with words into a stopped service that has not indexed them. @returns their ids */
async function fill(service: ServiceProcess, account: string, corpus: Corpus, count: number): Promise<string[]> {
  const { dataDir } = service
  const samples = Array.from({ length: count }, (_, index) => ({ name: `Interview ${index}`, seconds: 3_600 }))
  const ids = await withDatabase(service, (db) => seedInto(db, account, 'live', samples))
  const blobs = await openFsBlobStore(dataPaths(dataDir).blobs)
  for (const [index, id] of ids.entries()) {
    const first = ids[index - (index % alike)] ?? id
    if (first === id) await blobs.write(id, 'words.json', Readable.from(storedWordsJson(corpus.talk(wordsOfFile))))
    else {
      const path = storedPath(blobs, id, 'words.json')
      await mkdir(dirname(path), { recursive: true })
      await link(storedPath(blobs, first, 'words.json'), path)
    }
  }
  return ids
}

const ask = (client: AccountClient, q: string) => client.read<SearchPage>('GET', `search?${new URLSearchParams({ q })}`)

/** Waits until everything is indexed, sending other requests concurrently. @returns their latencies, ms */
async function untilRead(service: ServiceProcess, key: string, id: string): Promise<number[]> {
  const client = accountClient(service.url, key)
  const times: number[] = []
  for (let isRead = false; !isRead; ) {
    isRead = (await ask(client, 'aaaa')).read_percent === 100
    for (let probes = 0; probes < 10 && !isRead; probes += 1) {
      const started = performance.now()
      await askApi(service.url, key, `file/${id}`, { method: 'HEAD' })
      times.push(performance.now() - started)
      await wait(probeEveryMs)
    }
  }
  return times
}

/** Size of a file index, including its log. */
function bytesOf(index: string): number {
  return ['', '-wal'].reduce((sum, end) => sum + (existsSync(index + end) ? statSync(index + end).size : 0), 0)
}

/** Size of the index tables, including their own indexes. */
async function bytesInPostgres(service: ServiceProcess): Promise<number> {
  return await withDatabase(service, async (db) => {
    const { rows } = await sql<{ bytes: string }>`
      select pg_total_relation_size('search_files') + pg_total_relation_size('search_blocks') as bytes`.execute(db)
    return Number(rows[0]?.bytes)
  })
}

/** Milliseconds until the first hits, 95th percentile. */
async function firstHits(client: AccountClient, makeQuery: () => string): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < queriesOfKind; count += 1) {
    const started = performance.now()
    await ask(client, makeQuery())
    times.push(performance.now() - started)
    // Rate limit: a hundred reads per second and key.
    await wait(15)
  }
  return percentile(times, 0.95)
}

/** Milliseconds from storing a correction until search finds it. */
async function untilFound(service: ServiceProcess, key: string, id: string): Promise<number> {
  const client = accountClient(service.url, key)
  const json = await (await askApi(service.url, key, `file/${id}.json`)).text()
  const path = new URL(`${accountBasePath('live')}files/${id}/corrections`, service.url)
  const headers = { authorization: authorization(key), 'content-type': 'application/json', 'if-match': '"0"' }
  const kept = await fetch(path, { method: 'POST', headers, body: manyCorrections(json, 1) })
  if (!kept.ok) throw new Error(`The correction was answered ${kept.status}: ${await kept.text()}`)
  const started = performance.now()
  while ((await ask(client, 'typed0')).files.length === 0) await wait(15)
  return performance.now() - started
}

/** Tags a tenth of all files in one request, and undoes it in another. */
async function tagged(client: AccountClient, ids: readonly string[]): Promise<Measurement[]> {
  const change = { add_tags: ['interview'] }
  const some = ids.slice(0, Math.ceil(ids.length / 10))
  let began = performance.now()
  const { before: files } = await client.read<{ before: unknown[] }>('PATCH', 'labels', { ids: some, ...change })
  const tagMs = performance.now() - began
  began = performance.now()
  await client.read('PUT', 'labels', { files, undone: change })
  const undoMs = performance.now() - began
  return [
    { what: `${some.length} files tagged`, value: tagMs, unit: 'ms', goal: { atMost: 1_000 } },
    { what: 'that undone', value: undoMs, unit: 'ms', goal: { atMost: 1_000 } },
  ]
}

function queriesOf({ vocabulary, pick }: Corpus, random: () => number): Record<string, () => string> {
  const common = () => vocabulary[Math.floor(random() * 20)] ?? ''
  return {
    'the commonest word': () => vocabulary[0] ?? '',
    'any word': pick,
    'a rare word': () => vocabulary[30_000 + Math.floor(random() * 20_000)] ?? '',
    'a phrase of two words': () => `"${pick()} ${pick()}"`,
    'a phrase of three common words': () => `"${common()} ${common()} ${common()}"`,
    'two words': () => `${pick()} ${pick()}`,
    'a beginning of one to four letters': () => `${pick().slice(0, 1 + Math.floor(random() * 4))}*`,
    'a word of one speaker, without another word': () => `speaker:"speaker 1" ${pick()} -${pick()}`,
  }
}

/**
 * Full-text search over many files: indexing speed, index size, impact on other requests, query latency, and how long
 * it takes to tag many. `--size` files, 10,000 by default.
 */
export const benchSearch: Bench = async ({ size }) => await searchOn(null, size)

/**
 * The same with PostgreSQL, on this machine. Processor seconds are the service's, for tokenizing, packing and sending;
 * the database's are additional.
 */
export const benchSearchPostgres: Bench = async ({ size }) => {
  const cluster = startPostgres()
  try {
    return await searchOn(cluster, size)
  } finally {
    cluster.remove()
  }
}

async function searchOn(cluster: TestCluster | null, size: string | undefined): Promise<Measurement[]> {
  const count = Number(size ?? unlessShort(10_000, 30))
  const random = randomNumbers(19)
  const corpus = makeCorpus(random)
  const service = await ServiceProcess.start({
    ...{ RECOGNIZER: 'pocketsphinx', OFFLINE: '1', LOG_LEVEL: 'warn' },
    ...(cluster && { DATABASE_URL: (await openSchema(cluster.url)).url }),
  })
  try {
    const { account, key } = await service.createAccount('live')
    await service.stop()
    const ids = await fill(service, account, corpus, count)
    const last = ids.at(-1) ?? ''
    await service.boot()
    const secondsOfStart = cpuSeconds(service.pid)
    const others = await untilRead(service, key, last)
    const seconds = cpuSeconds(service.pid) - secondsOfStart
    const bytes = cluster ? await bytesInPostgres(service) : bytesOf(dataPaths(service.dataDir).searchIndex)
    const million = (count * wordsOfFile) / 1e6
    const measurements: Measurement[] = [
      { what: 'words read', value: million, unit: 'million' },
      { what: 'words read in a processor second', value: million / seconds, unit: 'million', goal: { atLeast: 0.5 } },
      { what: 'index', value: bytes / 1e6, unit: 'MB', goal: { atMost: million * (1_000 / 90) } },
      {
        what: 'another request meanwhile, 99th percentile',
        value: percentile(others, 0.99),
        unit: 'ms',
        goal: { atMost: 50 },
      },
      { what: 'another request meanwhile, the longest', value: Math.max(...others), unit: 'ms' },
    ]
    for (const [what, makeQuery] of Object.entries(queriesOf(corpus, random))) {
      const value = await firstHits(accountClient(service.url, key), makeQuery)
      measurements.push({ what: `first hits of ${what}, 95th percentile`, value, unit: 'ms', goal: { atMost: 200 } })
    }
    const found = await untilFound(service, key, last)
    measurements.push({ what: 'a correction is found after', value: found, unit: 'ms', goal: { atMost: 2_000 } })
    return [...measurements, ...(await tagged(accountClient(service.url, key), ids))]
  } finally {
    await service.remove()
  }
}
