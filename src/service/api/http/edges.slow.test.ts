import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { get as getTls } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorization } from '../../testing/ask-api.ts'
import { makeCertificate, startTestService, type TestService } from '../../testing/test-service.ts'
import { RateLimits } from './rate-limits.ts'

describe('a standalone service', () => {
  let kit: TestService
  let key: string
  beforeAll(async () => {
    kit = await startTestService({ allowOrigins: ['https://partner.example'], supportEmail: 'help@parley.example' })
    key = (await kit.account()).key
  })
  afterAll(() => kit.close())

  type Method = 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE' | 'OPTIONS' | 'HEAD'
  const ask = (method: Method, headers: Record<string, string>, url = '/sandbox/v1/files') =>
    kit.app.inject({ method, url, headers: { authorization: authorization(key), host: 'parley.example', ...headers } })

  it('names each request in its answer', async () => {
    const urls = ['/healthz', '/sandbox/v1/files', '/sandbox/v1/nothing', '/v1/file/%zz', '/nothing.js', '/docs']
    const ids = await Promise.all(urls.map(async (url) => (await ask('GET', {}, url)).headers['request-id']))
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{14}$/)
    expect(new Set(ids).size).toBe(urls.length)
  })

  it('sends its security headers with every response', async () => {
    for (const [url, method] of [
      ['/healthz', 'GET'],
      ['/sandbox/v1/files', 'GET'],
      ['/sandbox/v1/nothing', 'GET'],
      ['/v1/files', 'GET'],
      ['/v1/file/%zz', 'GET'],
      ['/nothing.js', 'GET'],
      ['/', 'POST'],
    ] as const) {
      const { headers } = await ask(method, {}, url)
      expect(headers['strict-transport-security'], url).toMatch(/max-age=\d{7,}/)
      expect(headers['content-security-policy'], url).toMatch(/^default-src 'none'; /)
      expect(headers['x-content-type-options'], url).toBe('nosniff')
      expect(headers['referrer-policy'], url).toBe('no-referrer')
      expect(headers['cross-origin-opener-policy'], url).toBe('same-origin')
      expect(headers['cross-origin-resource-policy'], url).toBe('same-origin')
    }
    expect((await ask('GET', {})).headers['cache-control']).toBe('no-store')
  })

  it('lets pages run only their own code, and other responses none (decision 15)', async () => {
    const policyOf = async (url: string) => (await ask('GET', {}, url)).headers['content-security-policy']
    expect(await policyOf('/openapi.json')).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    for (const url of ['/healthz', '/sandbox/v1/files', '/v1/nothing', '/account/']) {
      expect(await policyOf(url), url).toBe("default-src 'none'; frame-ancestors 'none'")
    }
  })

  it('answers with and without a last slash alike', async () => {
    const at = async (url: string) => {
      const answer = await ask('GET', {}, url)
      return [answer.statusCode, answer.body]
    }
    expect(await at('/sandbox/v1/')).toEqual(await at('/sandbox/v1'))
    expect(await at('/sandbox/v1')).toEqual([404, expect.stringContaining('Version 1 has files and file/<id>.')])
    expect(await at('/sandbox/v1/files/')).toEqual([200, '[]'])
    expect((await ask('PUT', {}, '/sandbox/v1/files/')).json().error).toContain('Allowed methods: GET, HEAD, POST.')
  })

  it('refuses parameters that a request does not have, and does nothing then', async () => {
    const refusal = async (url: string) => (await ask('GET', {}, url)).json().error
    expect(await refusal('/sandbox/v1/files?limit=1')).toBe(
      '"limit" is not a parameter here: this GET takes no parameters.',
    )
    expect(await refusal('/sandbox/account/files?q=x')).toMatch(
      /^"q" is not a parameter here: this GET takes only cursor, /,
    )
    const trial = await ask('PUT', {}, '/sandbox/account/settings?dry_run=yes')
    expect([trial.statusCode, trial.json().error]).toEqual([
      400,
      '"dry_run" is not a parameter here: this PUT takes no parameters.',
    ])
  })

  it('names the methods of a resource that has others than the one that was asked for', async () => {
    const allowed = async (method: Method, url: string) => {
      const { statusCode, headers } = await ask(method, {}, url)
      return [statusCode, headers.allow]
    }
    expect(await allowed('PUT', '/sandbox/account/ledger')).toEqual([405, 'GET, HEAD'])
    expect(await allowed('PATCH', '/sandbox/account/files/any/work/')).toEqual([405, 'GET, HEAD'])
    expect(await allowed('PATCH', '/work/api/queue')).toEqual([405, 'GET, HEAD'])
    expect(await allowed('PUT', '/sandbox/account/nothing')).toEqual([404, undefined])
  })

  it('serves no page to API clients with a wrong URL', async () => {
    for (const url of ['/sandbox/v1', '/sandbox/v1/', '/account', '/sandbox/uploads']) {
      const answer = await ask('GET', { accept: 'text/html' }, url)
      expect([401, 404], url).toContain(answer.statusCode)
      expect(answer.json(), url).toEqual({ error: expect.any(String) })
    }
  })

  it('rejects deeply nested JSON with a message, on every route that reads JSON', async () => {
    type Operation = {
      requestBody?: { content: Record<string, { schema: { properties?: Record<string, unknown> } }> }
    }
    const { paths } = (await ask('GET', {}, '/openapi.json')).json() as {
      paths: Record<string, Record<string, Operation>>
    }
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
    const asked: string[] = []
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, { requestBody }] of Object.entries(operations)) {
        const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
        if (type?.includes('json') !== true) continue
        const fields = Object.keys(content?.schema.properties ?? {})
        const inFields = fields.map((field) => `{"${field}":${deep}}`)
        for (const payload of [deep, ...inFields]) {
          const url = `/sandbox${path.replaceAll(/\{\w+\}/g, 'none')}`
          const answer = await kit.app.inject({
            method: method.toUpperCase() as 'POST',
            url,
            headers: { authorization: authorization((await kit.account()).key), 'content-type': type },
            payload,
          })
          expect(answer.statusCode, `${method} ${url} ${answer.body}`).toBe(400)
          expect(answer.json()).toEqual({ error: expect.stringMatching(/20 levels deep/) })
        }
        asked.push(`${method} ${path}`)
      }
    }
    expect(asked.length).toBeGreaterThan(8)
  })

  it('rejects cross-site writes, whatever the key (decision 5)', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://parley.example.evil.example' },
    ]) {
      for (const method of ['POST', 'DELETE'] as const) {
        const answer = await ask(method, headers as Record<string, string>)
        expect(answer.statusCode, JSON.stringify(headers)).toBe(403)
        expect(answer.json()).toEqual({ error: expect.stringMatching(/other sites/) })
      }
      expect((await ask('GET', headers as Record<string, string>)).statusCode).toBe(200)
    }
    for (const headers of [
      {},
      { 'sec-fetch-site': 'same-origin', origin: 'http://parley.example' },
      { 'sec-fetch-site': 'none' },
    ]) {
      expect((await ask('POST', headers as Record<string, string>)).statusCode).toBe(400)
    }
  })

  it('allows pages of allowed origins, and no others', async () => {
    const origin = 'https://partner.example'
    const read = await ask('GET', { origin })
    expect(read.headers['access-control-allow-origin']).toBe(origin)
    expect(read.headers['access-control-expose-headers']).toMatch(/X-Service-Metadata.*Content-Disposition/)
    expect(read.headers.vary).toBe('Origin')
    const refused = await ask('GET', { origin, authorization: '' })
    expect(refused.statusCode).toBe(401)
    expect(refused.headers['access-control-allow-origin'], 'a 401 can be read, too').toBe(origin)
    const preflight = await ask('OPTIONS', { origin, authorization: '', 'access-control-request-method': 'DELETE' })
    expect(preflight.statusCode).toBe(204)
    expect(preflight.headers['access-control-allow-methods']).toContain('DELETE')
    expect(preflight.headers['access-control-allow-headers']).toMatch(/Authorization.*Idempotency-Key/)
    expect((await ask('POST', { origin, 'sec-fetch-site': 'cross-site' })).statusCode).toBe(400)
    const stranger = await ask('GET', { origin: 'https://evil.example' })
    expect(stranger.headers['access-control-allow-origin']).toBeUndefined()
    const strangePreflight = await ask('OPTIONS', {
      origin: 'https://evil.example',
      authorization: '',
      'access-control-request-method': 'GET',
    })
    expect(strangePreflight.statusCode).toBe(401)
  })

  it('answers an unexpected error with the logged ID and the support address, and nothing else', async () => {
    const { hotReads } = kit.platform
    const fileIdsJson = hotReads.fileIdsJson
    hotReads.fileIdsJson = () => {
      throw new Error('SELECT secret FROM /var/lib/parley')
    }
    const answer = await ask('GET', {})
    hotReads.fileIdsJson = fileIdsJson
    expect(answer.statusCode).toBe(500)
    const { error } = answer.json()
    expect(error).not.toMatch(/secret|SELECT|\/var|\.ts/)
    const number = /contact support at help@parley\.example with this request ID: ([0-9a-f]{14})$/.exec(error)?.[1]
    const logged = kit.loggedErrors.splice(0)
    expect(logged, logged.join()).toHaveLength(1)
    expect(JSON.parse(logged[0] ?? '')).toMatchObject({ reqId: number, err: { message: /secret/ } })
  })

  it('includes the support address wherever it says to contact support', async () => {
    const answer = await kit.post(key, await kit.tone(1), '?custom_formatting=yes')
    expect(await answer.json()).toEqual({ error: expect.stringContaining('contact support at help@parley.example') })
  })

  it('is 503 while another program locks the database, keeps reading, and recovers', async () => {
    const { DatabaseSync } = await import('node:sqlite')
    const { id } = await kit.order(key, await kit.tone(1))
    const other = new DatabaseSync(join(kit.dataDir, 'parley.db'))
    other.exec('begin immediate')
    const [deleted, read] = await Promise.all([
      kit.fetch(key, `file/${id}`, { method: 'DELETE' }),
      kit.fetch(key, `file/${id}`, { method: 'HEAD' }),
    ])
    other.exec('rollback')
    other.close()
    expect(read.status).toBe(200)
    expect(deleted.status).toBe(503)
    expect(deleted.headers.get('retry-after')).toBe('5')
    expect((await kit.fetch(key, `file/${id}`, { method: 'DELETE' })).status).toBe(200)
    kit.loggedErrors.length = 0
  })
})

/** A key of an account of its own. */
const ofKey = (keyId: string) => ({ keyId, account: { id: `account of ${keyId}` } })

describe('limits of a key (decision 16)', () => {
  it('are 400 reads at once, then 100 a second; 20 writes a second; each key has its own', () => {
    let now = 0
    const limits = new RateLimits({ answering: 1 }, () => now)
    const allowed = (key: string, kind: 'read' | 'write') => {
      for (let count = 0; ; count += 1) {
        try {
          limits.take(key, undefined, kind)
        } catch (error) {
          expect(error).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
          return count
        }
      }
    }
    expect(allowed('a', 'read')).toBe(400)
    now += 1_000
    expect(allowed('a', 'read')).toBe(100)
    now += 10
    expect(allowed('a', 'read')).toBe(1)
    expect(allowed('b', 'read')).toBe(400)
    const first = allowed('a', 'write')
    expect(first).toBeGreaterThanOrEqual(20)
    now += 1_000
    expect(allowed('a', 'write')).toBe(20)
    now += 3_600_000
    expect(allowed('a', 'read')).toBe(400)
  })

  it('are shared by nodes: each allows double an even split, as connections stick to one node', () => {
    const nodes = { answering: 1 }
    const limits = new RateLimits(nodes, () => 0)
    const allowed = (key: string) => {
      for (let count = 0; ; count += 1) {
        try {
          limits.take(key, undefined, 'read')
        } catch {
          return count
        }
      }
    }
    expect(allowed('a')).toBe(400)
    nodes.answering = 2
    expect(allowed('b')).toBe(400)
    nodes.answering = 8
    expect(allowed('c')).toBe(100)
    limits.beginUpload(ofKey('c'))
    expect(() => limits.beginUpload(ofKey('c'))).toThrow(expect.objectContaining({ status: 429 }))
  })

  it('are 4 concurrent uploads', () => {
    const limits = new RateLimits({ answering: 1 }, () => 0)
    const ends = [1, 2, 3, 4].map(() => limits.beginUpload(ofKey('a')))
    expect(() => limits.beginUpload(ofKey('a'))).toThrow(expect.objectContaining({ status: 429 }))
    limits.beginUpload(ofKey('b'))()
    ends[0]?.()
    limits.beginUpload(ofKey('a'))
    expect(() => limits.beginUpload(ofKey('a'))).toThrow()
  })

  it('are 16 concurrent uploads of all keys of an account, and those that end make room', () => {
    const limits = new RateLimits({ answering: 1 }, () => 0)
    const begin = (key: number) => limits.beginUpload({ keyId: `k${key}`, account: { id: 'a' } })
    const ends = Array.from({ length: 16 }, (_, index) => begin(Math.floor(index / 4)))
    expect(() => begin(4)).toThrow(/16 uploads at once with all keys/)
    ends[0]?.()
    begin(4)
    expect(() => begin(4)).toThrow(/all keys/)
    for (const end of ends.slice(1, 5)) end()
    for (const _ of [1, 2, 3]) begin(4)
    expect(() => begin(4)).toThrow(/with one key/)
  })

  it('answer 429 with Retry-After to one key without affecting another', async () => {
    // A clock that stands still: a slow machine would get new tokens while it answers.
    const kit = await startTestService({ role: 'api' }, undefined, () => 0)
    try {
      const { key } = await kit.account()
      const url = '/sandbox/v1/files'
      const headers = { authorization: authorization(key) }
      const answers = await Promise.all(Array.from({ length: 600 }, () => kit.app.inject({ url, headers })))
      const refused = answers.filter(({ statusCode }) => statusCode === 429)
      expect(refused.length).toBe(200)
      expect(refused[0]?.headers['retry-after']).toBe('1')
      expect(refused[0]?.json()).toEqual({ error: expect.stringMatching(/slow down/) })
      expect((await kit.fetch((await kit.account()).key, 'files')).status).toBe(200)
    } finally {
      await kit.close()
    }
  })
})

describe('plain HTTP is sent to HTTPS (spec 1, rule 3)', () => {
  it('behind a proxy, by the client’s scheme', async () => {
    const kit = await startTestService({ publicUrl: new URL('https://api.parley.example/') })
    try {
      const ask = (headers: Record<string, string>) => kit.app.inject({ url: '/v1/files?a=b', headers })
      const redirected = await ask({ host: 'api.parley.example', 'x-forwarded-proto': 'http' })
      expect(redirected.statusCode).toBe(308)
      expect(redirected.headers.location).toBe('https://api.parley.example/v1/files?a=b')
      expect((await ask({ host: 'api.parley.example' })).statusCode).toBe(308)
      expect((await ask({ host: 'evil.example' })).headers.location).toBe('https://api.parley.example/v1/files?a=b')
      expect((await ask({ host: 'api.parley.example', 'x-forwarded-proto': 'https' })).statusCode).toBe(401)
      expect((await ask({ host: '127.0.0.1:4600' })).statusCode).toBe(401)
    } finally {
      await kit.close()
    }
  })

  it('on the TLS port itself', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'parley-tls-'))
    const kit = await startTestService({ tls: await makeCertificate(directory) })
    try {
      expect(kit.address).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
      const port = new URL(kit.address).port
      const plain = await new Promise<{ status: number | undefined; location: string | undefined }>(
        (resolve, reject) => {
          get(`http://127.0.0.1:${port}/v1/files?a=b`, (answer) => {
            answer.resume()
            resolve({ status: answer.statusCode, location: answer.headers.location })
          }).on('error', reject)
        },
      )
      expect(plain).toEqual({ status: 308, location: `https://127.0.0.1:${port}/v1/files?a=b` })
      const secure = await new Promise<number | undefined>((resolve, reject) => {
        getTls(`${kit.address}/healthz`, { rejectUnauthorized: false, agent: false }, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode))
        }).on('error', reject)
      })
      expect(secure).toBe(200)
    } finally {
      await kit.close()
      await rm(directory, { recursive: true })
    }
  })
})
