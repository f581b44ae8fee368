import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { specDefaultOptions } from '../../../src/contract/interface/option-values.ts'
import { createAccount } from '../../../src/service/accounts/auth/accounts.ts'
import { createKey } from '../../../src/service/accounts/auth/keys.ts'
import { dataPaths } from '../../../src/service/platform/data-directory.ts'
import { type Db, openDb } from '../../../src/service/platform/db/open.ts'
import type { NewFileRow } from '../../../src/service/platform/db/schema.ts'
import { openFsBlobStore } from '../../../src/service/platform/media/fs-blob-store.ts'
import { authorization } from '../../../src/service/testing/ask-api.ts'
import { storedWordsJson } from '../../../src/service/text/transcripts/stored-words.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { hammer } from './hammer.ts'
import { type Bench, median } from './measurement.ts'
import { unlessShort } from './short.ts'

/** Files of the account whose list and transcript are read. */
const listed = unlessShort(10_000, 100)
/** Short rounds: on a shared machine the speed changes within seconds. */
const headsARound = unlessShort(2_500, 100)
const rounds = unlessShort(21, 6)
/** Rate limit: 400 reads per key at once, so many keys are needed. */
const keys = unlessShort(400, 10)
const transcriptHours = unlessShort(10, 0.1)
const wordsAnHour = 9_000

function fileRow(accountId: string, prefix: string, index: number): NewFileRow {
  const at = Date.now() - index * 1_000
  return {
    id: `${prefix}${String(index).padStart(6, '0')}`,
    account_id: accountId,
    environment: 'live',
    name: `Interview ${index}`,
    media_extension: 'wav',
    media_kind: 'audio',
    content_hash: String(index),
    bytes: 1_000_000,
    duration_ms: transcriptHours * 3_600_000,
    cost_cents: 125,
    discount_cents: 0,
    total_cents: 125,
    refund_cents: 0,
    currency: 'USD',
    transaction_id: `tx_${index}`,
    created_at: at,
    delivery_at: at,
    ready_at: at,
    delay_reason: null,
    duplicates_json: null,
    options_json: JSON.stringify(specDefaultOptions),
    progress_percent: 100,
    version: index + 1,
    expires_at: null,
    delete_when_ready: 0,
    given_up: 0,
  }
}

function* words() {
  const count = transcriptHours * wordsAnHour
  for (let index = 0; index < count; index += 1) {
    const start = (index * 3_600) / wordsAnHour
    const word = { word: `word${index % 977}`, start, end: start + 0.3, duration: 0.3, conf: 0.9 }
    yield index % 60 === 59 ? { ...word, turn: true as const, turn_conf: 0.8, speaker: (index / 60) & 1 } : word
  }
}

/** Creates an account with `files` files. @returns its keys' Authorization headers, and the ids */
async function fillAccount(db: Db, name: string, { files, keys }: { files: number; keys: number }) {
  const { accountId, key } = await createAccount(db, { environment: 'live', name }, Date.now())
  const account = { id: accountId, environment: 'live' } as const
  const made = [key]
  while (made.length < keys) made.push((await createKey(db, account, { name: 'k', expiresAt: null }, Date.now())).key)
  const rows = Array.from({ length: files }, (_, index) => fileRow(accountId, name, index))
  await db.transaction().execute(async (trx) => {
    for (let at = 0; at < rows.length; at += 500)
      await trx
        .insertInto('files')
        .values(rows.slice(at, at + 500))
        .execute()
  })
  return { authorizations: made.map(authorization), ids: rows.map(({ id }) => id) }
}

/**
 * An account of 10,000 files, the first of them with a transcript of ten hours, and one with a file for each HEAD, so
 * that none is requested twice.
 */
async function fill(dataDir: string) {
  const paths = dataPaths(dataDir)
  const db = await openDb(paths.database)
  const list = await fillAccount(db, 'list', { files: listed, keys: 1 })
  const heads = await fillAccount(db, 'heads', { files: rounds * headsARound, keys })
  await db.destroy()
  const blobs = await openFsBlobStore(paths.blobs)
  await blobs.write(list.ids[0] ?? '', 'words.json', Readable.from(storedWordsJson(words())))
  return { list, heads }
}

async function timeGet(url: URL, authorization: string): Promise<number> {
  const startedAt = performance.now()
  // Uncompressed: a static server compresses nothing.
  const answer = await fetch(url, { headers: { authorization, 'accept-encoding': 'identity' } })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`${url.pathname} answered ${answer.status}`)
  return (performance.now() - startedAt) / 1_000
}

/** Seconds of a GET, and the ratio to a static server with the same bytes: median of 15, interleaved. */
async function timeAgainst(url: URL, authorization: string, floor: URL): Promise<{ seconds: number; times: number }> {
  const real: number[] = []
  const plain: number[] = []
  for (let round = 0; round < 15; round += 1) {
    plain.push(await timeGet(floor, authorization))
    real.push(await timeGet(url, authorization))
  }
  return { seconds: median(real), times: median(real) / median(plain) }
}

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
}

async function startBare(root: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.ts'), root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = await once(createInterface({ input: child.stdout }), 'line')
  return { url: new URL(`http://127.0.0.1:${port}/`), end: () => child.kill() }
}

/**
 * The API against a bare Fastify, interleaved: HEAD of a file, the list of 10,000, the text of a ten-hour transcript;
 * and memory over the requests of all rounds.
 */
export const benchApi: Bench = async () => {
  const service = await ServiceProcess.start({ RECOGNIZER: 'sherpa', OFFLINE: '1', LOG_LEVEL: 'info' })
  const staticDir = await mkdtemp(join(tmpdir(), 'parley-static-'))
  await service.stop()
  const { list: account, heads } = await fill(service.dataDir)
  await service.boot()
  const bare = await startBare(staticDir)
  try {
    const request = (path: string, authorization: string) =>
      `HEAD ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`
    const { authorizations, ids } = heads
    const real = (index: number) => request(`/v1/file/${ids[index]}`, authorizations[index % keys] ?? '')
    const plain = (index: number) => request(`/file/${ids[index]}`, authorizations[0] ?? '')

    const [first = ''] = account.authorizations
    const list = new URL('v1/files', service.url)
    const text = new URL(`v1/file/${account.ids[0]}.txt`, service.url)
    for (const [name, url] of Object.entries({ 'list.json': list, 'transcript.txt': text })) {
      const answer = await fetch(url, { headers: { authorization: first } })
      await writeFile(join(staticDir, name), await answer.bytes())
    }
    const read = await timeAgainst(list, first, new URL('static/list.json', bare.url))
    const told = await timeAgainst(text, first, new URL('static/transcript.txt', bare.url))

    const rates: { real: number; plain: number; residentMb: number }[] = []
    for (let round = 0; round < rounds; round += 1) {
      const plainRate = await hammer([bare.url], plain, round * headsARound, headsARound)
      const realRate = await hammer([service.url], real, round * headsARound, headsARound)
      rates.push({ real: realRate, plain: plainRate, residentMb: residentMb(service.pid) })
    }
    const warmRounds = 4
    const [warm, last] = [rates[warmRounds]?.residentMb ?? 0, rates.at(-1)?.residentMb ?? 0]
    const middle = (of: (rate: (typeof rates)[number]) => number) => median(rates.map(of))
    const share = middle(({ real, plain }) => real / plain)
    return [
      { what: 'HEAD of a file not asked before', value: middle(({ real }) => real), unit: 'a second' },
      { what: 'HEAD of a bare route', value: middle(({ plain }) => plain), unit: 'a second' },
      { what: 'HEAD of a file, of the bare route', value: share, unit: '', goal: { atLeast: 0.3 } },
      { what: `list of ${listed}`, value: read.seconds * 1_000, unit: 'ms' },
      { what: 'list, of a static file', value: read.times, unit: 'times', goal: { atMost: 3 } },
      { what: `text of ${transcriptHours} h`, value: told.seconds * 1_000, unit: 'ms' },
      { what: 'text, of a static file', value: told.times, unit: 'times', goal: { atMost: 3 } },
      {
        what: `memory growth over ${headsARound * (rounds - warmRounds - 1)} requests`,
        value: last - warm,
        unit: 'MB',
        goal: { atMost: 20 },
      },
    ]
  } finally {
    bare.end()
    await service.remove()
    await rm(staticDir, { recursive: true })
  }
}
