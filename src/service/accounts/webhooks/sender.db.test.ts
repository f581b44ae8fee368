import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deliveryDetail, maxStoredTries } from '../../../contract/account/webhooks.ts'
import { writeAccount } from '../../platform/db/write-account.ts'
import { Receiver, WebhookRoom } from '../../testing/webhook-room.ts'
import { readDelivery, sendTestEvent } from './deliveries.ts'
import { pauseWebhook, readWebhook, resumeWebhook, rotateSecret } from './endpoint.ts'
import { retryAfterMs } from './record-attempt.ts'

const hour = 3_600_000

let room: WebhookRoom
beforeEach(async () => {
  room = await WebhookRoom.open()
})
afterEach(() => room.close())

describe('a delivery', () => {
  test('is a POST of exactly {"id"}, signed by Standard Webhooks', async () => {
    room.now = Date.now() // the external verifier uses the real clock
    await room.progress('a', 'f1', 10)
    await room.until(async () => (await room.deliveries())[0]?.state === 'delivered')
    const [{ headers, body }] = room.receiver.received as [Receiver['received'][number]]
    expect(body).toBe('{"id":"f1"}')
    expect(headers['content-type']).toBe('application/json')
    expect(new Webhook(room.secret).verify(body, headers as Record<string, string>)).toEqual({ id: 'f1' })
    expect(() => new Webhook(room.secret).verify('{"id":"f2"}', headers as Record<string, string>)).toThrow()
  })

  test('stores request and response, bounded, as text', async () => {
    room.receiver.answer = (_received, response) =>
      void response.writeHead(200, { 'x-note': 'hello' }).end(`<b>${'x'.repeat(100_000)}`)
    await room.progress('a', 'f1', 10)
    await room.until(async () => (await room.deliveries())[0]?.state === 'delivered')
    const [row] = await room.deliveries()
    const detail = await readDelivery(room.db, 'a', row?.id ?? '')
    const [only] = detail.tries
    expect(only?.request.head).toBe('POST /hook?token=t HTTP/1.1')
    expect(only?.request.body).toBe('{"id":"f1"}')
    expect(only?.response?.headers).toContainEqual(['x-note', 'hello'])
    expect(only?.response?.body).toHaveLength(16 * 1_024)
    expect(only).toMatchObject({ number: 1, status: 200, error: null, response_truncated: true })
    expect(detail).toMatchObject({ attempts: 1, response_status: 200, error: null, next_attempt: null })
    await expect(readDelivery(room.db, 'b', row?.id ?? '')).rejects.toMatchObject({ status: 404 })
  })

  test('stores each attempt with its own response, newest first and bounded, as long as the delivery', async () => {
    room.receiver.answer = (_received, response) =>
      void response.writeHead(500).end(`answer ${room.receiver.received.length}`)
    await room.progress('a', 'f1', 10)
    for (let tries = 1; tries < maxStoredTries + 3; tries += 1) {
      await room.until(async () => (await room.deliveries())[0]?.attempts === tries)
      room.now += 1_000
      await room.db.updateTable('deliveries').set({ next_attempt_at: room.now, retry_step: 0 }).execute()
      room.sender.wake()
    }
    await room.until(async () => (await room.deliveries())[0]?.attempts === maxStoredTries + 3)
    const [row] = await room.deliveries()
    const { tries } = deliveryDetail.parse(await readDelivery(room.db, 'a', row?.id ?? ''))
    expect(tries.map(({ number }) => number)).toEqual(
      Array.from({ length: maxStoredTries }, (_, at) => maxStoredTries + 3 - at),
    )
    expect(tries.map(({ response }) => response?.body)).toEqual(tries.map(({ number }) => `answer ${number}`))
    expect(Date.parse(tries[0]?.at ?? '') - Date.parse(tries[1]?.at ?? '')).toBe(1_000)
    await room.db.deleteFrom('deliveries').execute()
    expect(await room.db.selectFrom('delivery_tries').selectAll().execute()).toEqual([])
  })

  test('signs with both secrets for 24 h after a rotation, then only with the new one', async () => {
    const next = await rotateSecret(room.db, 'a', room.now)
    await room.progress('a', 'f1', 10)
    await room.until(async () => (await room.deliveries())[0]?.state === 'delivered')
    expect(String(room.receiver.received[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2)
    room.now += 24 * hour
    await room.progress('a', 'f2', 10)
    await room.until(async () => (await room.deliveries()).every(({ state }) => state === 'delivered'))
    expect(String(room.receiver.received[1]?.headers['webhook-signature']).split(' ')).toHaveLength(1)
    expect(next).not.toBe(room.secret)
  })

  test.each([
    ['a redirect', 302, /redirects are not followed/],
    ['a client error', 404, /Returned 404/],
    ['a server error', 503, /Returned 503/],
  ])('that meets %s is retried after 5 s', async (_name, status, words) => {
    room.receiver.answer = (_received, response) => void response.writeHead(status, { location: '/' }).end()
    await room.progress('a', 'f1', 10)
    await room.until(async () => (await room.deliveries())[0]?.attempts === 1)
    const [row] = await room.deliveries()
    expect(row).toMatchObject({ state: 'waiting', next_attempt_at: room.now + 5_000, response_status: status })
    expect(row?.error).toMatch(words)
    expect(room.receiver.received).toHaveLength(1)
  })

  test('to a non-public address is refused at each attempt, without a connection', async () => {
    await room.db.updateTable('webhooks').set({ url: 'http://127.0.0.1:9/hook' }).execute()
    await room.progress('a', 'f1', 10)
    await room.until(async () => (await room.deliveries())[0]?.attempts === 1)
    expect((await room.deliveries())[0]?.error).toMatch(/public/)
  })

  test('to a closed port says so', async () => {
    await room.receiver.close()
    await room.progress('a', 'f1', 10)
    await room.until(async () => (await room.deliveries())[0]?.attempts === 1)
    expect((await room.deliveries())[0]).toMatchObject({ error: 'The connection was refused.', response_status: null })
    room.receiver = new Receiver()
    await room.receiver.listen()
  })

  test('collapses with a pending one for the same file', async () => {
    room.receiver.answer = (_received, response) => void response.writeHead(500).end()
    await room.progress('a', 'f1', 10)
    await room.until(async () => (await room.deliveries())[0]?.attempts === 1)
    await room.progress('a', 'f1', 20)
    await room.progress('a', 'f1', 30)
    expect(await room.deliveries()).toMatchObject([{ progress_percent: 30, state: 'waiting' }])
  })
})

describe('the schedule', () => {
  test('gives up after the last retry of three days and pauses the webhook with the reason', async () => {
    room.receiver.answer = (_received, response) => void response.writeHead(503).end()
    await room.progress('a', 'f1', 10)
    for (const [step, pauseMs] of retryAfterMs.entries()) {
      await room.until(async () => (await room.deliveries())[0]?.attempts === step + 1)
      expect((await room.deliveries())[0]?.next_attempt_at).toBe(room.now + pauseMs)
      room.now += pauseMs
      room.sender.wake()
    }
    await room.until(async () => (await room.deliveries())[0]?.state === 'failed')
    expect(room.receiver.received).toHaveLength(10)
    expect(new Set(room.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const webhook = await readWebhook(room.db, 'a')
    expect(webhook?.paused_at).toBe(room.now)
    expect(webhook?.pause_reason).toMatch(/Returned 503/)
    await room.progress('a', 'f1', 20)
    expect(await room.deliveries()).toHaveLength(1)
  })

  test('does not pause a receiver that accepted others in the meantime', async () => {
    room.receiver.answer = ({ body }, response) => void response.writeHead(body.includes('bad') ? 500 : 200).end()
    await room.progress('a', 'bad', 10)
    await room.until(async () => (await room.deliveries())[0]?.attempts === 1)
    room.now += 1
    await room.progress('a', 'good', 10)
    await room.until(async () => (await room.deliveries()).some(({ state }) => state === 'delivered'))
    await room.db
      .updateTable('deliveries')
      .set({ retry_step: 9, next_attempt_at: room.now })
      .where('file_id', '=', 'bad')
      .execute()
    room.sender.wake()
    await room.until(async () => (await room.deliveries()).some(({ state }) => state === 'failed'))
    expect((await readWebhook(room.db, 'a'))?.paused_at).toBeNull()
  })

  test('stops immediately at a 410', async () => {
    room.receiver.answer = (_received, response) => void response.writeHead(410).end()
    await room.progress('a', 'f1', 10)
    await room.until(async () => (await room.deliveries())[0]?.state === 'failed')
    expect((await readWebhook(room.db, 'a'))?.pause_reason).toMatch(/410/)
  })

  test('holds pending deliveries while paused and sends them when resumed', async () => {
    room.receiver.answer = (_received, response) => void response.writeHead(500).end()
    await room.progress('a', 'f1', 10)
    await room.until(async () => (await room.deliveries())[0]?.attempts === 1)
    await writeAccount(room.db, 'a', (trx) => pauseWebhook(trx, null, room.now))
    room.now += 24 * hour
    room.sender.wake()
    const tested = await sendTestEvent(room, 'a') // a poll has passed once this one is attempted
    await room.until(async () => (await readDelivery(room.db, 'a', tested.id)).state === 'failed')
    expect((await room.deliveries()).find(({ file_id }) => file_id === 'f1')?.attempts).toBe(1)
    room.receiver.answer = (_received, response) => void response.writeHead(200).end()
    await writeAccount(room.db, 'a', (trx) => resumeWebhook(trx, room.now))
    room.sender.wake()
    await room.until(async () => (await room.deliveries()).some(({ state }) => state === 'delivered'))
  })
})
