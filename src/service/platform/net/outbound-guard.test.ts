import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { type Guard, openGuard } from './outbound-guard.ts'
import type { Resolve } from './resolve-name.ts'

const get = { account: 'a', method: 'GET' } as const
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function serve(listener: RequestListener): Promise<{ server: Server; port: number; connections: () => number }> {
  const server = createServer(listener)
  let connections = 0
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { server, port: (server.address() as AddressInfo).port, connections: () => connections }
}

function guardFor(allowTargets: string[], resolve?: Resolve): Guard {
  const guard = openGuard(allowTargets, resolve)
  closers.push(() => guard.close())
  return guard
}

const refused = { name: 'TargetError', kind: 'refused' }

describe('a reachable target', () => {
  it.each([
    'http://127.0.0.1',
    'http://127.1',
    'http://2130706433',
    'http://0x7f000001',
    'http://0177.0.0.1',
    'http://0',
    'http://localhost',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:7f00:1]',
    'http://[64:ff9b::7f00:1]',
    'http://127.0.0.1.',
    'http://①②⑦.⓪.⓪.①',
  ])('is never this machine: %s', async (origin) => {
    const { port, connections } = await serve((_request, response) => response.end('secret'))
    const guard = guardFor([])
    const url = new URL(`${origin}:${port}/`)
    await expect(guard.check(url, 'a')).rejects.toMatchObject(refused)
    await expect(guard.request(url, get)).rejects.toMatchObject(refused)
    expect(connections()).toBe(0)
  })

  it.each(['http://169.254.169.254/latest/meta-data/', 'http://10.0.0.1/', 'http://100.64.1.1/', 'http://[fd00::1]/'])(
    'is no private address: %s',
    async (address) => {
      await expect(guardFor([]).request(new URL(address), get)).rejects.toMatchObject(refused)
    },
  )

  it.each(['ftp://example.com/a', 'file:///etc/passwd', 'gopher://example.com/', 'data:text/plain,x', 'javascript:1'])(
    'is only http and https: %s',
    async (address) => {
      await expect(guardFor([]).request(new URL(address), get)).rejects.toMatchObject(refused)
    },
  )

  it('has no credentials in the URL', async () => {
    const { port } = await serve((_request, response) => response.end())
    const guard = guardFor([`127.0.0.1:${port}`])
    const url = new URL(`http://user:pass@127.0.0.1:${port}/`)
    await expect(guard.request(url, get)).rejects.toMatchObject(refused)
  })

  it('is refused if one of several addresses is not public', async () => {
    const guard = guardFor([], async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.7', family: 4 },
    ])
    await expect(guard.check(new URL('https://mixed.test/'), 'a')).rejects.toMatchObject(refused)
  })

  it('is refused if a name has no address, and unreachable if it cannot be resolved', async () => {
    const nowhere = guardFor([], async () => [])
    await expect(nowhere.check(new URL('https://nowhere.test/'), 'a')).rejects.toMatchObject(refused)
    const failing = guardFor([], () => Promise.reject(new Error('ENOTFOUND')))
    await expect(failing.check(new URL('https://failing.test/'), 'a')).rejects.toMatchObject({ kind: 'unreachable' })
  })

  it('is allowed by exact host and port only', async () => {
    const { port } = await serve((_request, response) => response.end('here'))
    const guard = guardFor([`127.0.0.1:${port}`])
    const answer = await guard.request(new URL(`http://127.0.0.1:${port}/`), get)
    expect(await text(answer.body)).toBe('here')
    await expect(guard.check(new URL(`http://localhost:${port}/`), 'a')).rejects.toMatchObject(refused)
    await expect(guard.check(new URL(`http://127.0.0.1:${port + 1}/`), 'a')).rejects.toMatchObject(refused)
  })

  it('passes the check if every address is public', async () => {
    const guard = guardFor([], async () => [{ address: '93.184.216.34', family: 4 }])
    await expect(guard.check(new URL('https://public.test/'), 'a')).resolves.toBeUndefined()
  })
})

describe('the connection', () => {
  it('goes to the checked addresses, without resolving again', async () => {
    const { port } = await serve((request, response) => response.end(request.headers.host))
    let asked = 0
    const guard = guardFor([`pinned.test:${port}`], async () => {
      asked += 1
      return [{ address: '127.0.0.1', family: 4 }]
    })
    const answer = await guard.request(new URL(`http://pinned.test:${port}/`), get)
    expect([answer.statusCode, await text(answer.body)]).toEqual([200, `pinned.test:${port}`])
    expect(asked).toBe(1)
  })

  it('is checked again each time a name is resolved', async () => {
    const { port, connections } = await serve((_request, response) =>
      response.writeHead(200, { connection: 'close' }).end(),
    )
    let asked = 0
    const guard = guardFor([], async () => {
      asked += 1
      return [{ address: asked === 1 ? '93.184.216.34' : '127.0.0.1', family: 4 }]
    })
    const url = new URL(`http://rebinding.test:${port}/`)
    await guard.check(url, 'a')
    await expect(guard.request(url, get)).rejects.toMatchObject(refused)
    expect(connections()).toBe(0)
  })

  it('follows no redirect', async () => {
    const { port } = await serve((_request, response) => response.writeHead(302, { location: '/there' }).end())
    const guard = guardFor([`127.0.0.1:${port}`])
    const answer = await guard.request(new URL(`http://127.0.0.1:${port}/`), get)
    expect(answer.statusCode).toBe(302)
    expect(answer.headers.location).toBe('/there')
  })

  it('reports a closed port and an invalid response alike', async () => {
    const broken = createTcpServer((socket) => socket.resume().end('SSH-2.0-OpenSSH_9\r\n'))
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
    closers.push(() => new Promise((resolve) => broken.close(resolve)))
    const { port: brokenPort } = broken.address() as AddressInfo
    const { server, port: closedPort } = await serve(() => undefined)
    await new Promise((resolve) => server.close(resolve))
    const guard = guardFor([`127.0.0.1:${brokenPort}`, `127.0.0.1:${closedPort}`])
    for (const port of [brokenPort, closedPort]) {
      await expect(guard.request(new URL(`http://127.0.0.1:${port}/`), get)).rejects.toMatchObject({
        kind: 'unreachable',
        message: 'The address could not be reached.',
      })
    }
  })
})
