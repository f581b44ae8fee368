import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { isPublicAddress } from './public-address.ts'

it.each(['8.8.8.8', '1.1.1.1', '93.184.216.34', '172.15.255.255', '172.32.0.0', '100.63.255.255', '100.128.0.0'])(
  '%s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
)

it.each(['2606:4700::1111', '2a00:1450:4001:80b::200e', '::ffff:8.8.8.8', '64:ff9b::808:808'])(
  '%s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
)

it.each([
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::1.0.0.0',
  '::8.8.8.8',
  '::0.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:169.254.169.254',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::808:808',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  '2606:4700::1111%lo',
  'fec0::1',
  'ff02::1',
])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false))

it.each(['', 'localhost', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '8.8.8', '8.8.8.8:80', '[::1]', '08.8.8.8 '])(
  '%j is not an address that a resolver returns',
  (text) => expect(isPublicAddress(text)).toBe(false),
)

/** An independent reading of the special-purpose registry, in plain arithmetic. */
function isSpecial4([a = 0, b = 0, c = 0]: number[]): boolean {
  return (
    a === 0 ||
    a === 10 ||
    a === 127 ||
    a >= 224 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168) ||
    (a === 192 && b === 0 && (c === 0 || c === 2)) ||
    (a === 192 && b === 88 && c === 99) ||
    (a === 198 && (b === 18 || b === 19)) ||
    (a === 198 && b === 51 && c === 100) ||
    (a === 203 && b === 0 && c === 113) ||
    (a === 192 && b === 31 && c === 196) ||
    (a === 192 && b === 52 && c === 193) ||
    (a === 192 && b === 175 && c === 48)
  )
}

const byte = fc.oneof(fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 255), fc.nat(255))

it('agrees with the registry on every IPv4 address, bare, mapped and embedded', async () => {
  await fc.assert(
    fc.property(fc.tuple(byte, byte, byte, byte), (bytes) => {
      const dotted = bytes.join('.')
      for (const address of [dotted, `::ffff:${dotted}`, `64:ff9b::${dotted}`]) {
        expect(isPublicAddress(address)).toBe(!isSpecial4(bytes))
      }
    }),
    { numRuns: 3_000 },
  )
})

it('never considers an IPv6 address outside 2000::/3 public, except embedded IPv4', async () => {
  await fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const first = Number.parseInt(address.split(':')[0] || '0', 16)
      fc.pre(first < 0x2000 || first > 0x3fff)
      fc.pre(!/^(0*:)*(0*)?:?ffff:/i.test(address) && !/^0*64:0*ff9b:/i.test(address))
      expect(isPublicAddress(address)).toBe(false)
    }),
    { numRuns: 5_000 },
  )
})

it('accepts any text', async () => {
  await fc.assert(fc.property(fc.string(), (text) => typeof isPublicAddress(text) === 'boolean'))
})
