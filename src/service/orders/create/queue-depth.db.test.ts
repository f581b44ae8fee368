import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { queueAnswer } from '../../../contract/account/queue.ts'
import { defaultConfig } from '../../platform/config.ts'
import { OneNode } from '../../platform/db/hearing-pace.ts'
import { type FakeRecognizer, startFakeRecognizer } from '../../recognition/testing/fake-recognizer.ts'
import { makeSparseSpeech } from '../../recognition/testing/made-speech.ts'
import { accountClient } from '../../testing/account-client.ts'
import { fileForm, startTestService, type TestService } from '../../testing/test-service.ts'
import { delayReasons } from '../file/delays.ts'
import { type Queued, queuePosition, sumAhead } from './queue-depth.ts'

const minute = 60_000
const order = (id: string, accountId: string, createdAt: number, minutes: number): Queued => ({
  id,
  accountId,
  createdAt,
  leftMs: minutes * minute,
})

describe('the work ahead of an order', () => {
  test('is only itself if nothing else is queued', () => {
    expect(sumAhead([], order('a', 'A', 1, 5))).toEqual({ soundMs: 5 * minute, orders: 0 })
  })

  test('is its account’s earlier orders, and as much of each other account as it gets itself', () => {
    const queue = [order('1', 'A', 1, 10), order('2', 'B', 2, 500), order('3', 'C', 3, 4), order('4', 'A', 9, 70)]
    // Ten minutes of its own account, five of its own; B gets fifteen in that time, C all of its four.
    expect(sumAhead(queue, order('x', 'A', 5, 5))).toEqual({ soundMs: (15 + 15 + 4) * minute, orders: 2 })
  })

  test('never shrinks when more was ordered before it', () => {
    const one = fc.record({
      id: fc.uuid(),
      accountId: fc.constantFrom('A', 'B', 'C'),
      createdAt: fc.nat(1_000),
      leftMs: fc.nat(10_000_000),
    })
    const byAge = (queue: Queued[]) => queue.sort((a, b) => a.createdAt - b.createdAt)
    fc.assert(
      fc.property(fc.array(one), one, fc.nat(10_000_000), (queue, more, leftMs) => {
        const own = { id: 'own', accountId: 'A', createdAt: 2_000, leftMs }
        const [before, after] = [sumAhead(byAge([...queue]), own), sumAhead(byAge([...queue, more]), own)]
        expect(after.soundMs).toBeGreaterThanOrEqual(before.soundMs)
        expect(before.soundMs).toBeGreaterThanOrEqual(leftMs)
      }),
    )
  })
})

test('one section is recognized by one process: concurrency does not speed up a short recording', async () => {
  const seconds = async (hearing: number, minutes: number) => {
    const nodes = Object.assign(new OneNode(2), { hearing: async () => hearing })
    const platform = { nodes, config: { ...defaultConfig, workerParallel: 2 } }
    return (await queuePosition(platform, [], order('a', 'A', 1, minutes)))?.about_seconds
  }
  expect(await seconds(1, 10)).toBe(600)
  expect(await seconds(4, 10)).toBe(600)
  expect(await seconds(4, 160)).toBe(1_200)
  expect(await seconds(0, 10)).toBeUndefined()
})

/** The samples of a mono WAV as two channels, which last half as long. */
function asStereo(wav: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const header = new DataView(wav.buffer, wav.byteOffset)
  header.setUint16(22, 2, true)
  header.setUint32(28, 4 * header.getUint32(24, true), true)
  header.setUint16(32, 4, true)
  return wav
}

describe('the queue of a service', () => {
  let kit: TestService
  let server: FakeRecognizer
  afterEach(async () => {
    await kit.close()
    await server.close()
  })

  test('reports how many orders are ahead, and promises later orders for later', async () => {
    server = await startFakeRecognizer()
    kit = await startTestService({ recognizer: 'http', recognizerUrl: server.url, workerParallel: 1 })
    server.before = () => 'hang'
    const [one, other] = [await kit.account(), await kit.account()]
    const client = accountClient(kit.address, other.key)
    const place = async (path: string) => queueAnswer.parse(await client.read('GET', path)).place
    expect(await place('queue?seconds=30')).toEqual({ orders_before: 0, about_seconds: 30 })
    const automated = '?transcript_type=automated'
    const first = await kit.order(one.key, makeSparseSpeech(1), automated)
    await expect.poll(() => place('queue?seconds=30')).toEqual({ orders_before: 0, about_seconds: 60 })
    const second = await kit.order(other.key, makeSparseSpeech(1), automated)
    await expect.poll(() => place(`files/${second.id}/queue`)).toEqual({ orders_before: 1, about_seconds: 120 })
    const promised = async (key: string, id: string) => {
      const { created, delivery } = await kit.metadata(key, id)
      return (Date.parse(delivery) - Date.parse(created)) / 1_000
    }
    expect(await promised(one.key, first.id)).toBe(660)
    expect(await promised(other.key, second.id)).toBe(720)
    expect((await client.ask('GET', `files/${first.id}/queue`)).status).toBe(404)
    expect((await client.ask('GET', 'queue')).status).toBe(400)
  })

  test('orders in quick succession are promised one after the other', async () => {
    server = await startFakeRecognizer()
    kit = await startTestService({ recognizer: 'http', recognizerUrl: server.url, workerParallel: 1 })
    server.before = () => 'hang'
    const { key } = await kit.account()
    const speech = makeSparseSpeech(1)
    const orders = []
    for (let count = 0; count < 3; count += 1) orders.push(await kit.order(key, speech, '?transcript_type=automated'))
    const promised = await Promise.all(
      orders.map(async ({ id }) => {
        const { created, delivery } = await kit.metadata(key, id)
        return (Date.parse(delivery) - Date.parse(created)) / 1_000
      }),
    )
    expect(promised).toEqual([660, 720, 780])
  })

  test('an order of which each channel is heard alone takes as often as long', async () => {
    server = await startFakeRecognizer()
    kit = await startTestService({ recognizer: 'http', recognizerUrl: server.url, workerParallel: 1 })
    server.before = () => 'hang'
    const { key } = await kit.account()
    const answer = await kit.fetch(key, 'files?transcript_type=automated', {
      method: 'POST',
      headers: { 'Order-Sound': 'each' },
      body: fileForm(asStereo(makeSparseSpeech(2))),
    })
    const { id } = (await answer.json()) as { id: string }
    const { created, delivery } = await kit.metadata(key, id)
    expect(Date.parse(delivery) - Date.parse(created)).toBe(720_000)
    const client = accountClient(kit.address, key)
    const left = async () => queueAnswer.parse(await client.read('GET', `files/${id}/queue`)).place?.about_seconds
    await expect.poll(left).toBe(120)
  })

  test('a late order is postponed by the work still ahead of it', async () => {
    server = await startFakeRecognizer()
    kit = await startTestService({ recognizer: 'http', recognizerUrl: server.url, workerParallel: 1 })
    server.before = () => 'hang'
    const { key } = await kit.account()
    const speech = makeSparseSpeech(1)
    await kit.order(key, speech, '?transcript_type=automated')
    const { id } = await kit.order(key, speech, '?transcript_type=automated')
    const { delivery } = await kit.metadata(key, id)
    kit.advance(721_000)
    await kit.doChores()
    const late = await kit.metadata(key, id)
    // Ten minutes, its own one and the one before it, from now on: it was due a second ago.
    expect(Date.parse(late.delivery) - Date.parse(delivery)).toBe(721_000)
    expect(late.delay_reason).toBe(delayReasons.longer)
  })

  test('reports no time if nothing recognizes speech', async () => {
    server = await startFakeRecognizer()
    kit = await startTestService({ recognizer: 'http', recognizerUrl: null })
    const { key } = await kit.account()
    const client = accountClient(kit.address, key)
    const { id } = await kit.order(key, makeSparseSpeech(1), '?transcript_type=automated')
    expect(await client.read('GET', `files/${id}/queue`)).toEqual({ place: null })
    expect(await client.read('GET', 'queue?seconds=30')).toEqual({ place: null })
  })

  test('ignores a file that is not queued', async () => {
    server = await startFakeRecognizer()
    kit = await startTestService({ recognizer: 'http', recognizerUrl: server.url })
    const { key } = await kit.account()
    const client = accountClient(kit.address, key)
    const { id } = await client.read<{ id: string }>('POST', 'tools/files', { seconds: 60, progress_percent: 100 })
    expect(await client.read('GET', `files/${id}/queue`)).toEqual({ place: null })
  })
})
