import { stat } from 'node:fs/promises'
import { type ClientRequest, request as requestHttp } from 'node:http'
import { join } from 'node:path'
import { uploadsBasePath } from '../../../../contract/interface/resumable-uploads.ts'
import { authorization } from '../../../testing/ask-api.ts'
import type { TestService } from '../../../testing/test-service.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

type Served = Pick<TestService, 'address' | 'dataDir'>
type Body = Uint8Array<ArrayBuffer> | ReadableStream

/** Encodes `Upload-Metadata`. */
export function encodeMetadata(pairs: Readonly<Record<string, string>>): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name} ${base64(value)}`)
    .join(',')
}

/** Upload metadata of a typical order in these tests. */
export const usualMetadata = {
  filename: 'Board meeting.wav',
  filetype: 'audio/wav',
  options: 'transcript_type=automated',
}

/** A PATCH whose body has started but not ended. */
export type OpenPatch = {
  /** sends more */
  write(bytes: Uint8Array): void
  /** resolves once the service has this many bytes on disk */
  onDisk(bytes: number): Promise<void>
  /** resolves once the connection was lost or the request answered */
  ended: Promise<unknown>
  breakOff(): void
}

/** Test client: speaks tus 1.0.0 to the sandbox of a running service, with one key. */
export class UploadClient {
  readonly #service: Served
  readonly #key: string

  constructor(service: Served, key: string) {
    this.#service = service
    this.#key = key
  }

  send(method: string, path: string, headers: Record<string, string> = {}, body?: Body): Promise<Response> {
    return fetch(this.#service.address + path, {
      method,
      headers: { authorization: authorization(this.#key), 'tus-resumable': '1.0.0', ...headers },
      ...(body === undefined ? {} : { body, duplex: 'half' }),
    })
  }

  create(length: number, pairs: Readonly<Record<string, string>> = usualMetadata): Promise<Response> {
    const headers = { 'upload-length': String(length), 'upload-metadata': encodeMetadata(pairs) }
    return this.send('POST', uploadsBasePath('sandbox'), headers)
  }

  /** Creates an upload, which must succeed. @returns its path */
  async created(length: number, pairs?: Readonly<Record<string, string>>): Promise<string> {
    const answer = await this.create(length, pairs)
    if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`)
    return answer.headers.get('location') ?? ''
  }

  patch(path: string, offset: number, body: Body): Promise<Response> {
    const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
    return this.send('PATCH', path, headers, body)
  }

  /** Encodes the head of a PATCH for a raw connection. */
  request(path: string, headers: Record<string, string | number>): ClientRequest {
    const { hostname, port } = new URL(this.#service.address)
    const own = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream', 'upload-offset': 0 }
    const all = { authorization: authorization(this.#key), ...own, ...headers }
    return requestHttp({ hostname, port, path, method: 'PATCH', headers: all })
  }

  /** Sends the beginning of a PATCH of `length` bytes, then stalls. */
  openPatch(path: string, length: number, beginning: Uint8Array): OpenPatch {
    const request = this.request(path, { 'content-length': length })
    const ended = new Promise((resolve) => request.on('error', resolve).on('response', resolve))
    request.write(beginning)
    const file = join(this.#service.dataDir, 'uploads', path.split('/').at(-1) ?? '')
    const size = () =>
      stat(file).then(
        (found) => found.size,
        () => 0, // the file is created with its first byte
      )
    return {
      write: (bytes) => void request.write(bytes),
      async onDisk(bytes) {
        while ((await size()) < bytes) await new Promise((resolve) => setImmediate(resolve))
      },
      ended,
      breakOff: () => void request.destroy(),
    }
  }
}
