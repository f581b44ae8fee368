import { type ClientOptions, Connection, pause } from './connection.ts'
import type { FileMetadata, Operations } from './operations.ts'
import { sendInParts } from './upload.ts'

/** Options of an order, by their names in the interface. */
export type OrderOptions = NonNullable<Operations['post /v1/files']['query']>
export type Format = Operations['get /v1/file/{file_id}.{ext}']['params']['ext']

/** Besides the options: how an order is made. */
export type OrderSettings = {
  options?: OrderOptions
  /** nothing is ordered above this; null: no limit */
  maxTotalCents?: number | null
  project?: string
  /** the id of a quote (`post /account/quotes`), above which nothing is charged */
  quote?: string
  /** the same key and recording give the same order, for 24 hours; by default each call has its own */
  idempotencyKey?: string
  signal?: AbortSignal
}
export type UploadSettings = OrderSettings & {
  fileName?: string
  /** MIME type; by default that of the Blob */
  type?: string
  /** the address that `onStarted` was given, to continue that upload */
  continues?: string
  onStarted?: (address: string) => void
  onProgress?: (sentBytes: number, totalBytes: number) => void
}

type Given<Op> = Omit<Op, 'answer'> & { headers?: Record<string, string>; signal?: AbortSignal }
type Call = keyof Operations
type Answer<Name extends Call> = Operations[Name]['answer']
type Arguments<Name extends Call> =
  Record<never, never> extends Given<Operations[Name]>
    ? [given?: Given<Operations[Name]>]
    : [given: Given<Operations[Name]>]

const ordering = 'post /v1/files' satisfies Call

/** A client of the service, with one API key. Only what cannot charge or change anything twice is repeated. */
export class Parley {
  readonly #connection: Connection

  constructor(options: ClientOptions) {
    this.#connection = new Connection(options)
  }

  /**
   * Any operation of the interface, typed by its description: `call('get /account/files', { query: { limit: '50' } })`.
   * @returns the JSON of the answer; undefined if it has no body; the `Response` for anything else
   * @throws ParleyError
   */
  async call<Name extends Call>(name: Name, ...[given]: Arguments<Name>): Promise<Answer<Name>> {
    const response = await this.#send(name, given ?? {})
    if (response.status === 204) return undefined as Answer<Name>
    const isJson = response.headers.get('content-type')?.includes('json') === true && !name.startsWith('head ')
    if (isJson && !name.endsWith('.{ext}')) return (await response.json()) as Answer<Name>
    return (response.headers.get('content-length') === '0' ? undefined : response) as Answer<Name>
  }

  async #send(name: string, given: { [part: string]: unknown }): Promise<Response> {
    const [verb = '', template = ''] = name.split(' ')
    const {
      params,
      query,
      body,
      headers: asGiven,
      signal,
    } = given as {
      params?: Record<string, string>
      query?: Record<string, string | number | undefined>
      body?: unknown
      headers?: Record<string, string>
      signal?: AbortSignal
    }
    const path = template.replaceAll(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(params?.[part] ?? ''))
    const asked = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
    const search = new URLSearchParams(asked.map(([option, value]) => [option, String(value)]))
    const isRaw = body instanceof FormData || body instanceof Blob || body instanceof ReadableStream
    const sent = isRaw ? (body as BodyInit) : JSON.stringify(body)
    const headers = new Headers(asGiven)
    if (body !== undefined && !isRaw && !headers.has('content-type')) headers.set('content-type', 'application/json')
    // Without one, an order whose answer is lost would be charged again when it is repeated.
    if (name === ordering && !headers.has('idempotency-key')) headers.set('idempotency-key', crypto.randomUUID())
    return await this.#connection.send({
      method: verb.toUpperCase(),
      path: search.size === 0 ? path : `${path}?${search}`,
      headers: Object.fromEntries(headers),
      ...(body !== undefined && { body: sent }),
      signal,
      isRepeatable: verb !== 'post' || headers.has('idempotency-key'),
    })
  }

  /** Ids of all files, newest first. */
  async list(signal?: AbortSignal): Promise<string[]> {
    return (await this.call('get /v1/files', { ...(signal && { signal }) })).map(({ id }) => id)
  }

  /**
   * Sends a recording of any size in parts, continues after lost connections, and orders it: charged once. In Node,
   * `openAsBlob(path)` gives a file without reading it into memory.
   * @returns the file's id
   * @throws ParleyError
   */
  async order(recording: Blob, settings: UploadSettings = {}): Promise<string> {
    const { options = {}, maxTotalCents, project, quote, idempotencyKey, fileName, type, ...rest } = settings
    const name = fileName ?? (recording instanceof File ? recording.name : 'recording')
    return await sendInParts(this.#connection, {
      ...rest,
      recording,
      metadata: {
        filename: name,
        filetype: type ?? recording.type,
        options: String(new URLSearchParams(options as Record<string, string>)),
        idempotency_key: idempotencyKey ?? crypto.randomUUID(),
        ...(maxTotalCents != null && { max_total_cents: String(maxTotalCents) }),
        ...(project !== undefined && { project }),
        ...(quote !== undefined && { quote }),
      },
    })
  }

  /** Orders the recording at a public address. @returns the file's id. @throws ParleyError */
  async orderLink(link: string, settings: OrderSettings = {}): Promise<string> {
    const { options, maxTotalCents, project, quote, idempotencyKey, signal } = settings
    const body = new FormData()
    body.set('link', link)
    const headers = {
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(maxTotalCents != null && { 'max-total-cents': String(maxTotalCents) }),
      ...(project !== undefined && { 'order-project': project }),
      ...(quote !== undefined && { 'quote-id': quote }),
    }
    const given = { body, headers, ...(options && { query: options }), ...(signal && { signal }) }
    const made = await this.#send(ordering, given)
    return ((await made.json()) as { id: string }).id
  }

  /** What is known of a file: progress, price, delivery date, options. @throws ParleyError 404 */
  async metadata(id: string, signal?: AbortSignal): Promise<FileMetadata> {
    const given = { params: { file_id: id }, ...(signal && { signal }) }
    const { headers } = await this.#send('head /v1/file/{file_id}', given)
    return JSON.parse(headers.get('x-service-metadata') ?? '{}')
  }

  /** The transcript in a format; below 100 % the text so far, as txt. Read its body as text, bytes or stream. */
  async transcript(id: string, format: Format = 'txt', signal?: AbortSignal): Promise<Response> {
    const given = { params: { file_id: id, ext: format }, ...(signal && { signal }) }
    return await this.#send('get /v1/file/{file_id}.{ext}', given)
  }

  /** Deletes a file by the refund rules. @throws ParleyError 404; 409 from 60 to under 100 % */
  async remove(id: string): Promise<void> {
    await this.#send('delete /v1/file/{file_id}', { params: { file_id: id } })
  }

  /**
   * Waits until a transcript is ready. Webhooks tell sooner and cost nothing (`verifyWebhook`).
   * @param everyMs how often it is asked for at most; more rarely the longer it takes, up to a minute
   * @throws ParleyError 404 if it is deleted in the meantime; the signal's reason
   */
  async untilReady(
    id: string,
    {
      everyMs = 2_000,
      onProgress,
      signal,
    }: { everyMs?: number; onProgress?: (percent: number) => void; signal?: AbortSignal } = {},
  ): Promise<FileMetadata> {
    let percent = -1
    for (let waitMs = everyMs; ; waitMs = Math.min(waitMs * 1.3, Math.max(60_000, everyMs))) {
      const metadata = await this.metadata(id, signal)
      if (metadata.progress_percent !== percent) onProgress?.(metadata.progress_percent)
      percent = metadata.progress_percent
      if (percent === 100) return metadata
      await pause(waitMs, signal)
    }
  }
}

export type { ClientOptions } from './connection.ts'
export type { FileMetadata, Operations, Word } from './operations.ts'
// biome-ignore-start lint/performance/noBarrelFile: the entry of a package
export { ParleyError } from './parley-error.ts'
export { verifyWebhook } from './webhook.ts'
// biome-ignore-end lint/performance/noBarrelFile: the entry of a package
