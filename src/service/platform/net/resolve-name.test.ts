import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openGuard } from './outbound-guard.ts'
import { resolveByDns } from './resolve-name.ts'
import { NameServer } from './testing/name-server.ts'

const never = new AbortController().signal
const closers: (() => unknown)[] = []
let names: NameServer
let server: string
beforeEach(async () => {
  names = new NameServer()
  server = await names.listen()
  closers.push(() => names.close())
})
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

describe('names that no server answers', () => {
  it('delay no other account and no file, with four concurrent lookups per account', async () => {
    const receiver = createServer((_request, response) => response.end('here'))
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const target = `alive.test:${(receiver.address() as AddressInfo).port}`
    const guard = openGuard([target], resolveByDns([server]))
    closers.push(
      () => new Promise((resolve) => receiver.close(resolve)),
      () => guard.close(),
    )
    names.names.set('alive.test', '127.0.0.1')
    let ended = 0
    for (const account of ['a', 'b', 'c', 'd', 'e']) {
      for (let count = 0; count < 20; count += 1) {
        const url = new URL(`http://dead-${account}-${count}.test/`)
        const request = guard.request(url, { account, method: 'GET' })
        void request.catch(() => (ended += 1))
      }
    }
    await expect.poll(() => names.unanswered.size).toBe(20)
    const answer = await guard.request(new URL(`http://${target}/`), { account: 'f', method: 'GET' })
    expect(await answer.body.text()).toBe('here')
    await readFile(import.meta.filename)
    expect([names.unanswered.size, ended]).toEqual([20, 0])
    await guard.close()
    await expect.poll(() => ended).toBe(100)
  })

  it('time out after seconds, with a readable reason', async () => {
    const guard = openGuard([], resolveByDns([server]))
    closers.push(() => guard.close())
    const check = guard.check(new URL('https://dead.test/'), 'a')
    await expect(check).rejects.toMatchObject({ kind: 'unreachable', cause: { code: 'EAI_AGAIN' } })
  })

  it('are aborted immediately if nothing waits for them any more', async () => {
    const stop = new AbortController()
    const found = resolveByDns([server])('dead.test', stop.signal)
    await expect.poll(() => names.unanswered.size).toBe(1)
    stop.abort(new Error('enough'))
    await expect(found).rejects.toThrow('enough')
  })
})

describe('by DNS', () => {
  it('a name has its addresses, even if it has only one kind', async () => {
    names.names.set('one.test', '93.184.216.34')
    expect(await resolveByDns([server])('one.test', never)).toEqual([{ address: '93.184.216.34', family: 4 }])
  })

  it('a nonexistent name is reported as such', async () => {
    names.names.set('none.test', null)
    await expect(resolveByDns([server])('none.test', never)).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })

  it('localhost is this machine, without a query', async () => {
    for (const name of ['localhost', 'a.localhost.']) {
      expect(await resolveByDns([server])(name, never)).toEqual([{ address: '127.0.0.1', family: 4 }])
    }
    expect(names.unanswered.size).toBe(0)
  })
})

it('a name allowed by the operator may be in the hosts file only', async () => {
  const receiver = createServer((_request, response) => response.end('here'))
  await new Promise<void>((resolve) => receiver.listen(0, 'localhost', resolve))
  const target = `localhost:${(receiver.address() as AddressInfo).port}`
  const guard = openGuard([target])
  closers.push(
    () => new Promise((resolve) => receiver.close(resolve)),
    () => guard.close(),
  )
  const answer = await guard.request(new URL(`http://${target}/`), { account: 'a', method: 'GET' })
  expect(await answer.body.text()).toBe('here')
})
