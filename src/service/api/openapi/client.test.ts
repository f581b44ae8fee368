import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Parley, ParleyError, verifyWebhook } from '../../../client/parley.ts'
import { deliveryPost } from '../../accounts/webhooks/delivery-request.ts'
import type { Delivery, Webhook } from '../../platform/db/schema.ts'
import { authorization } from '../../testing/ask-api.ts'
import { startTestService, type TestAccount, type TestService } from '../../testing/test-service.ts'
import { openApiDocument } from './document.ts'
import { clientTypes } from './testing/client-types.ts'

/* The client (src/client) against a real service: its types, its jobs, and lost answers. */

let service: TestService
let account: TestAccount
let parley: Parley
beforeAll(async () => {
  service = await startTestService({ role: 'api' })
})
beforeAll(async () => {
  account = await service.account()
  parley = new Parley({ key: ` ${account.key}\n`, url: service.address })
})
afterAll(() => service.close())

test('its types are those of the interface as it is', async () => {
  expect(await readFile('src/client/operations.ts', 'utf8'), 'run client-types.ts --write').toBe(clientTypes())
  const described = Object.entries(openApiDocument().paths)
    .filter(([path]) => !path.startsWith('/work/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `'${method} ${path}'`))
  expect(described.filter((name) => !clientTypes().includes(name))).toEqual([])
})

test('every operation reaches the service as it is described', async () => {
  const wrong: string[] = []
  const described = Object.entries(openApiDocument().paths).filter(([path]) => !path.startsWith('/work/'))
  for (const [path, methods] of described) {
    for (const method of Object.keys(methods)) {
      const params = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'no ne']))
      const sent: string[] = []
      const client = new Parley({
        ...{ key: (await service.account()).key, url: service.address, retries: 0 },
        fetch: async (url, init) => {
          const answer = await fetch(url, init)
          sent.push(`${init?.method} ${new URL(String(url)).pathname} ${answer.status}`)
          return answer
        },
      })
      const answer = await client.call(`${method} ${path}` as 'get /v1/files', { params } as never).catch(() => null)
      if (answer instanceof Response) await answer.body?.cancel()
      const { key } = await service.account()
      const address = `/sandbox${path.replaceAll(/\{\w+\}/g, 'no%20ne')}`
      const plain = await askAt(`${service.address}${address}`, key, method.toUpperCase())
      if (sent.join() !== `${method.toUpperCase()} ${address} ${plain}`)
        wrong.push(`${sent.join()} instead of ${plain}`)
    }
  }
  expect(described.length).toBeGreaterThan(60)
  expect(wrong).toEqual([])
})

async function askAt(url: string, key: string, method: string): Promise<number> {
  const answer = await fetch(url, { method, headers: { authorization: authorization(key) } })
  await answer.body?.cancel()
  return answer.status
}

describe('a file', () => {
  test('is ordered, watched, read and deleted', async () => {
    const seen: number[] = []
    const id = await parley.order(new Blob([await service.tone(60)], { type: 'audio/wav' }), {
      fileName: 'Überblick.wav',
      options: { transcript_type: 'automated' },
      maxTotalCents: 1_000,
      onProgress: (sent) => seen.push(sent),
    })
    expect(await parley.list()).toContain(id)
    expect(await parley.metadata(id)).toMatchObject({ name: 'Überblick', progress_percent: 0 })
    expect(seen.at(0)).toBe(0)
    expect(seen.at(-1)).toBeGreaterThan(900_000)
    expect((await parley.transcript(id)).headers.get('content-type')).toContain('text/plain')
    expect(await parley.call('get /account/files', { query: { limit: 1 } })).toMatchObject({ files: [{ id }] })
    await parley.remove(id)
    await expect(parley.metadata(id)).rejects.toMatchObject({ status: 404, isNotFound: true })
  })

  test('is waited for until it is ready', async () => {
    const { id } = await parley.call('post /account/tools/files', { body: { seconds: 30, progress_percent: 40 } })
    const percents: number[] = []
    const move = (percent: number) => {
      percents.push(percent)
      if (percent === 40) {
        void parley.call('post /account/tools/files/{id}/progress', { params: { id }, body: { progress_percent: 100 } })
      }
    }
    expect(await parley.untilReady(id, { everyMs: 5, onProgress: move })).toMatchObject({ progress_percent: 100 })
    expect(percents).toEqual([40, 100])
  })
})

test('lost answers and torn parts cost time, but nothing is ordered or charged twice', async () => {
  let asked = 0
  const lossy: typeof fetch = async (input, init) => {
    asked += 1
    if (asked % 4 === 1) throw new TypeError('fetch failed')
    const answer = await fetch(input, init)
    // It was done, but nobody learns of it.
    if (asked % 4 === 3) throw new TypeError('terminated')
    return answer
  }
  const before = (await parley.call('get /account/ledger')).total
  const unlucky = new Parley({ key: account.key, url: service.address, fetch: lossy, retries: 6 })
  const id = await unlucky.order(new Blob([await service.tone(61)], { type: 'audio/wav' }), {
    options: { transcript_type: 'automated' },
  })
  expect(await parley.list()).toContain(id)
  expect((await parley.call('get /account/ledger')).total).toBe(before + 1)
}, 120_000)

test('an order by a single request is charged once, too, and HEAD answers its headers', async () => {
  let asked = 0
  const lossy: typeof fetch = async (input, init) => {
    asked += 1
    const answer = await fetch(input, init)
    if (asked === 1) throw new TypeError('terminated')
    return answer
  }
  const before = (await parley.call('get /account/ledger')).total
  const form = new FormData()
  form.set('file', new Blob([await service.tone(63)], { type: 'audio/wav' }), 'tone.wav')
  const unlucky = new Parley({ key: account.key, url: service.address, fetch: lossy })
  const query = { transcript_type: 'automated' } as const
  const { id } = await unlucky.call('post /v1/files', { body: form, query })
  expect(asked).toBe(2)
  expect(await parley.list()).toContain(id)
  expect((await parley.call('get /account/ledger')).total).toBe(before + 1)
  expect((await parley.call('head /v1/files')).status).toBe(200)
})

test('an upload goes on where another process left it', async () => {
  const recording = new Blob([await service.tone(62)], { type: 'audio/wav' })
  const stop = new AbortController()
  let address = ''
  const begun = parley.order(recording, {
    options: { transcript_type: 'automated' },
    signal: stop.signal,
    onStarted: (at) => {
      address = at
      stop.abort(new Error('stopped'))
    },
  })
  await expect(begun).rejects.toThrow('stopped')
  const id = await parley.order(recording, { continues: address })
  expect(await parley.metadata(id)).toMatchObject({ progress_percent: 0 })
})

test('refusals come in the words of the service, with their request', async () => {
  const refused = parley.order(new Blob([await service.tone(60)], { type: 'audio/wav' }), { maxTotalCents: 1 })
  const error = await refused.catch((problem: unknown) => problem)
  expect(error).toBeInstanceOf(ParleyError)
  expect(error).toMatchObject({ status: 400, message: expect.stringContaining('more than its limit') })
  expect((error as ParleyError).requestId).toMatch(/\S/)
  await expect(new Parley({ key: 'parley_test_none', url: service.address }).list()).rejects.toMatchObject({
    isUnauthorized: true,
  })
  expect(() => new Parley({ key: 'parley_test_\none', url: service.address })).toThrow(TypeError)
})

test('passing refusals are repeated if that does nothing twice', async () => {
  const asked: string[] = []
  const busy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    if (asked.length < 3) response.writeHead(503, { 'retry-after': '0' }).end('{"error":"Busy."}')
    else response.writeHead(500).end('{"error":"Broken."}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => busy.once('listening', resolve))
  const address = busy.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const making = new Parley({ key: 'parley_live_k', url }).call('post /account/keys', { body: { name: 'One' } })
  await expect(making).rejects.toMatchObject({ status: 500, message: 'Broken.' })
  expect(asked).toEqual(Array.from({ length: 3 }, () => 'POST /account/keys'))
  busy.close()
})

test('webhooks are verified: secret, body and age', async () => {
  const secret = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`
  const webhook = { account_id: 'a', url: 'http://h/', secret, previous_secret: null } as Webhook
  const { headers, body } = deliveryPost(webhook, { id: 'd_1', file_id: 'f_1' } as Delivery, Date.now())
  expect(await verifyWebhook(headers, body, secret)).toEqual({ id: 'f_1' })
  await expect(verifyWebhook(headers, body.replace('f_1', 'f_2'), secret)).rejects.toThrow('signature')
  await expect(verifyWebhook(headers, body, 'whsec_b3RoZXI=')).rejects.toThrow('signature')
  const old = deliveryPost(webhook, { id: 'd_1', file_id: 'f_1' } as Delivery, Date.now() - 400_000)
  await expect(verifyWebhook(old.headers, old.body, secret)).rejects.toThrow('too old')
  await expect(verifyWebhook({}, body, secret)).rejects.toThrow('no signature')
})
