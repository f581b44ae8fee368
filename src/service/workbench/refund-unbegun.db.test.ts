import { CompiledQuery, type KyselyPlugin, sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { LedgerPage } from '../../contract/account/usage.ts'
import { setWebhook } from '../accounts/webhooks/endpoint.ts'
import { isUnbegun, isUnfinished } from '../orders/file/unbegun.ts'
import { delay } from '../start/cli/operate.ts'
import { type AccountClient, accountClient } from '../testing/account-client.ts'
import { accountRoom } from '../testing/account-room.ts'
import { authorization } from '../testing/ask-api.ts'
import { refundUnbegun } from './refund-unbegun.ts'
import { hire } from './testing/work-room.ts'

const room = accountRoom({ role: 'api' })
let live: { id: string; key: string }
let client: AccountClient
beforeEach(async () => {
  live = await room.service.account({ environment: 'live' })
  client = accountClient(room.service.address, live.key)
  const { db, clock } = room.service.platform
  await setWebhook(db, live.id, 'https://unreachable.invalid/', clock())
})

/** A manual order of a minute, $1.25, cut into one part. */
async function order() {
  const { service } = room
  const { id } = await service.order(live.key, await service.tone(60))
  const part = `p_${id}`
  const row = { id: part, file_id: id, account_id: live.id, position: 1, step: 'type' as const }
  const { db, clock } = service.platform
  await db
    .insertInto('work_parts')
    .values({ ...row, start_ms: 0, end_ms: 60_000, waiting_since: clock() })
    .execute()
  await db
    .insertInto('work_texts')
    .values({ part_id: part, words_json: '[]', names_json: '[]', fingerprint: '', words: 0 })
    .execute()
  return { id, part, due: Date.parse((await service.metadata(live.key, id)).delivery) }
}
const advanceTo = (time: number) => room.service.advance(time - room.service.platform.clock())
const refunds = async () => (await client.read<LedgerPage>('GET', 'ledger?kind=refund')).entries
const metadata = (id: string) => room.service.metadata(live.key, id)
const told = (id: string) =>
  room.service.platform.db
    .selectFrom('deliveries')
    .select('id')
    .where('file_id', '=', id)
    .where('state', '=', 'waiting')
    .execute()

test('an order that nobody has begun on its delivery date is refunded in full, once, and told', async () => {
  const { id, due } = await order()
  advanceTo(due - 1)
  await room.service.doChores()
  expect(await metadata(id)).toMatchObject({ refund_amount: '0.00', delivery: new Date(due).toISOString() })
  // What still waits to be sent tells this, too.
  await room.service.platform.db.updateTable('deliveries').set({ state: 'delivered' }).execute()
  advanceTo(due)
  await room.service.doChores()
  await room.service.doChores()
  const words = 'Nobody had begun this order on its delivery date. USD 1.25 is refunded.'
  expect(await metadata(id)).toMatchObject({ refund_amount: '1.25', delay_reason: words, progress_percent: 0 })
  expect(await refunds()).toMatchObject([{ amount_cents: -125, reason: 'not-begun', file_id: id }])
  expect(await told(id)).toHaveLength(1)
  const [head, ...lines] = (await (await client.ask('GET', 'ledger.csv')).text()).split('\r\n')
  expect([head, lines[0]]).toEqual([
    expect.stringMatching(/,reason,free_seconds,failed_amount$/),
    expect.stringMatching(/,"not-begun",0,$/),
  ])
  expect((await room.service.fetch(live.key, `file/${id}`, { method: 'DELETE' })).status).toBe(200)
  expect(await refunds()).toHaveLength(1)
})

test('one that is being typed is put off as before, and refunded only if what was begun came to nothing', async () => {
  const { service } = room
  const typist = await hire(service, 'typist')
  const [held, typed] = [await order(), await order()]
  await service.platform.db.updateTable('work_texts').set({ revision: 1 }).where('part_id', '=', typed.part).execute()
  advanceTo(held.due - 60_000)
  await typist.take(held.part)
  advanceTo(held.due + 1_000)
  await service.doChores()
  expect(await refunds()).toEqual([])
  const later = Date.parse((await metadata(held.id)).delivery)
  expect(later).toBeGreaterThan(held.due)
  advanceTo(later)
  await service.doChores()
  expect((await refunds()).map(({ file_id }) => file_id)).toEqual([held.id])
  // The part cannot be taken any more.
  expect((await typist.ask('POST', 'claims', { part: held.part })).status).toBe(409)
})

test('an operator moves the date with a reason, which the customer sees, and it counts then', async () => {
  const { id, due } = await order()
  const until = new Date(Math.max(due, Date.now()) + 30 * 24 * 60 * 60_000).toISOString()
  await delay(room.service.platform.db, id, 'queue', until)
  advanceTo(due)
  await room.service.doChores()
  expect(await metadata(id)).toMatchObject({ delivery: until, delay_reason: expect.stringMatching(/More was ordered/) })
  expect(await refunds()).toEqual([])
  advanceTo(Date.parse(until))
  await room.service.doChores()
  expect(await refunds()).toHaveLength(1)
})

test('a claim at the moment of the refund gets the part or not, and the order is typed or refunded, never both', async () => {
  const { service } = room
  const typist = await hire(service, 'typist')
  for (let round = 0; round < 6; round += 1) {
    const { id, part, due } = await order()
    advanceTo(due)
    const [claim] = await Promise.all([typist.ask('POST', 'claims', { part }), refundUnbegun(service.platform)])
    const isRefunded = (await metadata(id)).refund_amount !== '0.00'
    expect([201, 200].includes(claim.status)).toBe(!isRefunded)
  }
})

test('killed at any statement, the refund is made once by the next pass', async () => {
  const { id, due } = await order()
  advanceTo(due)
  const { platform } = room.service
  let rolledBack = 0
  for (let diesAt = 1; ; diesAt += 1) {
    let calls = 0
    const mortal: KyselyPlugin = {
      transformQuery({ node }) {
        calls += 1
        if (calls >= diesAt) throw new Error('killed')
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const died = await refundUnbegun({ ...platform, db: platform.db.withPlugin(mortal) }).then(
      () => false,
      () => true,
    )
    if (!died) break
    if ((await refunds()).length === 0) rolledBack += 1
  }
  expect(rolledBack).toBeGreaterThan(10)
  await refundUnbegun(platform)
  expect(await refunds()).toMatchObject([{ amount_cents: -125 }])
  expect(await metadata(id)).toMatchObject({ refund_amount: '1.25' })
})

test('a manual order where nobody types says so in its answer; one that somebody types does not', async () => {
  const { service } = room
  const { db, clock } = service.platform
  await db.updateTable('staff').set({ revoked_at: clock() }).where('revoked_at', 'is', null).execute()
  const warning = async (query: string) =>
    (await service.post(live.key, await service.tone(1), query)).headers.get('order-warning')
  expect(await warning('?transcript_type=manual')).toMatch(/Nobody types manual orders here .* refunded in full/)
  expect(await warning('?transcript_type=automated')).toBeNull()
  // The last answer of a resumable upload, too.
  const sound = await service.tone(1)
  const metadata = { filetype: 'audio/wav', options: 'transcript_type=manual' }
  const uploaded = await fetch(new URL('/uploads', service.address), {
    method: 'POST',
    headers: {
      ...{ authorization: authorization(live.key), 'tus-resumable': '1.0.0', 'upload-length': String(sound.length) },
      'content-type': 'application/offset+octet-stream',
      'upload-metadata': Object.entries(metadata)
        .map(([name, value]) => `${name} ${btoa(value)}`)
        .join(),
    },
    body: sound as Uint8Array<ArrayBuffer>,
  })
  expect([uploaded.status, uploaded.headers.get('order-warning')]).toEqual([201, expect.stringMatching(/Nobody types/)])
  await hire(service, 'typist')
  expect(await warning('?transcript_type=manual')).toBeNull()
})

test('what chores look for several times a minute is found by an index', async () => {
  const { db, config } = room.service.platform
  const late = db.selectFrom('files').select('id').where('delivery_at', '<', 1)
  for (const query of [
    late.where(isUnfinished),
    late.where(isUnbegun(1)),
    db.selectFrom('files').select('id').where(isUnbegun(1)),
  ]) {
    const plan = await db.transaction().execute(async (trx) => {
      const { sql: text, parameters } = query.compile()
      const explain = (how: string) => trx.executeQuery(CompiledQuery.raw(`${how} ${text}`, [...parameters]))
      if (config.postgres === null) return await explain('explain query plan')
      // It reads so small a table as a whole, if it may.
      await sql`set local enable_seqscan = off`.execute(trx)
      return await explain('explain')
    })
    expect(JSON.stringify(plan.rows)).toContain('files_unfinished')
  }
})
