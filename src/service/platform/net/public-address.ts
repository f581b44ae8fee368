import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/**
 * within it, ranges that ipaddr.js calls unicast although IANA's special-purpose registry lists them (RFC 6890, 9637,
 * 3056)
 */
const reserved6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) => ipaddr.IPv6.parseCIDR(range))
const reserved4 = ['0.0.0.0/8', '192.0.0.0/24', '198.18.0.0/15', '192.88.99.0/24', '240.0.0.0/4'].map((range) =>
  ipaddr.IPv4.parseCIDR(range),
)
/** The last 32 bits are an IPv4 address that a translator forwards to (RFC 4291, 6052). */
const carriers = ['::ffff:0:0/96', '64:ff9b::/96'].map((range) => ipaddr.IPv6.parseCIDR(range))

function isPublic4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !reserved4.some((range) => address.match(range))
}

function isPublic6(address: ipaddr.IPv6): boolean {
  if (carriers.some((range) => address.match(range))) {
    return isPublic4(new ipaddr.IPv4(address.toByteArray().slice(12)))
  }
  return (
    address.match(globalUnicast) && address.range() === 'unicast' && !reserved6.some((range) => address.match(range))
  )
}

/**
 * True for an address reachable from the public Internet: no loopback, private, link-local (cloud metadata),
 * carrier-grade NAT, multicast, documentation or reserved one, bare or embedded in IPv6.
 * @param address as a resolver returns it: dotted IPv4 or IPv6, with or without a zone; anything else is not public
 */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return isPublic4(ipaddr.IPv4.parse(address))
  // A zone names an interface of this machine: such an address is never public.
  if (!isIPv6(address) || address.includes('%')) return false
  // Normalized first: ipaddr.js reads `::1.2.3.4` as `::ffff:1.2.3.4`, which is another address.
  const groups = URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1)
  return groups !== undefined && isPublic6(ipaddr.IPv6.parse(groups))
}
