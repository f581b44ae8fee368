import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { uploadsBasePath } from '../../../src/contract/interface/resumable-uploads.ts'
import { encodeMetadata, UploadClient } from '../../../src/service/api/uploads/testing/upload-client.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { fileForm } from '../../../src/service/testing/test-service.ts'
import type { Fleet } from './fleet-nodes.ts'
import { insist } from './rounds.ts'
import type { Seeded } from './seeded.ts'

/** The responses to a customer's order. */
export type ToldOrder = {
  id: string
  key: string
  sha256: string
  isAutomated: boolean
  /** stretches of speech, each recognized separately */
  pieces: number
  /** kept: no deletion was acknowledged */
  state: 'kept' | 'deleted'
}

export type Speech = { sound: Uint8Array; pieces: number }

/** All customers' responses, and contradictions between them. */
export class Told {
  readonly orders = new Map<string, ToldOrder>()
  readonly contradictions: string[] = []

  /** True once orders of both kinds are kept, one of which a webhook tells of, and one is deleted. */
  isEnough(): boolean {
    const all = [...this.orders.values()]
    const has = (is: (order: ToldOrder) => boolean) => all.some(is)
    const isKept = (pieces: number) => has((order) => order.state === 'kept' && order.pieces === pieces)
    const isTold = has(({ state, isAutomated }) => state === 'kept' && isAutomated)
    return isKept(1) && isKept(2) && isTold && has(({ state }) => state === 'deleted')
  }

  add(order: ToldOrder): void {
    if (this.orders.has(order.id)) this.contradictions.push(`${order.id} was given to two orders`)
    this.orders.set(order.id, order)
  }
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** A unique copy of the audio: its last samples differ. */
function ownCopy(sound: Uint8Array, random: Seeded): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(sound)
  for (let back = 1; back <= 16; back += 1) copy[copy.length - 2 * back] = Math.floor(random.next() * 16)
  return copy
}

/** One customer, with audio to send. */
export class Customer {
  readonly #fleet: Fleet
  readonly #key: string
  readonly #random: Seeded
  readonly #told: Told
  #wishes = 0

  constructor(fleet: Fleet, key: string, random: Seeded, told: Told) {
    this.#fleet = fleet
    this.#key = key
    this.#random = random
    this.#told = told
  }

  /** A random API node. */
  get #url(): URL {
    return this.#random.any(this.#fleet.api).url
  }

  /** Orders by a form, retrying under the same key until there is a response, and often deletes the file. */
  async orderByForm({ sound, pieces }: Speech): Promise<void> {
    const bytes = ownCopy(sound, this.#random)
    const isAutomated = this.#random.next() < 0.4
    this.#wishes += 1
    const headers = { 'idempotency-key': `wish-${this.#wishes}` }
    const path = `files?transcript_type=${isAutomated ? 'automated' : 'manual'}`
    const ask = () => askApi(this.#url, this.#key, path, { method: 'POST', body: fileForm(bytes), headers })
    const id = await this.#idFrom(ask)
    const order: ToldOrder = { id, key: this.#key, sha256: sha256Of(bytes), isAutomated, pieces, state: 'kept' }
    this.#told.add(order)
    if (this.#random.next() < 0.4) await this.#remove(order)
  }

  /** Uploads in pieces, each to any node, until the order exists, and sometimes deletes it. */
  async upload({ sound, pieces }: Speech): Promise<void> {
    const bytes = ownCopy(sound, this.#random)
    this.#wishes += 1
    const metadata = {
      filename: 'Talk.wav',
      filetype: 'audio/wav',
      options: 'transcript_type=automated',
      idempotency_key: `upload-${this.#wishes}`,
    }
    const headers = { 'upload-length': String(bytes.length), 'upload-metadata': encodeMetadata(metadata) }
    const begun = await insist(() => this.#tus().send('POST', uploadsBasePath('live'), headers), [201])
    const id = await this.#sendAll(begun.headers.get('location') ?? '', bytes)
    const order: ToldOrder = { id, key: this.#key, sha256: sha256Of(bytes), isAutomated: true, pieces, state: 'kept' }
    this.#told.add(order)
    if (this.#random.next() < 0.15) await this.#remove(order)
  }

  #tus(): UploadClient {
    return new UploadClient({ address: this.#url.origin, dataDir: this.#fleet.dataDir }, this.#key)
  }

  /** @returns the id of the resulting file */
  async #sendAll(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
    for (;;) {
      const head = await insist(() => this.#tus().send('HEAD', path), [200])
      const file = head.headers.get('x-service-file')
      if (file !== null) return file
      const offset = Number(head.headers.get('upload-offset'))
      const piece = bytes.slice(offset, offset + Math.ceil(this.#random.between(20_000, 250_000)))
      const isWhole = offset === bytes.length
      const send = () => (isWhole ? this.#tus().send('POST', `${path}/order`) : this.#tus().patch(path, offset, piece))
      await send().catch(() => null)
      await wait(100)
    }
  }

  /** The id in a response with a complete body. */
  async #idFrom(ask: () => Promise<Response>): Promise<string> {
    for (;;) {
      const answer = await insist(ask, [201])
      const body = await answer.json().catch(() => null)
      if (body !== null) return (body as { id: string }).id
    }
  }

  async #remove(order: ToldOrder): Promise<void> {
    let asked = 0
    const ask = () => {
      asked += 1
      return askApi(this.#url, this.#key, `file/${order.id}`, { method: 'DELETE' })
    }
    const { status } = await insist(ask, [200, 404, 409])
    if (status === 404 && asked === 1) this.#told.contradictions.push(`${order.id} was gone before it was deleted`)
    if (status !== 409) order.state = 'deleted'
  }
}
