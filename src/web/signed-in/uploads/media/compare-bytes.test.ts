import { expect, it } from 'vitest'
import { haveSameBytes } from './compare-bytes.ts'

it('finds a difference anywhere, and none between copies', async () => {
  const shares: number[] = []
  const whole = new Uint8Array(9_000_003).fill(7)
  const compare = (b: Uint8Array<ArrayBuffer>) =>
    haveSameBytes(new Blob([whole]), new Blob([b]), (share) => shares.push(share))
  expect(await compare(whole.slice())).toBe(true)
  expect(shares.at(-1)).toBe(1)
  for (const at of [0, 4_194_304, 8_999_999, 9_000_002]) {
    expect(await compare(whole.with(at, 8) as Uint8Array<ArrayBuffer>), `${at}`).toBe(false)
  }
  expect(await compare(whole.slice(1))).toBe(false)
})
