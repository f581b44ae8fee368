import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestService, type TestService } from '../../testing/test-service.ts'

/** A third-party web server with a recording; counts its requests and can be made to wait. */
let host: Server
let visits = 0
let letGo: Promise<void> = Promise.resolve()
let kit: TestService
let link: string
beforeAll(async () => {
  let tone: Uint8Array = new Uint8Array()
  host = createServer(async (request, response) => {
    visits += 1
    await letGo
    const pageType = /^\/page\/(.+)$/.exec(request.url ?? '')?.[1]
    if (pageType !== undefined)
      return response.writeHead(200, { 'content-type': decodeURIComponent(pageType) }).end('\n<!DOCTYPE html><p>')
    const type = /^\/typed\/(.+)$/.exec(request.url ?? '')?.[1]
    if (type !== undefined) return response.writeHead(200, { 'content-type': decodeURIComponent(type) }).end(tone)
    if (request.url !== '/talks/Keynote%202026.wav') return response.writeHead(404).end()
    return response.writeHead(200, { 'content-type': 'audio/x-wav' }).end(tone)
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  const { port } = host.address() as AddressInfo
  kit = await startTestService({ allowTargets: [`127.0.0.1:${port}`] })
  tone = await kit.tone(1)
  link = `http://127.0.0.1:${port}/talks/Keynote%202026.wav`
})
afterAll(async () => {
  await kit.close()
  host.close()
})

function post(key: string, address: string, idempotencyKey?: string, limit?: string): Promise<Response> {
  const body = new FormData()
  body.append('link', address)
  const headers = new Headers()
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  if (limit !== undefined) headers.set('max-total-cents', limit)
  return kit.fetch(key, 'files', { method: 'POST', body, headers: Object.fromEntries(headers) })
}

it('orders a link’s recording, named by its path', async () => {
  const { key } = await kit.account()
  const answer = await post(key, link)
  expect(answer.status).toBe(201)
  const { id } = (await answer.json()) as { id: string }
  expect(await kit.metadata(key, id)).toMatchObject({ name: 'Keynote 2026', seconds: '1.000' })
})

it('orders nothing that the account has already, if it is asked to refuse that', async () => {
  const { key } = await kit.account()
  const ask = (headers: Record<string, string>) => {
    const body = new FormData()
    body.append('link', link)
    return kit.fetch(key, 'files', { method: 'POST', body, headers })
  }
  const refuse = { 'known-recording': 'refuse', 'idempotency-key': 'first' }
  const first = await ask(refuse)
  const { id } = (await first.json()) as { id: string }
  const other = await ask({ 'known-recording': 'no' })
  expect([other.status, await other.text()]).toEqual([400, expect.stringContaining('is refuse or order')])
  const second = await ask({ 'known-recording': 'refuse' })
  expect([first.status, second.status, second.headers.get('known-file')]).toEqual([201, 409, id])
  expect(await second.json()).toEqual({
    error: expect.stringMatching(/already has this recording.* Nothing was charged/),
  })
  // A retry is no second order, and programs that do not ask are served.
  expect(await (await ask(refuse)).json()).toEqual({ id })
  expect((await ask({})).status).toBe(201)
})

it('orders nothing that costs more than its limit', async () => {
  const { key } = await kit.account()
  const { total } = await kit.metadata(key, ((await (await post(key, link)).json()) as { id: string }).id)
  const cents = Math.round(total * 100)
  expect((await post(key, link, undefined, String(cents))).status).toBe(201)
  const dear = await post(key, link, undefined, String(cents - 1))
  expect(dear.status).toBe(400)
  expect(await dear.json()).toEqual({ error: expect.stringMatching(/more than its limit of .* Nothing was charged/) })
  expect([dear.headers.get('order-total-cents'), dear.headers.get('order-duration-ms')]).toEqual([`${cents}`, '1000'])
  expect((await post(key, link, undefined, '1.50')).status).toBe(400)
  expect(await (await kit.fetch(key, 'files')).json()).toHaveLength(2)
})

it('goes by the bytes, whatever type a server gives them, and says so if they are a web page', async () => {
  const { key } = await kit.account()
  for (const type of ['application/binary', 'text/plain', 'text/html']) {
    expect((await post(key, new URL(`/typed/${encodeURIComponent(type)}`, link).href)).status, type).toBe(201)
  }
  for (const type of ['text/html; charset=utf-8', 'application/octet-stream']) {
    const page = await post(key, new URL(`/page/${encodeURIComponent(type)}`, link).href)
    const error = expect.stringMatching(/^This link shows a web page/)
    expect([page.status, await page.json()], type).toEqual([415, { error }])
  }
})

it('answers a repetition without fetching again, and 422 for another link', async () => {
  const { key } = await kit.account()
  const first = await post(key, link, 'k')
  const before = visits
  const again = await post(key, link, 'k')
  expect(await again.json()).toEqual(await first.json())
  expect(visits).toBe(before)
  expect((await post(key, `${link}?other`, 'k')).status).toBe(422)
})

it('does not block other requests while fetching', async () => {
  const { key } = await kit.account()
  const { promise, resolve } = Promise.withResolvers<void>()
  letGo = promise
  const slow = post(key, link)
  expect((await kit.fetch(key, 'files')).status).toBe(200)
  resolve()
  expect((await slow).status).toBe(201)
})

it('is 400 if the link cannot be fetched, and leaves nothing', async () => {
  const { key, id } = await kit.account()
  for (const bad of [
    `${link}x`,
    'http://127.0.0.1:1/a.wav',
    'ftp://example.com/a.wav',
    'nonsense',
    'http://10.0.0.1/',
  ]) {
    const answer = await post(key, bad)
    expect(answer.status, bad).toBe(400)
    expect(await answer.json(), bad).toEqual({ error: expect.stringMatching(/\w{3}/) })
  }
  expect(await (await kit.fetch(key, 'files')).json()).toEqual([])
  const charges = await kit.platform.db.selectFrom('ledger').select('id').where('account_id', '=', id).execute()
  expect(charges).toEqual([])
})
