import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { UploadClient } from '../../../src/service/api/uploads/testing/upload-client.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { fileForm, makeTone } from '../../../src/service/testing/test-service.ts'
import type { Receiver } from '../../kit/receiver.ts'
import type { Measurement } from '../bench/measurement.ts'
import { comesTrue, Tally } from '../torture/rounds.ts'

const betweenRoundsMs = 200
const pieceArrivesInMs = 12_000
const chunksOfPiece = 24
const webhooksWithinMs = 60_000
/** After this many consecutive "retry later" responses a request counts as failed. */
const mostTries = 20

/** Aborts a customer's round after a failed request: later ones would fail as a consequence. */
class Failed extends Error {}

/** The failure is already counted. */
function passOver(error: unknown): void {
  if (!(error instanceof Failed)) throw error
}

/** Bytes that arrive chunk by chunk, as on a slow line. */
function drip(bytes: Uint8Array): ReadableStream {
  const size = Math.ceil(bytes.byteLength / chunksOfPiece)
  let at = 0
  return new ReadableStream({
    async pull(controller) {
      if (at >= bytes.byteLength) return controller.close()
      await wait(pieceArrivesInMs / chunksOfPiece)
      controller.enqueue(bytes.slice(at, at + size))
      at += size
    },
  })
}

/**
 * Customers who continuously order, upload, read, delete and receive webhooks, until they are stopped. A request that
 * gets 503 with `Retry-After` is retried; every other response but the expected one is a failure.
 */
export class SteadyLoad {
  readonly #url: string
  readonly #receiver: Receiver
  readonly #requests = new Tally('requests')
  readonly #kept = new Tally('orders there once at the end, deleted ones gone')
  readonly #webhooks = new Tally('webhooks')
  readonly #stop = new AbortController()
  readonly #running: Promise<void>[] = []
  #retried = 0

  /** @param url the proxy's */
  constructor(url: string, receiver: Receiver) {
    this.#url = url
    this.#receiver = receiver
  }

  /** Starts a customer with a new sandbox key, and another with the same key who uploads slowly. */
  async add(key: string): Promise<void> {
    await accountClient(this.#url, key).read('PUT', 'webhook', { url: this.#receiver.url })
    const tone = await makeTone(2)
    const [made, deleted] = [new Set<string>(), new Set<string>()]
    const run = async (round: () => Promise<void>) => {
      while (!this.#stop.signal.aborted) {
        await round().catch(passOver)
        await wait(betweenRoundsMs)
      }
    }
    const all = Promise.all([
      run(() => this.#work(key, tone, made, deleted)),
      run(async () => void made.add(await this.#upload(key, tone))),
    ])
    this.#running.push(all.then(() => this.#compare(key, made, deleted)).catch(passOver))
  }

  /** Stops, and compares the responses that customers got with the actual state. @returns its figures */
  async stop(): Promise<Measurement[]> {
    this.#stop.abort()
    await Promise.all(this.#running)
    const retried = { what: 'requests told to come again, by 503 with Retry-After', value: this.#retried, unit: '' }
    return [...this.#requests.rows(), retried, ...this.#kept.rows(), ...this.#webhooks.rows()]
  }

  /** @returns the response; null if it is "retry later", after having waited as long as it says. @throws Failed */
  async #once(what: string, send: () => Promise<Response>, statuses: readonly number[]): Promise<Response | null> {
    const answer = await send().catch((error: unknown) => String((error as Error).cause ?? error))
    const retryAfter = typeof answer === 'string' || answer.status !== 503 ? null : answer.headers.get('retry-after')
    if (retryAfter !== null) {
      this.#retried += 1
      await wait(Number(retryAfter) * 1_000)
      return null
    }
    const isRight = typeof answer !== 'string' && statuses.includes(answer.status)
    const said = typeof answer === 'string' ? answer : `${answer.status} ${isRight ? '' : await answer.text()}`
    this.#requests.count(isRight, `${new Date().toISOString()} ${what}: ${said}`)
    if (typeof answer === 'string' || !isRight) throw new Failed(said)
    return answer
  }

  async #ask(what: string, send: () => Promise<Response>, statuses: readonly number[] = [200]): Promise<Response> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const answer = await this.#once(what, send, statuses)
      if (answer !== null) return answer
    }
    this.#requests.count(false, `${what}: told to come again ${mostTries} times`)
    throw new Failed(what)
  }

  /** Orders, reads, and sometimes deletes; awaits the webhook of a ready sample and reads its text. */
  async #work(key: string, tone: Uint8Array, made: Set<string>, deleted: Set<string>): Promise<void> {
    const ask = (what: string, path: string, init: RequestInit = {}, statuses = [200]) =>
      this.#ask(what, () => askApi(this.#url, key, path, init), statuses)
    const headers = { 'idempotency-key': randomUUID() }
    // Each attempt needs a new form.
    const order = () => askApi(this.#url, key, 'files', { method: 'POST', body: fileForm(tone), headers })
    const { id } = (await (await this.#ask('order', order, [201])).json()) as { id: string }
    made.add(id)
    await ask('metadata', `file/${id}`, { method: 'HEAD' })
    if (Math.random() < 0.3) {
      await ask('deletion', `file/${id}`, { method: 'DELETE' }, [200, 404])
      made.delete(id)
      deleted.add(id)
    }
    const client = accountClient(this.#url, key)
    const file = { seconds: 10, progress_percent: 100 }
    const tool = await this.#ask('sample', () => client.ask('POST', 'tools/files', file), [200, 201])
    const sample = ((await tool.json()) as { id: string }).id
    made.add(sample)
    for (const path of ['files', `file/${sample}.json`, `file/${sample}.srt`]) await (await ask(path, path)).text()
    await this.#ask('settings', () => client.ask('GET', 'settings'))
    const isTold = () => this.#receiver.received.some(({ body }) => body.includes(sample))
    this.#webhooks.count(await comesTrue(isTold, webhooksWithinMs), `none of ${sample} within a minute`)
  }

  /** A resumable upload in two slow pieces, each of which continues at the service's offset. @returns the order's id */
  async #upload(key: string, tone: Uint8Array): Promise<string> {
    const client = new UploadClient({ address: this.#url, dataDir: '' }, key)
    const created = await this.#ask('upload', () => client.create(tone.byteLength), [201])
    const path = created.headers.get('location') ?? ''
    for (;;) {
      const head = await this.#ask('offset', () => client.send('HEAD', path))
      const ordered = head.headers.get('x-service-file')
      if (ordered !== null) return ordered
      const offset = Number(head.headers.get('upload-offset'))
      const end = offset === 0 ? tone.byteLength >> 1 : tone.byteLength
      const piece = () => client.patch(path, offset, drip(tone.slice(offset, end)))
      await this.#once('piece', piece, [204])
    }
  }

  async #compare(key: string, made: ReadonlySet<string>, deleted: ReadonlySet<string>): Promise<void> {
    const list = await this.#ask('list', () => askApi(this.#url, key, 'files'))
    const ids = ((await list.json()) as { id: string }[]).map(({ id }) => id)
    for (const id of made) this.#kept.count(ids.filter((one) => one === id).length === 1, `${id} is not there`)
    for (const id of deleted) this.#kept.count(!ids.includes(id), `${id} is there again`)
  }
}
