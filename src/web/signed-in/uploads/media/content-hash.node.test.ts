import { expect, it } from 'vitest'
import { contentHash as serviceHash } from '../../../../service/platform/media/staged-file.ts'
import { contentHash } from './content-hash.ts'

const mebibyte = 1_048_576

it('is the service’s own hash for every size, and differs for other content', async () => {
  const whole = Buffer.alloc(66 * mebibyte, 'Parley hears what was said. ')
  for (const bytes of [0, 1, mebibyte, mebibyte + 1, 64 * mebibyte, 64 * mebibyte + 1, whole.byteLength]) {
    const content = whole.subarray(0, bytes)
    const readAt = async (offset: number, length: number) => content.subarray(offset, offset + length)
    expect(await contentHash(new Blob([content])), `${bytes} bytes`).toBe(await serviceHash(readAt, bytes))
  }
  const changed = Buffer.from(whole.subarray(0, 2 * mebibyte)).fill(0, mebibyte, mebibyte + 1)
  expect(await contentHash(new Blob([changed]))).not.toBe(
    await contentHash(new Blob([whole.subarray(0, 2 * mebibyte)])),
  )
})
