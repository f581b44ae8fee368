import { expect, test } from 'vitest'
import type { FileEntry } from '../../../contract/account/file-pages.ts'
import type { AccountRates, Quote } from '../../../contract/account/quotes.ts'
import type { LedgerPage } from '../../../contract/account/usage.ts'
import { dayMs } from '../../../contract/common/durations.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { fileForm } from '../../testing/test-service.ts'
import { giveUp } from '../file/progress.ts'

const room = accountRoom({ role: 'api', freeMinutes: 2 })

async function order(seconds: number, headers: Record<string, string> = {}, type = 'automated'): Promise<Response> {
  const body = fileForm(await room.service.tone(seconds))
  return await room.service.fetch(room.account.key, `files?transcript_type=${type}`, { method: 'POST', headers, body })
}
async function metadata(answer: Response) {
  expect(answer.status).toBe(201)
  return await room.service.metadata(room.account.key, ((await answer.json()) as { id: string }).id)
}
const left = async () => (await room.client.read<AccountRates>('GET', 'rates')).free_minutes?.left_seconds
const charges = async () => (await room.client.read<LedgerPage>('GET', 'ledger?kind=charge')).entries

test('an account pays only beyond its free minutes of the month, which stand in metadata and ledger', async () => {
  expect(await metadata(await order(60))).toMatchObject({ cost: '0.10', discount: '0.10', total: 0 })
  expect(await left()).toBe(60)
  expect(await metadata(await order(90))).toMatchObject({ cost: '0.15', discount: '0.10', total: 0.05 })
  expect(await left()).toBe(0)
  expect(await metadata(await order(60))).toMatchObject({ discount: '0.00', total: 0.1 })
  expect((await charges()).map((each) => [each.amount_cents, each.free_seconds])).toEqual([
    [10, 0],
    [5, 60],
    [0, 60],
  ])
  // Staff are paid for each minute that they type.
  expect(await metadata(await order(60, {}, 'manual'))).toMatchObject({ total: 1.25 })
  room.service.advance(31 * dayMs)
  expect(await left()).toBe(120)
  const quote = await room.client.read<Quote>('POST', 'quotes', {
    files: [{ seconds: 60 }],
    options: { transcript_type: 'automated' },
  })
  expect(quote).toMatchObject({ total_cents: 10, free_minutes: { month_seconds: 120, left_seconds: 120 } })
  expect(await metadata(await order(60, { 'quote-id': quote.id }))).toMatchObject({ total: 0 })
})

test('of many orders at once, no two use the same minute', async () => {
  const sample = { seconds: 30, progress_percent: 0, transcript_type: 'automated' }
  const made = await Promise.all(Array.from({ length: 10 }, () => room.client.ask('POST', 'tools/files', sample)))
  expect(made.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201))
  const entries = await charges()
  expect(entries.reduce((sum, { free_seconds = 0 }) => sum + free_seconds, 0)).toBe(120)
  const paidMs = entries.reduce((sum, { seconds, free_seconds = 0 }) => sum + (seconds - free_seconds) * 1_000, 0)
  const cents = entries.reduce((sum, { amount_cents }) => sum + amount_cents, 0)
  // A part of a cent may be rounded up in each.
  expect(Math.abs(cents - (paidMs * 10) / 60_000)).toBeLessThan(10)
  expect(await left()).toBe(0)
})

test('minutes of an order that is refused, deleted before it is done, or lost in a crash, are free again', async () => {
  const refused = await order(300, { 'max-total-cents': '1' })
  expect([refused.status, await left()]).toEqual([400, 120])
  const { id } = (await (await order(60)).json()) as { id: string }
  expect(await left()).toBe(60)
  await room.client.read('POST', `tools/files/${id}/progress`, { progress_percent: 50 })
  expect((await room.service.fetch(room.account.key, `file/${id}`, { method: 'DELETE' })).status).toBe(200)
  expect(await left()).toBe(90)
  const { db, clock } = room.service.platform
  const lost = { file_id: 'f_lost', account_id: room.account.id, ms: 90_000, is_settled: 0, created_at: clock() }
  await db.insertInto('free_minutes').values(lost).execute()
  expect(await left()).toBe(0)
  room.service.advance(60 * 60_000 + 1)
  await room.service.doChores()
  expect(await left()).toBe(90)
})

test('an order of free minutes that is given up is listed as that, though nothing is refunded', async () => {
  const { id } = (await (await order(60)).json()) as { id: string }
  await giveUp(room.service.platform, id, 'Damaged.')
  const { given_up, metadata } = await room.client.read<FileEntry>('GET', `files/${id}`)
  expect([given_up, metadata.refund_amount, metadata.delay_reason]).toEqual([true, '0.00', 'Damaged.'])
  expect(await left()).toBe(120)
})

test('an order may leave minutes to others', async () => {
  expect(await metadata(await order(60, { 'free-seconds': '0' }))).toMatchObject({ total: 0.1 })
  expect(await metadata(await order(60, { 'free-seconds': '30.5' }))).toMatchObject({ total: 0.05 })
  expect(await left()).toBe(89.5)
  expect((await order(1, { 'free-seconds': 'all' })).status).toBe(400)
})
