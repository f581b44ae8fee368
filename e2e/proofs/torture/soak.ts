import { Pool } from 'undici'
import type { KeptCorrections } from '../../../src/contract/account/corrections.ts'
import { wordRecords } from '../../../src/contract/interface/words.ts'
import { encodeMetadata, usualMetadata } from '../../../src/service/api/uploads/testing/upload-client.ts'
import { authorization } from '../../../src/service/testing/ask-api.ts'
import { boundary, filePart, formEnd } from '../../../src/service/testing/black-box.ts'
import {
  fingerprintWords,
  makeChange,
  type Sample,
  typed,
} from '../../../src/service/text/corrections/testing/sample-to-correct.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { type Bench, describe, type Measurement } from '../bench/measurement.ts'
import { memoryMb } from '../bench/process-memory.ts'
import { unlessShort } from '../bench/short.ts'
import { wavHeader } from '../bench/wav-header.ts'
import { newKeys, quiet, Tally } from './rounds.ts'
import { Seeded } from './seeded.ts'

const accounts = unlessShort(40, 2)
/** Requests that a customer has in progress at once. */
const lanes = 2
/** Memory is read after each part. */
const parts = unlessShort(10, 1)

const tone = Buffer.concat([wavHeader(20_000), Buffer.alloc(20_000)])
const form = Buffer.concat([filePart(tone, 'Soak.wav'), formEnd])
const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` }

const below = (base: string, paths: readonly string[]) => paths.map((path) => `/sandbox/${base}/${path}`)
const ofFile = ['', '/corrections', '/review', '/corrections/versions', '/work'].map((path) => `files/ID${path}`)
const ofAccount = ['files?limit=10', 'settings', 'ledger', 'usage', 'projects', 'log', 'keys', 'vocabulary', 'webhook']
const cheap = [...below('v1', ['files']), ...below('account', [...ofAccount, ...ofFile])]
/** Rendered, searched or compressed for each request. */
const dear = [
  ...below('v1', ['file/ID', 'file/ID.json', 'file/ID.srt', 'file/ID.pdf']),
  ...below('account', ['files/ID/peaks', 'files/ID/corrected/odt', 'search?q=the', 'ledger.csv']),
  ...['/', '/openapi.json'],
]

type Answer = { status: number; headers: Record<string, unknown>; body: string }
type Init = { headers?: Record<string, string>; body?: string | Buffer }

/** One account, with a finished transcript, that asks for everything that an account can. */
class Customer {
  readonly #pool: Pool
  readonly #key: string
  readonly #random: Seeded
  readonly #answers: Tally
  readonly statuses: Map<number, number>
  sample: Sample = { id: '', words: [], fingerprint: '', names: [] }

  constructor(pool: Pool, key: string, seed: number, answers: Tally, statuses: Map<number, number>) {
    this.#pool = pool
    this.#key = key
    this.#random = new Seeded(seed)
    this.#answers = answers
    this.statuses = statuses
  }

  /** One request; anything but an answer below 500 is a failure. */
  async ask(method: string, path: string, { headers = {}, body }: Init = {}): Promise<Answer> {
    try {
      const answer = await this.#pool.request({
        method: method as 'GET',
        path,
        headers: { authorization: authorization(this.#key), ...headers },
        ...(body !== undefined && { body }),
      })
      const text = await answer.body.text()
      this.statuses.set(answer.statusCode, (this.statuses.get(answer.statusCode) ?? 0) + 1)
      const about = `${method} ${path} was answered ${answer.statusCode} ${text.slice(0, 200)}`
      this.#answers.count(answer.statusCode < 500, about)
      return { status: answer.statusCode, headers: answer.headers, body: text }
    } catch (error) {
      this.#answers.count(false, `${method} ${path}: ${error}`)
      return { status: 0, headers: {}, body: '{}' }
    }
  }

  send(method: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const sent = { 'content-type': 'application/json', ...headers }
    return this.ask(method, `/sandbox/account/${path}`, { headers: sent, body: JSON.stringify(body) })
  }

  async prepare(): Promise<void> {
    const { id } = JSON.parse((await this.send('POST', 'tools/files', { seconds: 60, progress_percent: 100 })).body)
    const words = wordRecords.parse(JSON.parse((await this.ask('GET', `/sandbox/v1/file/${id}.json`)).body))
    this.sample = { id, words, fingerprint: fingerprintWords(words), names: ['Speaker 1', 'Speaker 2'] }
  }

  /** The next act of a random choice: rarely what costs a process of its own. */
  async act(): Promise<unknown> {
    const at = this.#random.next() * 10_000
    if (at < 9_000) return await this.#read(cheap)
    if (at < 9_500) return await this.#read(dear)
    if (at < 9_800) return await this.#random.any(this.#refused)()
    if (at < 9_998) return await this.#random.any(this.#writes)()
    return await this.#random.any(this.#orders)()
  }

  async #read(places: readonly string[]): Promise<Answer> {
    const path = this.#random.any(places).replace('ID', this.sample.id)
    const encoding = this.#random.any(['identity', 'gzip', 'br'])
    return await this.ask(this.#random.any(['GET', 'GET', 'HEAD']), path, { headers: { 'accept-encoding': encoding } })
  }

  readonly #refused = [
    () => this.ask('GET', '/sandbox/v1/file/none'),
    () => this.ask('GET', '/sandbox/v1/file/a%00b'),
    () => this.ask('PUT', '/sandbox/v1/files'),
    () => this.ask('GET', '/sandbox/account/ledger?cursor=2026-02-30'),
    () => this.ask('GET', '/sandbox/account/nothing'),
    () => this.ask('GET', '/sandbox/v1/files', { headers: { authorization: authorization('parley_test_unknown') } }),
    () => this.send('PATCH', 'labels', { ids: [this.sample.id], note: 5 }),
    () =>
      this.ask('POST', '/sandbox/account/projects', { headers: { 'content-type': 'application/json' }, body: '{"' }),
    () => this.ask('POST', '/sandbox/v1/files', { headers: { ...multipart, 'order-project': 'none' }, body: form }),
  ]

  readonly #writes = [
    () => this.send('PATCH', 'labels', { ids: [this.sample.id], note: `Noted ${this.#random.next()}` }),
    () => this.send('PATCH', 'settings', { presets: { Soak: {} } }),
    () => this.#correct(),
    () => this.#makeAndRemove('keys', { name: 'Soak' }, (made) => `keys/${made.entry?.id}`),
    () => this.#makeAndRemove('projects', { name: `P${this.#random.next()}` }, (made) => `projects/${made.id}`),
    () => this.#play(),
  ]

  readonly #orders = [
    () => this.#makeAndRemove('tools/files', { seconds: 60, progress_percent: 100 }, (made) => `/v1/file/${made.id}`),
    async () => {
      const path = '/sandbox/v1/files?transcript_type=automated'
      const { status, body } = await this.ask('POST', path, { headers: multipart, body: form })
      if (status === 201) await this.ask('DELETE', `/sandbox/v1/file/${JSON.parse(body).id}`)
    },
    async () => {
      const tus = { 'tus-resumable': '1.0.0' }
      const pairs = encodeMetadata({ ...usualMetadata, idempotency_key: `soak-${this.#random.next()}` })
      const lengths = { 'upload-length': String(tone.length), 'upload-metadata': pairs }
      const begun = await this.ask('POST', '/sandbox/uploads/', { headers: { ...tus, ...lengths } })
      const path = String(begun.headers.location)
      if (begun.status !== 201) return
      const piece = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
      const sent = await this.ask('PATCH', path, { headers: piece, body: tone })
      const id = sent.headers['x-service-file']
      await this.ask('DELETE', id === undefined ? path : `/sandbox/v1/file/${id}`, { headers: tus })
    },
  ]

  async #correct(): Promise<Answer> {
    const path = `files/${this.sample.id}/corrections`
    const { revision, set } = JSON.parse((await this.ask('GET', `/sandbox/account/${path}`)).body) as KeptCorrections
    const change = makeChange(this.sample, [typed(this.sample, 0, `Word${Math.floor(this.#random.next() * 1e6)}`)])
    const remove = set?.patches.map(({ from }) => from) ?? []
    return await this.send('POST', path, { ...change, remove }, { 'if-match': `"${revision}"` })
  }

  async #makeAndRemove(
    path: string,
    body: unknown,
    remove: (made: { id?: string; entry?: { id: string } }) => string,
  ): Promise<void> {
    const made = await this.send('POST', path, body)
    if (made.status >= 300) return
    const removed = remove(JSON.parse(made.body))
    await this.ask('DELETE', removed.startsWith('/') ? `/sandbox${removed}` : `/sandbox/account/${removed}`)
  }

  async #play(): Promise<void> {
    const { status, body } = await this.ask('POST', `/sandbox/account/files/${this.sample.id}/playback`)
    if (status === 200) await this.ask('GET', JSON.parse(body).url, { headers: { range: 'bytes=0-65535' } })
  }
}

/**
 * Requests of all kinds by many accounts: the memory held after them, and no 5xx.
 * @param options `requests`: how many, two million without; `minutes`: the longest time
 */
export const tortureSoak: Bench = async ({ requests, minutes }) => {
  const count = Number(requests ?? unlessShort(2_000_000, 400))
  const endMs = performance.now() + Number(minutes ?? Number.POSITIVE_INFINITY) * 60_000
  const service = await ServiceProcess.start(quiet)
  const pool = new Pool(service.url.origin, { connections: accounts * lanes })
  try {
    const [answers, statuses] = [new Tally('mixed requests'), new Map<number, number>()]
    const asked = () => [...statuses.values()].reduce((sum, each) => sum + each, 0)
    const keys = await newKeys(service, 'sandbox', accounts)
    const customers = keys.map((key, index) => new Customer(pool, key, index, answers, statuses))
    for (const customer of customers) await customer.prepare()
    const run = async (until: number) => {
      const lane = async (customer: Customer) => {
        while (asked() < until && performance.now() < endMs) await customer.act()
      }
      await Promise.all(customers.flatMap((customer) => Array.from({ length: lanes }, () => lane(customer))))
      return memoryMb(service.pid, 'VmRSS')
    }
    const before = await run(count / 20) // warm-up: loads and caches things once
    const [warm, startedMs] = [asked(), performance.now()]
    const rows: Measurement[] = [{ what: 'memory before', value: before, unit: 'MB' }]
    for (let part = 1; part <= parts && performance.now() < endMs; part += 1) {
      const value = (await run(warm + (count * part) / parts)) / before
      rows.push({ what: `memory after ${asked() - warm} requests`, value, unit: 'of before' })
      console.log(describe(rows.at(-1) as Measurement))
    }
    const last = rows.at(-1) as Measurement
    last.goal = { atMost: 1.1 }
    rows.push({
      what: 'requests a second',
      value: (asked() - warm) / ((performance.now() - startedMs) / 1_000),
      unit: '',
    })
    const all = [...statuses].sort(([a], [b]) => a - b)
    return [
      ...rows,
      ...all.map(([status, value]) => ({ what: `answered ${status}`, value, unit: '' })),
      ...answers.rows(),
    ]
  } finally {
    await pool.close()
    await service.remove()
  }
}
