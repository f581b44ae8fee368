import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Db } from '../db/open.ts'
import { openDb } from '../db/open.ts'
import { enqueueDelivery } from '../db/outbox.ts'
import type { Delivery } from '../db/schema.ts'
import type { Guard } from '../net/guard.ts'
import { openGuard } from '../net/guard.ts'
import { Changes } from '../queue/changes.ts'
import { listDeliveries, readDelivery, redeliver, sendTestEvent } from './deliveries.ts'
import { pauseWebhook, readWebhook, removeWebhook, resumeWebhook, rotateSecret, setWebhook } from './endpoint.ts'
import { httpDispatch } from './http-dispatch.ts'
import { retryAfterMs } from './retry-schedule.ts'
import { WebhookSender } from './sender.ts'

const hour = 3_600_000
type Received = { headers: IncomingMessage['headers']; body: string }
type Answer = (received: Received, response: ServerResponse) => void

/** A customer's server on a real port. */
class Receiver {
  readonly received: Received[] = []
  answer: Answer = (_received, response) => void response.writeHead(200).end('ok')
  readonly #server: Server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      const received = { headers: request.headers, body }
      this.received.push(received)
      this.answer(received, response)
    })
  })
  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return (this.#server.address() as AddressInfo).port
  }
  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

let dir: string
let db: Db
let now: number
let port: number
let receiver: Receiver
let sender: WebhookSender
let secret: string
let guard: Guard
const changes = new Changes()
const clock = () => now
const log = pino({ level: 'silent' })
const kit = () => ({ db, changes, clock, log })
const url = () => `http://127.0.0.1:${port}/hook?token=t`

async function addAccount(id: string): Promise<void> {
  await db
    .insertInto('accounts')
    .values({
      id,
      environment: 'sandbox',
      name: id,
      currency: 'USD',
      discount_percent: 0,
      custom_formatting_enabled: 0,
      default_options_json: '{}',
      settings_json: '{}',
      created_at: now,
    })
    .execute()
}

async function progress(accountId: string, fileId: string, progressPercent: number): Promise<void> {
  const file = { id: fileId, account_id: accountId, name: 'Board meeting', progress_percent: progressPercent }
  await db.transaction().execute((trx) => enqueueDelivery(trx, file, now))
  changes.tell({ kind: 'delivery', accountId })
}

async function deliveries(accountId = 'a'): Promise<Delivery[]> {
  return await db.selectFrom('deliveries').selectAll().where('account_id', '=', accountId).execute()
}

/** Resolves once the condition holds; asked anew at each change that the service tells. */
async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  for (;;) {
    const told = new Promise<void>((resolve) => {
      const stop = changes.listen(() => {
        stop()
        resolve()
      })
    })
    if (await condition()) return
    await told
  }
}

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'parley-webhooks-'))
  db = await openDb(join(dir, 'parley.db'))
  now = Date.UTC(2026, 10, 21, 12)
  receiver = new Receiver()
  port = await receiver.listen()
  await addAccount('a')
  secret = (await setWebhook(db, 'a', url(), now)).secret ?? ''
  guard = openGuard([`127.0.0.1:${port}`])
  sender = new WebhookSender(kit(), httpDispatch(guard), () => 0.5)
  await sender.start()
})

afterEach(async () => {
  await sender.stop()
  await guard.close()
  await receiver.close()
  await db.destroy()
  await rm(dir, { recursive: true })
})

describe('a delivery', () => {
  test('is a POST of exactly {"id"}, signed as Standard Webhooks says', async () => {
    now = Date.now() // the outside verifier reads the real clock
    await progress('a', 'f1', 10)
    await until(async () => (await deliveries())[0]?.state === 'delivered')
    const [{ headers, body }] = receiver.received as [Received]
    expect(body).toBe('{"id":"f1"}')
    expect(headers['content-type']).toBe('application/json')
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({ id: 'f1' })
    expect(() => new Webhook(secret).verify('{"id":"f2"}', headers as Record<string, string>)).toThrow()
  })

  test('keeps request and answer, bounded, as text', async () => {
    receiver.answer = (_received, response) =>
      void response.writeHead(200, { 'x-note': 'hello' }).end(`<b>${'x'.repeat(100_000)}`)
    await progress('a', 'f1', 10)
    await until(async () => (await deliveries())[0]?.state === 'delivered')
    const [row] = await deliveries()
    const detail = await readDelivery(db, 'a', row?.id ?? '')
    expect(detail.request?.head).toBe('POST /hook?token=t HTTP/1.1')
    expect(detail.request?.body).toBe('{"id":"f1"}')
    expect(detail.response?.headers).toContainEqual(['x-note', 'hello'])
    expect(detail.response?.body).toHaveLength(16 * 1_024)
    expect(detail.response_truncated).toBe(true)
    expect(detail).toMatchObject({ attempts: 1, response_status: 200, error: null, next_attempt: null })
    await expect(readDelivery(db, 'b', row?.id ?? '')).rejects.toMatchObject({ status: 404 })
  })

  test('signs with both secrets for 24 h after a rotation, then with the new one alone', async () => {
    const next = await rotateSecret(db, 'a', now)
    await progress('a', 'f1', 10)
    await until(async () => (await deliveries())[0]?.state === 'delivered')
    expect(String(receiver.received[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2)
    now += 24 * hour
    await progress('a', 'f2', 10)
    await until(async () => (await deliveries()).every(({ state }) => state === 'delivered'))
    expect(String(receiver.received[1]?.headers['webhook-signature']).split(' ')).toHaveLength(1)
    expect(next).not.toBe(secret)
  })

  test.each([
    ['a redirect', 302, /redirects are not followed/],
    ['a client error', 404, /Answered 404/],
    ['a server error', 503, /Answered 503/],
  ])('that meets %s is tried again after 5 s', async (_name, status, words) => {
    receiver.answer = (_received, response) => void response.writeHead(status, { location: '/' }).end()
    await progress('a', 'f1', 10)
    await until(async () => (await deliveries())[0]?.attempts === 1)
    const [row] = await deliveries()
    expect(row).toMatchObject({ state: 'waiting', next_attempt_at: now + 5_000, response_status: status })
    expect(row?.error).toMatch(words)
    expect(receiver.received).toHaveLength(1)
  })

  test('to an address that is not public is refused at each try, without a connection', async () => {
    await db.updateTable('webhooks').set({ url: 'http://127.0.0.1:9/hook' }).execute()
    await progress('a', 'f1', 10)
    await until(async () => (await deliveries())[0]?.attempts === 1)
    expect((await deliveries())[0]?.error).toMatch(/public/)
  })

  test('that meets a closed port says so', async () => {
    await receiver.close()
    await progress('a', 'f1', 10)
    await until(async () => (await deliveries())[0]?.attempts === 1)
    expect((await deliveries())[0]).toMatchObject({ error: 'The connection was refused.', response_status: null })
    receiver = new Receiver()
    await receiver.listen()
  })

  test('collapses with what waits for the same file', async () => {
    receiver.answer = (_received, response) => void response.writeHead(500).end()
    await progress('a', 'f1', 10)
    await until(async () => (await deliveries())[0]?.attempts === 1)
    await progress('a', 'f1', 20)
    await progress('a', 'f1', 30)
    expect(await deliveries()).toMatchObject([{ progress_percent: 30, state: 'waiting' }])
  })
})

describe('the schedule', () => {
  test('gives up after the last retry of three days and pauses the webhook with the reason', async () => {
    receiver.answer = (_received, response) => void response.writeHead(503).end()
    await progress('a', 'f1', 10)
    for (const [step, pauseMs] of retryAfterMs.entries()) {
      await until(async () => (await deliveries())[0]?.attempts === step + 1)
      expect((await deliveries())[0]?.next_attempt_at).toBe(now + pauseMs)
      now += pauseMs
      sender.wake()
    }
    await until(async () => (await deliveries())[0]?.state === 'failed')
    expect(receiver.received).toHaveLength(10)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const webhook = await readWebhook(db, 'a')
    expect(webhook?.paused_at).toBe(now)
    expect(webhook?.pause_reason).toMatch(/Answered 503/)
    await progress('a', 'f1', 20)
    expect(await deliveries()).toHaveLength(1)
  })

  test('does not pause a receiver that took others meanwhile', async () => {
    receiver.answer = ({ body }, response) => void response.writeHead(body.includes('bad') ? 500 : 200).end()
    await progress('a', 'bad', 10)
    await until(async () => (await deliveries())[0]?.attempts === 1)
    now += 1
    await progress('a', 'good', 10)
    await until(async () => (await deliveries()).some(({ state }) => state === 'delivered'))
    await db
      .updateTable('deliveries')
      .set({ retry_step: 9, next_attempt_at: now })
      .where('file_id', '=', 'bad')
      .execute()
    sender.wake()
    await until(async () => (await deliveries()).some(({ state }) => state === 'failed'))
    expect((await readWebhook(db, 'a'))?.paused_at).toBeNull()
  })

  test('stops at once at a 410', async () => {
    receiver.answer = (_received, response) => void response.writeHead(410).end()
    await progress('a', 'f1', 10)
    await until(async () => (await deliveries())[0]?.state === 'failed')
    expect((await readWebhook(db, 'a'))?.pause_reason).toMatch(/410/)
  })

  test('holds what waits while paused and sends it when resumed', async () => {
    receiver.answer = (_received, response) => void response.writeHead(500).end()
    await progress('a', 'f1', 10)
    await until(async () => (await deliveries())[0]?.attempts === 1)
    await db.transaction().execute((trx) => pauseWebhook(trx, 'a', null, now))
    now += 24 * hour
    sender.wake()
    const tested = await sendTestEvent(kit(), 'a') // a look has passed once this one is tried
    await until(async () => (await readDelivery(db, 'a', tested.id)).state === 'failed')
    expect((await deliveries()).find(({ file_id }) => file_id === 'f1')?.attempts).toBe(1)
    receiver.answer = (_received, response) => void response.writeHead(200).end()
    await db.transaction().execute((trx) => resumeWebhook(trx, 'a', now))
    sender.wake()
    await until(async () => (await deliveries()).some(({ state }) => state === 'delivered'))
  })
})

describe('by hand', () => {
  test('a test event is tried once and never again', async () => {
    receiver.answer = (_received, response) => void response.writeHead(500).end()
    const { id } = await sendTestEvent(kit(), 'a')
    await until(async () => (await readDelivery(db, 'a', id)).state === 'failed')
    expect(receiver.received[0]?.body).toBe('{"id":"test_event"}')
    expect((await readWebhook(db, 'a'))?.paused_at).toBeNull()
  })

  test('one, or all that failed since a time, are sent again with the same id', async () => {
    await progress('a', 'f1', 10)
    await until(async () => (await deliveries())[0]?.state === 'delivered')
    const [first] = await deliveries()
    expect(await redeliver(kit(), 'a', { id: first?.id ?? '' })).toBe(1)
    await until(async () => (await deliveries())[0]?.attempts === 2)
    expect(receiver.received[1]?.headers['webhook-id']).toBe(first?.id)
    await db.updateTable('deliveries').set({ state: 'failed' }).execute()
    expect(await redeliver(kit(), 'a', { failedSince: now + 1 })).toBe(0)
    expect(await redeliver(kit(), 'b', { failedSince: now }).catch((error: Error) => error.message)).toMatch(
      /no webhook/,
    )
    expect(await redeliver(kit(), 'a', { failedSince: now })).toBe(1)
    await until(async () => (await deliveries())[0]?.attempts === 3)
  })

  test('the list is paged, the newest first', async () => {
    for (let index = 0; index < 5; index += 1) {
      now += 1
      await progress('a', `f${index}`, 10)
    }
    await until(async () => (await deliveries()).every(({ state }) => state === 'delivered'))
    const all = { state: null, fileId: null, limit: 3 }
    const page = await listDeliveries(db, 'a', { ...all, before: null })
    expect(page.deliveries.map(({ file_id }) => file_id)).toEqual(['f4', 'f3', 'f2'])
    const [createdAt, id] = page.next_cursor?.split('-') ?? []
    const rest = await listDeliveries(db, 'a', { ...all, before: { createdAt: Number(createdAt), id: id ?? '' } })
    expect(rest.deliveries.map(({ file_id }) => file_id)).toEqual(['f1', 'f0'])
    expect(rest.next_cursor).toBeNull()
  })

  test('a removed webhook ends what waits', async () => {
    receiver.answer = (_received, response) => void response.writeHead(500).end()
    await progress('a', 'f1', 10)
    await until(async () => (await deliveries())[0]?.attempts === 1)
    await removeWebhook(db, 'a', now)
    expect(await deliveries()).toMatchObject([{ state: 'failed', error: 'The webhook was removed.' }])
  })
})

describe('isolation', () => {
  test('receivers that hang delay nobody else, and a crash in the middle loses nothing', async () => {
    const hanging = new Set<ServerResponse>()
    receiver.answer = ({ body }, response) => {
      if (body.includes('hang')) hanging.add(response)
      else response.writeHead(200).end()
    }
    for (let account = 0; account < 50; account += 1) {
      await addAccount(`h${account}`)
      await setWebhook(db, `h${account}`, url(), now)
      for (let file = 0; file < 4; file += 1) await progress(`h${account}`, `hang-${account}-${file}`, 10)
    }
    await progress('a', 'f1', 10)
    await until(async () => (await deliveries('a'))[0]?.state === 'delivered')
    await until(() => hanging.size === 200)
    await sender.stop()
    expect(await deliveries('h7')).toMatchObject(Array.from({ length: 4 }, () => ({ state: 'sending', attempts: 0 })))
    receiver.answer = (_received, response) => void response.writeHead(200).end()
    sender = new WebhookSender(kit(), httpDispatch(guard), () => 0.5)
    await sender.start()
    await until(async () => (await deliveries('h7')).every(({ state }) => state === 'delivered'))
  })
})
