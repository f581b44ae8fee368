import { once } from 'node:events'
import { connect } from 'node:net'
import { Connection } from '../../client/connection.ts'
import { apiBasePath } from '../../contract/interface/environment.ts'
import type { FileMetadata } from '../../contract/interface/metadata.ts'
import type { Config } from '../platform/config.ts'
import { accountClient } from './account-client.ts'
import { authorization } from './ask-api.ts'
import { runningCluster } from './running-cluster.ts'
import { startTestService, type TestAccount, type TestService } from './test-service.ts'

/*
 * For the conformance suite: a started service, accessed over sockets, and where a request is well-formed through our
 * client. Whatever the spec leaves to the settings page is done through the sandbox tools, as an integrator would.
 */

/** A response as sent. Header names are in lower case. */
export type RawAnswer = { status: number; headers: ReadonlyMap<string, string>; body: string }

export type BlackBox = {
  kit: TestService
  /** a new sandbox account: each test has its own, so that none hits another's rate limit */
  account(): Promise<TestAccount>
  /** a sample file at a progress, made by the sandbox tools */
  sample(key: string, progressPercent: number, more?: { seconds?: number; transcript_type?: string }): Promise<string>
  setProgress(key: string, id: string, progressPercent: number): Promise<void>
  /** writes bytes to a connection and reads one response; `isHead` if it has no body */
  raw(request: string | Uint8Array, options?: { isHead?: boolean }): Promise<RawAnswer>
  close(): Promise<void>
}

/**
 * Starts a service without recognition, so that only tests change the progress. In a run against a cluster (`npm run
 * cluster -- conformance`) it is that one, unless the test needs its own service.
 * @param overrides as of `startTestService`
 * @param monotonic the clock of rate limits, in milliseconds, if not the real one
 */
export async function openBlackBox(
  { role = 'all', ...overrides }: Partial<Config> = {},
  monotonic?: () => number,
): Promise<BlackBox> {
  const cluster = Object.keys(overrides).length === 0 && monotonic === undefined ? runningCluster() : null
  const kit = await startTestService({ role, ...overrides }, cluster ?? undefined, monotonic)
  kit.fetch = (key, path, init) => fetchByClient(kit.address, key, path, init)
  const tool = (key: string, path: string, body: unknown) =>
    accountClient(kit.address, key).read<{ id: string }>('POST', `tools/${path}`, body)
  return {
    kit,
    account: () => kit.account(),
    async sample(key, progressPercent, more = {}) {
      return (await tool(key, 'files', { seconds: 60, ...more, progress_percent: progressPercent })).id
    },
    async setProgress(key, id, progressPercent) {
      await tool(key, `files/${id}/progress`, { progress_percent: progressPercent })
    },
    raw: (request, options) => exchange(kit, request, options?.isHead === true),
    close: () => kit.close(),
  }
}

/** A request as the client makes it. @returns the response as it came, also an error */
async function fetchByClient(url: string, key: string, path: string, init: RequestInit = {}): Promise<Response> {
  let answer: Response | null = null
  const connection = new Connection({
    ...{ key, url, retries: 0 },
    fetch: async (...request) => {
      const response = await fetch(...request)
      answer = response.clone()
      return response
    },
  })
  const { method = 'GET', headers, body, signal } = init
  const sent = { method, path: `/v1/${path}`, headers: Object.fromEntries(new Headers(headers)), isRepeatable: false }
  await connection.send({ ...sent, ...(body && { body }), signal: signal ?? undefined }).catch((error: unknown) => {
    if (answer === null) throw error
  })
  return answer as unknown as Response
}

/** The lines every request needs, plus the given ones. `path` below the sandbox's base path, or absolute. */
export function head(method: string, path: string, key: string | null, lines: readonly string[] = []): string {
  const target = path.startsWith('/') ? path : apiBasePath('sandbox') + path
  const identity = key === null ? [] : [`Authorization: ${authorization(key)}`]
  return [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...identity, ...lines, '', ''].join('\r\n')
}

async function exchange(kit: TestService, request: string | Uint8Array, isHead: boolean): Promise<RawAnswer> {
  const socket = connect(Number(new URL(kit.address).port), '127.0.0.1')
  await once(socket, 'connect')
  let received = Buffer.alloc(0)
  try {
    socket.on('error', () => undefined).write(request)
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk])
      const answer = parseAnswer(received, isHead)
      if (answer !== null) return answer
    }
    throw new Error(`The connection ended before an answer: ${received.toString('latin1').slice(0, 200)}`)
  } finally {
    socket.destroy()
  }
}

/** Null while the response is incomplete. */
function parseAnswer(received: Buffer, isHead: boolean): RawAnswer | null {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return null
  const [first = '', ...lines] = received.toString('latin1', 0, end).split('\r\n')
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const status = Number(first.split(' ')[1])
  const body = received.subarray(end + 4)
  const length = isHead || status === 204 ? 0 : Number(headers.get('content-length') ?? Number.NaN)
  if (body.byteLength < length) return null
  if (Number.isNaN(length) && !body.toString('latin1').endsWith('0\r\n\r\n')) return null
  // The next response may follow it.
  const own = Number.isNaN(length) ? body : body.subarray(0, length)
  return { status, headers, body: own.toString('utf8') }
}

export const boundary = 'X-PARLEY-BOUNDARY'

/** One part of a form, with the given header lines. */
export function part(lines: readonly string[], content: Uint8Array | string): Buffer {
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\n${lines.join('\r\n')}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
}

export const formEnd = Buffer.from(`--${boundary}--\r\n`)

/** A whole POST files request. */
export function postForm(
  key: string,
  parts: readonly Uint8Array[],
  options: { query?: string; lines?: string[]; contentType?: string } = {},
): Buffer {
  const body = Buffer.concat([...parts, formEnd])
  const contentType = options.contentType ?? `multipart/form-data; boundary=${boundary}`
  const lines = [`Content-Type: ${contentType}`, `Content-Length: ${body.byteLength}`, ...(options.lines ?? [])]
  return Buffer.concat([Buffer.from(head('POST', `files${options.query ?? ''}`, key, lines)), body])
}

/** The part of a recording. */
export function filePart(
  content: Uint8Array | string,
  fileName = 'talk.wav',
  type: string | null = 'audio/wav',
): Buffer {
  const typeLine = type === null ? [] : [`Content-Type: ${type}`]
  return part([`Content-Disposition: form-data; name="file"; filename="${fileName}"`, ...typeLine], content)
}

export function readMetadata(answer: RawAnswer | Response): FileMetadata {
  const text = answer.headers.get('x-service-metadata')
  if (text === null || text === undefined) throw new Error('There is no X-Service-Metadata.')
  return JSON.parse(text)
}

/** The message of an error response; throws unless the body is exactly `{"error": "…"}` (spec 7, rule 2). */
export function readError(body: string): string {
  const parsed = JSON.parse(body)
  const keys = Object.keys(parsed)
  if (keys.length !== 1 || keys[0] !== 'error' || typeof parsed.error !== 'string')
    throw new Error(`No error body: ${body}`)
  return parsed.error
}
