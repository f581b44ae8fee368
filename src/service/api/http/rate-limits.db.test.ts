import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeKey } from '../../accounts/auth/keys.ts'
import { startService } from '../../start/service.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'

/* Limits that an account could multiply by its keys, or that a proxy's address would share among all. */

let service: TestService
beforeAll(async () => {
  // A frozen clock: however slow the machine, no bucket refills.
  service = await startTestService({ publicUrl: new URL('http://parley.example/') }, startService, () => 0)
})
afterAll(() => service.close())

test('requests of all keys of an account are limited together, and other accounts are not slowed', async () => {
  const account = await service.account()
  const wanted = { name: 'More', expiresAt: null }
  const more = await Promise.all(
    Array.from({ length: 5 }, () => makeKey(service.platform, { account, limits: null }, wanted)),
  )
  const write = async (key: string) => (await service.fetch(key, 'file/none', { method: 'DELETE' })).status
  const statuses = await Promise.all(more.flatMap(({ key }) => Array.from({ length: 40 }, () => write(key))))
  expect(statuses.filter((status) => status === 404)).toHaveLength(160)
  expect(statuses.filter((status) => status === 429)).toHaveLength(40)
  expect(await write((await service.account()).key)).toBe(404)
})

test('of 130 keys that are made at once, an account gets as many as it may have', async () => {
  const account = await service.account()
  const make = () => makeKey(service.platform, { account, limits: null }, { name: 'One', expiresAt: null })
  const made = await Promise.allSettled(Array.from({ length: 130 }, make))
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(99)
})

test('demo accounts are counted by the address of the visitor, not by that of the proxy', async () => {
  const open = async (address: string) => {
    const headers = { 'x-forwarded-for': `10.1.1.1, ${address}` }
    return (await fetch(`${service.address}/sandbox/account/demo`, { method: 'POST', headers })).status
  }
  const same = await Promise.all(Array.from({ length: 31 }, () => open('203.0.113.7')))
  expect(same.filter((status) => status === 429)).toHaveLength(1)
  expect(await open('203.0.113.8')).toBe(201)
})
