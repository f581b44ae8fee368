import { isIP, type LookupFunction } from 'node:net'
import { Agent, type Dispatcher, request } from 'undici'
import { KeyedLimit } from './in-turn.ts'
import { isPublicAddress } from './public-address.ts'
import { type Address, type Resolve, resolveByDns, resolveBySystem } from './resolve-name.ts'

/** Concurrent DNS lookups per account. */
const lookupsAtOnce = 4
const connectMs = 10_000

/** A forbidden target, or a request without a response. The message is shown to customers. */
export class TargetError extends Error {
  override readonly name = 'TargetError'
  readonly kind: 'refused' | 'unreachable' | 'timeout'
  constructor(kind: TargetError['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

type GuardedRequest = {
  /** the request's account: its concurrent lookups are limited */
  account: string
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal
  /** timeout for the response headers, and for each next part of its body */
  idleMs?: number
}

/** The only way to reach customer-supplied addresses; prevents SSRF (decision 8). */
export type Guard = {
  /** Checks a URL and the addresses of its host without connecting. @throws TargetError */
  check(url: URL, account: string): Promise<void>
  /** Sends one request without following redirects; the caller reads the body. @throws TargetError */
  request(url: URL, options: GuardedRequest): Promise<Dispatcher.ResponseData>
  close(): Promise<void>
}

/** Checks the URL itself, without resolving it. @throws TargetError */
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

function resolvePort(protocol: string, port: string): string {
  return port !== '' ? port : protocol === 'https:' ? '443' : '80'
}

/** A DNS lookup that returns the checked addresses, so that a connection goes nowhere else (DNS rebinding). */
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
    ? new TargetError('timeout', 'The address did not respond in time.', { cause: error })
    : new TargetError('unreachable', 'The address could not be reached.', { cause: error })
}

class AddressGuard implements Guard {
  readonly #allowTargets: readonly string[]
  readonly #resolve: Resolve | undefined
  readonly #lookups = new KeyedLimit(lookupsAtOnce)
  readonly #agents = new Set<Agent>()
  readonly #closed = new AbortController()

  constructor(allowTargets: readonly string[], resolve?: Resolve) {
    this.#allowTargets = allowTargets
    this.#resolve = resolve
  }

  async check(url: URL, account: string): Promise<void> {
    await this.#addressesOf(url, account)
  }

  async request(url: URL, { account, idleMs = 60_000, ...options }: GuardedRequest): Promise<Dispatcher.ResponseData> {
    const addresses = await this.#addressesOf(url, account, options.signal)
    // One agent per request, which can connect only to the addresses checked for it.
    const dispatcher = new Agent({ allowH2: false, connect: { timeout: connectMs, lookup: pinnedTo(addresses) } })
    this.#agents.add(dispatcher)
    const end = () => {
      this.#agents.delete(dispatcher)
      void dispatcher.destroy()
    }
    try {
      const answer = await request(url, { dispatcher, headersTimeout: idleMs, bodyTimeout: idleMs, ...options })
      answer.body.once('close', end)
      return answer
    } catch (error) {
      end()
      throw asTargetError(error)
    }
  }

  async close(): Promise<void> {
    this.#closed.abort()
    await Promise.all([...this.#agents].map((agent) => agent.destroy()))
  }

  /** Resolves a host, all of whose addresses must be public. @throws TargetError */
  async #addressesOf(url: URL, account: string, signal?: AbortSignal): Promise<Address[]> {
    checkForm(url)
    const port = resolvePort(url.protocol, url.port)
    const host = bareHost(url.hostname)
    const isAllowed = [url.hostname, host].some((name) => this.#allowTargets.includes(`${name}:${port}`))
    const ended = AbortSignal.any([this.#closed.signal, ...(signal === undefined ? [] : [signal])])
    try {
      const addresses = await this.#resolved(host, isAllowed, account, ended)
      const areAllowed =
        addresses.length > 0 && (isAllowed || addresses.every(({ address }) => isPublicAddress(address)))
      if (!areAllowed) throw new TargetError('refused', 'The address must be public.')
      return addresses
    } catch (error) {
      throw asTargetError(error)
    }
  }

  /** Names allowed by the operator may be in the hosts file only; customers' names are resolved by DNS. */
  async #resolved(host: string, isAllowed: boolean, account: string, signal: AbortSignal): Promise<Address[]> {
    const family = isIP(host)
    if (family !== 0) return [{ address: host, family }]
    const resolve = this.#resolve ?? (isAllowed ? resolveBySystem : resolveByDns())
    return this.#lookups.run(account, signal, () => resolve(host, signal))
  }
}

/**
 * A guard that connects to public addresses only.
 * @param allowTargets exact `host:port` that may be reached though not public
 * @param resolve given in tests; otherwise DNS, and the system for allowed targets
 */
export function openGuard(allowTargets: readonly string[], resolve?: Resolve): Guard {
  return new AddressGuard(allowTargets, resolve)
}
