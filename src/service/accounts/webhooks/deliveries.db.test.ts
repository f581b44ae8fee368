import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebhookRoom } from '../../testing/webhook-room.ts'
import { listDeliveries, readDelivery, redeliver, sendTestEvent } from './deliveries.ts'
import { readWebhook, removeWebhook, setWebhook } from './endpoint.ts'

let room: WebhookRoom
beforeEach(async () => {
  room = await WebhookRoom.open()
})
afterEach(() => room.close())

describe('manually', () => {
  test('a test event is attempted once and never retried', async () => {
    room.receiver.answer = (_received, response) => void response.writeHead(500).end()
    const { id } = await sendTestEvent(room, 'a')
    await room.until(async () => (await readDelivery(room.db, 'a', id)).state === 'failed')
    expect(room.receiver.received[0]?.body).toBe('{"id":"test_event"}')
    expect((await readWebhook(room.db, 'a'))?.paused_at).toBeNull()
  })

  test('one, or all that failed since a time, are sent again with the same id', async () => {
    await room.progress('a', 'f1', 10)
    await room.until(async () => (await room.deliveries())[0]?.state === 'delivered')
    const [first] = await room.deliveries()
    expect(await redeliver(room, 'a', { id: first?.id ?? '' })).toBe(1)
    await room.until(async () => (await room.deliveries())[0]?.attempts === 2)
    expect(room.receiver.received[1]?.headers['webhook-id']).toBe(first?.id)
    await room.db.updateTable('deliveries').set({ state: 'failed' }).execute()
    expect(await redeliver(room, 'a', { failedSince: room.now + 1 })).toBe(0)
    expect(await redeliver(room, 'b', { failedSince: room.now }).catch((error: Error) => error.message)).toMatch(
      /no webhook/,
    )
    expect(await redeliver(room, 'a', { failedSince: room.now })).toBe(1)
    await room.until(async () => (await room.deliveries())[0]?.attempts === 3)
  })

  test('the list is paged, newest first', async () => {
    for (let index = 0; index < 5; index += 1) {
      room.now += 1
      await room.progress('a', `f${index}`, 10)
    }
    await room.until(async () => (await room.deliveries()).every(({ state }) => state === 'delivered'))
    const all = { state: null, fileId: null, limit: 3 }
    const page = await listDeliveries(room.db, 'a', { ...all, before: null })
    expect(page.deliveries.map(({ file_id }) => file_id)).toEqual(['f4', 'f3', 'f2'])
    const [createdAt, id] = page.next_cursor?.split('-') ?? []
    const rest = await listDeliveries(room.db, 'a', { ...all, before: { createdAt: Number(createdAt), id: id ?? '' } })
    expect(rest.deliveries.map(({ file_id }) => file_id)).toEqual(['f1', 'f0'])
    expect(rest.next_cursor).toBeNull()
  })

  test('removing a webhook cancels pending deliveries', async () => {
    room.receiver.answer = (_received, response) => void response.writeHead(500).end()
    await room.progress('a', 'f1', 10)
    await room.until(async () => (await room.deliveries())[0]?.attempts === 1)
    await removeWebhook(room.db, 'a', room.now)
    expect(await room.deliveries()).toMatchObject([{ state: 'failed', error: 'The webhook was removed.' }])
  })
})

describe('isolation', () => {
  test('hanging receivers delay nobody else, and a crash halfway loses nothing', async () => {
    const hanging = new Set<ServerResponse>()
    room.receiver.answer = ({ body }, response) => {
      if (body.includes('hang')) hanging.add(response)
      else response.writeHead(200).end()
    }
    for (let account = 0; account < 50; account += 1) {
      await room.addAccount(`h${account}`)
      await setWebhook(room.db, `h${account}`, room.url(), room.now)
      for (let file = 0; file < 4; file += 1) await room.progress(`h${account}`, `hang-${account}-${file}`, 10)
    }
    await room.progress('a', 'f1', 10)
    await room.until(async () => (await room.deliveries('a'))[0]?.state === 'delivered')
    await room.until(() => hanging.size === 200)
    await room.sender.stop()
    expect(await room.deliveries('h7')).toMatchObject(
      Array.from({ length: 4 }, () => ({ state: 'waiting', attempts: 0 })),
    )
    // As after a crash, once their leases have expired.
    await room.db.updateTable('deliveries').set({ state: 'sending', next_attempt_at: null }).execute()
    room.receiver.answer = (_received, response) => void response.writeHead(200).end()
    room.sender = room.newSender()
    room.sender.start()
    await room.until(async () => (await room.deliveries('h7')).every(({ state }) => state === 'delivered'))
  })
})
