import { expect, it } from 'vitest'
import { UploadLocks } from './upload-locks.ts'

it('gives an upload to one request at a time, and asks the holder to let go', async () => {
  const locks = new UploadLocks()
  let holders = 0
  let wanted = 0
  const held = Array.from({ length: 20 }, (_, index) => {
    const { promise: asked, resolve: letGo } = Promise.withResolvers<void>()
    const work = async () => {
      holders += 1
      expect(holders).toBe(1)
      if (index < 19) await asked // nobody waits for the last one
      holders -= 1
      return index
    }
    return locks.hold('a', work, () => {
      wanted += 1
      letGo()
    })
  })
  expect(new Set(await Promise.all(held))).toEqual(new Set(Array.from({ length: 20 }, (_, index) => index)))
  expect(wanted).toBeGreaterThanOrEqual(19)
})

it('lets others hold other uploads, and is free again after a failure', async () => {
  const locks = new UploadLocks()
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const first = locks.hold('a', () => end)
  expect(await locks.hold('b', async () => 'b')).toBe('b')
  resolve()
  await first
  await expect(locks.hold('a', () => Promise.reject(new Error('provoked')))).rejects.toThrow('provoked')
  expect(await locks.hold('a', async () => 'again')).toBe('again')
})

it('is 503 with Retry-After if the holder does not let go in time', async () => {
  const locks = new UploadLocks(null, 10)
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const first = locks.hold('a', () => end)
  await expect(locks.hold('a', async () => undefined)).rejects.toMatchObject({
    status: 503,
    headers: { 'retry-after': '5' },
  })
  resolve()
  await first
})
