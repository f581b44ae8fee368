import { lookup, Resolver } from 'node:dns/promises'

export type Address = { address: string; family: number }
/** All addresses of a host name. @throws Error with code `ENOTFOUND` or `EAI_AGAIN` */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<Address[]>

/** Per name server, in milliseconds; its second attempt waits as long again as its first. */
const patience = { timeout: 1_500, tries: 2, maxTimeout: 3_000 }
const patienceMs = 6_000

/** By the system: its hosts file, its search domains. Each lookup takes one of Node's four threads until it ends. */
export function resolveBySystem(hostname: string): Promise<Address[]> {
  return lookup(hostname, { all: true, verbatim: true })
}

/**
 * By DNS only (c-ares), which takes no thread: names that nobody answers delay no others.
 * @param servers instead of the system's, for tests
 */
export function resolveByDns(servers?: readonly string[]): Resolve {
  return async (hostname, signal) => {
    // No name server is asked for these (RFC 6761, 6.3).
    if (/(^|\.)localhost\.?$/.test(hostname)) return [{ address: '127.0.0.1', family: 4 }]
    const resolver = new Resolver(patience)
    if (servers !== undefined) resolver.setServers(servers)
    const ended = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
    const cancel = () => resolver.cancel()
    ended.addEventListener('abort', cancel)
    try {
      const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
      signal.throwIfAborted()
      // IPv4 first: many machines have no IPv6 route, though names have such addresses.
      const addresses = found.flatMap((each, index) =>
        each.status === 'fulfilled' ? each.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
      )
      if (addresses.length > 0) return addresses
      const codes = found.map((each) => (each.status === 'rejected' ? String(each.reason.code) : ''))
      const isUnknown = codes.every((code) => code === 'ENOTFOUND' || code === 'ENODATA')
      const code = isUnknown ? 'ENOTFOUND' : 'EAI_AGAIN'
      throw Object.assign(new Error(`${hostname} has no address: ${codes.join(', ')}`), { code })
    } finally {
      ended.removeEventListener('abort', cancel)
    }
  }
}
