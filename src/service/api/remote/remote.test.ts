import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request as nodeRequest, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { request } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { defaultConfig } from '../../platform/config.ts'
import { readConfig } from '../../start/cli/read-config.ts'
import { authorization } from '../../testing/ask-api.ts'
import { fileForm, makeCertificate, makeTone, startTestService, type TestService } from '../../testing/test-service.ts'
import { type RemoteDashboard, startRemoteDashboard } from './remote-app.ts'

const log = pino({ level: 'silent' })

function startInFrontOf(live: string, sandbox: string | null = null): Promise<RemoteDashboard> {
  const remote = { live: new URL(live), sandbox: sandbox === null ? null : new URL(sandbox) }
  return startRemoteDashboard({ ...defaultConfig, port: 0 }, remote, log)
}

describe('in front of a real service', () => {
  let kit: TestService
  let front: RemoteDashboard
  let key: string
  let id: string
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${front.address}/v1/${path}`, { ...init, headers: { authorization: authorization(key), ...init.headers } })

  beforeAll(async () => {
    kit = await startTestService({ recognizer: 'pocketsphinx' })
    front = await startInFrontOf(`${kit.address}/v1/`)
    key = (await kit.account({ environment: 'live' })).key
    const body = fileForm(await makeTone(2))
    const answer = await ask('files?transcript_type=automated&speaker_names=Ann,%20Bob', { method: 'POST', body })
    expect(answer.status).toBe(201)
    id = ((await answer.json()) as { id: string }).id
    await kit.until(async () => (await kit.metadata(key, id)).progress_percent === 100)
  })
  afterAll(async () => {
    await front.close()
    await kit.close()
  })

  it('passes on compressed and not-modified responses unchanged', async () => {
    const asked = { authorization: authorization(key), 'accept-encoding': 'zstd' }
    const [direct, through] = await Promise.all(
      [kit.address, front.address].map(async (base) => {
        const answer = await request(`${base}/v1/file/${id}.json`, { headers: asked })
        return { headers: answer.headers, bytes: Buffer.from(await answer.body.arrayBuffer()) }
      }),
    )
    expect(through?.headers['content-encoding']).toBe('zstd')
    expect(through?.headers.vary).toBe('Origin, Accept-Encoding')
    expect(through?.headers.etag).toBe(direct?.headers.etag)
    expect(through?.bytes.equals(direct?.bytes ?? Buffer.alloc(0))).toBe(true)
    const etag = String(direct?.headers.etag)
    const known = await request(`${front.address}/v1/file/${id}.json`, { headers: { ...asked, 'if-none-match': etag } })
    expect([known.statusCode, known.headers.etag, await known.body.text()]).toEqual([304, etag, ''])
  })

  it('orders, lists, reads and deletes like the service itself', async () => {
    expect(await (await ask('files')).json()).toEqual([{ id }])
    const [direct, through] = await Promise.all([
      kit.fetch(key, `file/${id}`, { method: 'HEAD' }),
      ask(`file/${id}`, { method: 'HEAD' }),
    ])
    for (const name of ['x-service-metadata', 'content-type', 'content-disposition', 'strict-transport-security']) {
      expect(through.headers.get(name), name).toBe(direct.headers.get(name))
      expect(through.headers.get(name), name).not.toBeNull()
    }
    expect(await (await ask(`file/${id}.srt`)).text()).toBe(await (await kit.fetch(key, `file/${id}.srt`)).text())
    expect((await ask(`file/${id}.xlsx`)).status).toBe(415)
    const refused = await ask('files', { method: 'PUT' })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
    expect((await ask('file/..%2f..%2fhealthz')).status).toBe(404)
    const deleted = await ask(`file/${id}`, { method: 'DELETE' })
    expect([deleted.status, await deleted.text()]).toEqual([200, ''])
  })

  /** Sends a raw head and what follows it. @returns the response, including interim ones: `100`, then a status */
  async function raw(method: string, target: string, lines: readonly string[] = [], as = key) {
    const socket = connect(Number(new URL(front.address).port), '127.0.0.1')
    const fixed = [`${method} ${target} HTTP/1.1`, 'Host: x', `Authorization: ${authorization(as)}`]
    socket.on('error', () => undefined).write([...fixed, ...lines, '', ''].join('\r\n'))
    try {
      for await (const chunk of socket) return String(chunk)
      return 'closed'
    } finally {
      socket.destroy()
    }
  }

  it('answers uncommon methods like the service', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'PURGE', 'MKCOL', 'QUERY', 'LINK']) {
      for (const [path, allow] of [
        ['files', 'GET, HEAD, POST'],
        [`file/${id}`, 'GET, HEAD, DELETE'],
      ]) {
        expect(await raw(method, `/v1/${path}`), method).toMatch(
          new RegExp(`^HTTP/1.1 405 [^]*allow: ${allow}\r\n[^]*${method} is not allowed here`, 'i'),
        )
      }
    }
    expect(await raw('PURGE', '/v1/files', [], 'parley_live_no')).toMatch(/^HTTP\/1.1 401 /)
    for (const path of ['/v1/../healthz', '/v1/%2e%2e/healthz', '/v1/file/..%2f..%2fhealthz', '/v1/file/..%5Cx']) {
      expect(await raw('GET', path), path).toMatch(/^HTTP\/1.1 404 /)
    }
    expect(await raw('GET', '/v1/files?x=/../..')).toMatch(/^HTTP\/1.1 400 /)
  })

  it('rejects an upload before any of its body arrives', async () => {
    const form = 'Content-Type: multipart/form-data; boundary=x'
    const long = (bytes: number) => [form, `Content-Length: ${bytes}`]
    const waits = 'Expect: 100-continue'
    expect(await raw('POST', '/v1/files', long(1_000_000), 'parley_live_no')).toMatch(/^HTTP\/1.1 401 /)
    expect(await raw('POST', '/v1/files', [form, 'Transfer-Encoding: chunked'], 'parley_live_no')).toMatch(/ 401 /)
    expect(await raw('POST', '/v1/files?colour=red', long(1_000_000))).toMatch(/^HTTP\/1.1 400 /)
    expect(await raw('POST', '/v1/files', long(20_000_000_000))).toMatch(/^HTTP\/1.1 413 /)
    expect(await raw('POST', '/v1/files', [...long(20_000_000_000), waits])).toMatch(/^HTTP\/1.1 413 /)
    expect(await raw('POST', '/v1/files', [...long(1_000_000), waits])).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\n$/)
  })

  it('sends bodies chunked, whatever the method, to prevent request smuggling', async () => {
    const inner = `GET /v1/files HTTP/1.1\r\nHost: x\r\n\r\n`
    const answers = await raw('DELETE', '/v1/file/none', [
      'Transfer-Encoding: chunked',
      'Connection: close',
      '',
      `${inner.length.toString(16)}\r\n${inner}\r\n0`,
    ])
    expect(answers.match(/HTTP\/1.1 /g)).toHaveLength(1)
    expect(answers).toMatch(/^HTTP\/1.1 404 /)
    expect((await ask('files')).status).toBe(200)
  })

  it('triggers no browser log-in dialog, and has neither sandbox nor account interface', async () => {
    const unknown = { authorization: authorization('parley_live_no'), 'sec-fetch-mode': 'cors' }
    const answer = await fetch(`${front.address}/v1/files`, { headers: unknown })
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'ApiKey realm="Parley"'])
    for (const path of ['/sandbox/v1/files', '/account/', '/sandbox/account/demo']) {
      const absent = await fetch(front.address + path, { headers: { authorization: authorization(key) } })
      expect([absent.status, await absent.json()], path).toEqual([404, { error: expect.any(String) }])
    }
    expect((await fetch(`${front.address}/healthz`)).status).toBe(200)
    expect((await ask('files', { method: 'POST', headers: { origin: 'https://evil.example' } })).status).toBe(403)
  })
})

describe('in front of a misbehaving service', () => {
  let server: Server
  let front: RemoteDashboard
  let handle: (request: IncomingMessage, response: ServerResponse) => void
  beforeAll(async () => {
    server = createServer((asked, response) => handle(asked, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    front = await startInFrontOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/`)
  })
  afterAll(async () => {
    await front.close()
    server.close()
  })
  afterEach(() => server.closeAllConnections())

  /** Starts a POST whose body the test writes in pieces. */
  function beginPost() {
    const post = nodeRequest(`${front.address}/v1/files`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data' },
    })
    const answered = new Promise<IncomingMessage>((resolve, reject) => post.on('response', resolve).on('error', reject))
    // The test awaits it later, or never.
    answered.catch(() => {})
    return { post, answered }
  }

  it('streams a body as it arrives, and aborts it with the client', async () => {
    const seen = Promise.withResolvers<string>()
    const gone = Promise.withResolvers<boolean>()
    handle = (asked) => {
      asked.once('data', (piece: Buffer) => seen.resolve(String(piece)))
      asked.once('close', () => gone.resolve(asked.complete))
    }
    const { post } = beginPost()
    post.write('first piece')
    expect(await seen.promise).toBe('first piece')
    post.destroy()
    expect(await gone.promise).toBe(false)
  })

  it('passes on an early refusal, before the body has arrived', async () => {
    handle = (_asked, response) => {
      response.writeHead(413, { 'content-type': 'application/json', connection: 'close' })
      response.end('{"error":"too large"}')
    }
    const { post, answered } = beginPost()
    post.write('a beginning')
    const answer = await answered
    expect(answer.statusCode).toBe(413)
    expect(Buffer.concat(await answer.toArray()).toString()).toBe('{"error":"too large"}')
    post.destroy()
  })

  it('closes the connection if the upstream’s broke mid-body: the order may exist', async () => {
    handle = (asked) => asked.once('data', () => asked.socket.destroy())
    const { post, answered } = beginPost()
    post.end('all of it')
    await expect(answered).rejects.toThrow(/socket hang up|ECONNRESET/)
  })

  it('answers a read with 502 if no response came, without retrying', async () => {
    let tries = 0
    handle = (asked) => {
      tries += 1
      asked.socket.destroy()
    }
    const answer = await fetch(`${front.address}/v1/files`)
    expect([answer.status, await answer.json()]).toEqual([502, { error: expect.stringContaining('cannot be reached') }])
    handle = (_asked, response) => {
      tries += 1
      response.writeHead(503, { 'retry-after': '1' }).end()
    }
    expect((await fetch(`${front.address}/v1/files`)).status).toBe(503)
    expect(tries).toBe(2)
  })

  it('does not compress texts that the service sends uncompressed', async () => {
    const text = 'said '.repeat(1_000)
    handle = (asked, response) => {
      expect(asked.headers['accept-encoding']).toBe('br')
      response.writeHead(200, { 'content-type': 'text/plain', etag: '"plain"' }).end(text)
    }
    const { headers, body } = await request(`${front.address}/v1/file/a.txt`, { headers: { 'accept-encoding': 'br' } })
    expect([headers['content-encoding'], headers.etag, await body.text()]).toEqual([undefined, '"plain"', text])
  })

  it('passes on only headers that the interface needs', async () => {
    let headers: IncomingMessage['headers'] = {}
    let url: string | undefined
    handle = (asked, response) => {
      ;({ headers, url } = asked)
      response.setHeader('set-cookie', 'a=b').setHeader('content-security-policy', 'none').setHeader('retry-after', '7')
      response.end()
    }
    const answer = await fetch(`${front.address}/v1/file/a%20b?x=%2B`, {
      headers: {
        ...{ authorization: 'Basic x', cookie: 'secret=1', referer: 'https://here.example/', range: 'bytes=0-9' },
        ...{ 'content-encoding': 'gzip' },
      },
    })
    expect(url).toBe('/api/v1/file/a%20b?x=%2B')
    expect(headers).toMatchObject({ authorization: 'Basic x', range: 'bytes=0-9', 'content-encoding': 'gzip' })
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['cookie']))
    expect(headers.referer).toBeUndefined()
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(answer.headers.get('retry-after')).toBe('7')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  it.each([101, 199, 600, 999])('answers 502 instead of the status %i, and lives', async (status) => {
    const upgrade = status === 101 ? 'connection: upgrade\r\nupgrade: websocket\r\n' : ''
    handle = (asked) => asked.socket.end(`HTTP/1.1 ${status} Odd\r\n${upgrade}content-length: 2\r\n\r\nok`)
    const answer = await fetch(`${front.address}/v1/files`)
    expect([answer.status, await answer.json()]).toEqual([502, { error: expect.any(String) }])
    handle = (_asked, response) => response.end('[]')
    expect(await (await fetch(`${front.address}/v1/files`)).json()).toEqual([])
  })

  it('follows no redirect', async () => {
    handle = (_asked, response) => response.writeHead(302, { location: 'https://elsewhere.example/' }).end('moved')
    const answer = await fetch(`${front.address}/v1/files`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([502, null])
    expect(await answer.json()).toEqual({ error: expect.stringContaining('redirect') })
  })
})

it('answers 502 to a POST that was never sent', async () => {
  const nobody = createServer()
  await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve))
  const { port } = nobody.address() as AddressInfo
  await new Promise((resolve) => nobody.close(resolve))
  const front = await startInFrontOf(`http://127.0.0.1:${port}/v1/`)
  const answer = await fetch(`${front.address}/v1/files`, { method: 'POST', body: 'x' })
  expect([answer.status, await answer.json()]).toEqual([502, { error: expect.stringContaining('cannot be reached') }])
  await front.close()
})

it('sends no key to a service with an untrusted certificate', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'parley-tls-'))
  const kit = await startTestService({ tls: await makeCertificate(directory) })
  const front = await startInFrontOf(`${kit.address}/v1/`)
  try {
    expect((await fetch(`${front.address}/v1/files`, { headers: { authorization: 'Basic x' } })).status).toBe(502)
  } finally {
    await front.close()
    await kit.close()
    await rm(directory, { recursive: true })
  }
})

it('requires https for the service’s URL, except on loopback', () => {
  const read = (remote: string) => readConfig({ remote }, {}).remote?.live.href
  expect(read('https://api.example/v1')).toBe('https://api.example/v1/')
  expect(read('http://127.0.0.1:4600/v1/')).toBe('http://127.0.0.1:4600/v1/')
  for (const wrong of [
    'http://api.example/v1/',
    'https://api.example/',
    'https://a:b@api.example/v1/',
    'api.example',
  ]) {
    expect(() => read(wrong), wrong).toThrow(/^REMOTE \(--remote\) must be/)
  }
  expect(() => readConfig({ 'remote-sandbox': 'https://api.example/v1/' }, {})).toThrow('requires --remote')
})
