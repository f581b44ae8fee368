import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector, type Dispatcher, request } from 'undici'
import { isPublicAddress } from './public-address.ts'

type Address = { address: string; family: number }
/** All addresses of a host name. Given in tests; otherwise the system's resolver. */
export type Resolve = (hostname: string) => Promise<Address[]>

/** A forbidden target, or a request without an answer. The message is shown to customers. */
export class TargetError extends Error {
  override readonly name = 'TargetError'
  readonly kind: 'refused' | 'unreachable' | 'timeout'
  constructor(kind: TargetError['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

type GuardedRequest = {
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal
  /** longest wait for the headers of the answer, and for each next part of its body */
  idleMs?: number
}

type BoundedAnswer = { status: number; headers: Record<string, string>; body: string; milliseconds: number }

/** The only way out of the service to addresses that customers give (decision 8). */
export type Guard = {
  /** Checks a URL and the addresses of its host without connecting. @throws TargetError */
  check(url: URL): Promise<void>
  /** One request, redirects not followed; the body is left to read. @throws TargetError */
  request(url: URL, options: GuardedRequest): Promise<Dispatcher.ResponseData>
  /** One request whose answer is read up to `maxBytes` within `timeoutMs` in all, for webhooks. @throws TargetError */
  guardedRequest(url: URL, options: GuardedRequest, limits?: AnswerLimits): Promise<BoundedAnswer>
  close(): Promise<void>
}
type AnswerLimits = { timeoutMs: number; maxBytes: number }
const webhookLimits: AnswerLimits = { timeoutMs: 15_000, maxBytes: 65_536 }

/** Checks what the URL alone shows. @throws TargetError */
export function checkForm(url: URL): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TargetError('refused', 'The address must begin with http:// or https://.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new TargetError('refused', 'The address must not contain a user name or password.')
  }
}

/** `[::1]` gives `::1`: URLs write IPv6 in brackets, sockets do not. */
function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

function portOf(protocol: string, port: string): string {
  return port !== '' ? port : protocol === 'https:' ? '443' : '80'
}

/** A DNS lookup that returns the addresses that were checked, so that a connection goes nowhere else. */
function pinnedTo(addresses: readonly Address[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses
    if (options.all === true) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family ?? 4)
  }
}

function asTargetError(error: unknown): TargetError {
  if (error instanceof TargetError) return error
  const cause = error instanceof Error && error.cause instanceof TargetError ? error.cause : null
  if (cause !== null) return cause
  const name = error instanceof Error ? `${error.name} ${'code' in error ? String(error.code) : ''}` : ''
  return /timeout/i.test(name)
    ? new TargetError('timeout', 'The address did not answer in time.', { cause: error })
    : new TargetError('unreachable', 'The address could not be reached.', { cause: error })
}

type CheckedAddresses = (hostname: string, port: string) => Promise<Address[]>

/** Resolves a host, all of whose addresses must be public. @throws TargetError, or what the resolver throws */
function addressCheck(allowTargets: readonly string[], resolve: Resolve): CheckedAddresses {
  return async (hostname, port) => {
    const host = bareHost(hostname)
    const family = isIP(host)
    const addresses = family !== 0 ? [{ address: host, family }] : await resolve(host)
    const isAllowed = allowTargets.includes(`${hostname}:${port}`) || allowTargets.includes(`${host}:${port}`)
    const areAllowed = addresses.length > 0 && (isAllowed || addresses.every(({ address }) => isPublicAddress(address)))
    if (!areAllowed) throw new TargetError('refused', 'The address must be a public one.')
    return addresses
  }
}

/**
 * Checks in the connector, so that every connection, however it comes about, is checked and pinned to what was checked.
 */
function guardedAgent(checkedAddresses: CheckedAddresses): Agent {
  return new Agent({
    allowH2: false,
    connect: (options, callback) => {
      checkedAddresses(options.hostname, portOf(options.protocol, options.port)).then(
        (addresses) => buildConnector({ timeout: 10_000, lookup: pinnedTo(addresses) })(options, callback),
        (error: unknown) => callback(error instanceof Error ? error : new Error('no address'), null),
      )
    },
  })
}

class AddressGuard implements Guard {
  readonly #checkedAddresses: CheckedAddresses
  readonly #agent: Agent

  constructor(checkedAddresses: CheckedAddresses) {
    this.#checkedAddresses = checkedAddresses
    this.#agent = guardedAgent(checkedAddresses)
  }

  async check(url: URL): Promise<void> {
    checkForm(url)
    try {
      await this.#checkedAddresses(url.hostname, portOf(url.protocol, url.port))
    } catch (error) {
      throw asTargetError(error)
    }
  }

  async request(url: URL, { idleMs = 60_000, ...options }: GuardedRequest): Promise<Dispatcher.ResponseData> {
    checkForm(url)
    try {
      return await request(url, { dispatcher: this.#agent, headersTimeout: idleMs, bodyTimeout: idleMs, ...options })
    } catch (error) {
      throw asTargetError(error)
    }
  }

  async guardedRequest(url: URL, options: GuardedRequest, limits = webhookLimits): Promise<BoundedAnswer> {
    const startedAt = performance.now()
    const timeout = AbortSignal.timeout(limits.timeoutMs)
    const signal = options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal])
    try {
      const answer = await this.request(url, { ...options, signal })
      const body = await readUpTo(answer.body, limits.maxBytes)
      const milliseconds = Math.round(performance.now() - startedAt)
      return { status: answer.statusCode, headers: flatHeaders(answer.headers), body, milliseconds }
    } catch (error) {
      if (timeout.aborted) throw new TargetError('timeout', 'The address did not answer in time.', { cause: error })
      throw asTargetError(error)
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}

/**
 * A guard whose connections go to public addresses only.
 * @param allowTargets exact `host:port` that may be reached though not public
 */
export function openGuard(allowTargets: readonly string[], resolve: Resolve = resolveBySystem): Guard {
  return new AddressGuard(addressCheck(allowTargets, resolve))
}

function resolveBySystem(hostname: string): Promise<Address[]> {
  return lookup(hostname, { all: true, verbatim: true })
}

/** The beginning of a body as text; the rest is not read. */
async function readUpTo(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes >= maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8')
}

function flatHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}
