import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount } from '../accounts/auth/accounts.ts'
import type { Db } from '../platform/db/open.ts'
import type { Staff } from '../platform/db/schema.ts'
import { openTestDbs } from '../testing/test-dbs.ts'
import { testStart } from '../testing/test-service.ts'
import { giveBack, holdMs, longestHoldMs, renewHold, requireHeld, takePart } from './claims.ts'
import { readQueue } from './queue.ts'
import { addStaff, revokeStaff } from './staff.ts'
import { endStaleClaims } from './stale-claims.ts'
import { insertParts } from './testing/insert-parts.ts'

let dbs: readonly [Db, Db]
let remove: () => Promise<void>
let account: string
let now = testStart
beforeAll(async () => {
  ;({ dbs, remove } = await openTestDbs())
  account = (await createAccount(dbs[0], { environment: 'live', name: 'Secret Customer' }, now)).accountId
})
afterAll(() => remove())

async function member(role: Staff['role'] = 'typist'): Promise<Staff> {
  const { id } = await addStaff(dbs[0], { name: 'Ann', role }, now)
  return await dbs[0].selectFrom('staff').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}
const next = { part: null }
const first = async (db: Db, staff: Staff) => (await takePart(db, staff, next, now)).part
const statusOf = (refused: Promise<unknown>) =>
  refused.then(
    () => 0,
    (error: { status: number }) => error.status,
  )

test('fifty people claiming 200 parts concurrently never share one, and none is lost', async () => {
  const parts: string[] = []
  for (let order = 0; order < 10; order += 1) parts.push(...(await insertParts(dbs[0], account, { parts: 20 })))
  const people = await Promise.all(Array.from({ length: 50 }, () => member()))
  const holders = new Map<string, string>()
  const done = new Set<string>()
  let claims = 0
  let together = 0

  async function work(staff: Staff, index: number): Promise<void> {
    const db = dbs[(index % 2) as 0 | 1]
    for (let turn = 0; turn < 24; turn += 1) {
      const taken = await takePart(db, staff, next, now).catch((error) => {
        if (error.status !== 404) throw error
        return null
      })
      if (taken === null) continue
      claims += 1
      if (holders.has(taken.part)) together += 1
      holders.set(taken.part, staff.id)
      const claim = [taken.part, taken.claim] as const
      await renewHold(db, staff, claim, [], now)
      holders.delete(taken.part)
      done.add(taken.part)
      await giveBack(db, staff, claim, 'no-time', now)
    }
  }
  await Promise.all(people.map(work))
  expect(together).toBe(0)
  expect(claims).toBe(1_200)
  const rows = await dbs[0].selectFrom('work_parts').select(['id', 'claim', 'staff_id']).execute()
  expect(rows.map(({ id }) => id).sort()).toEqual(parts.sort())
  expect(rows.every(({ staff_id }) => staff_id === null)).toBe(true)
  expect(rows.reduce((sum, { claim }) => sum + claim, 0)).toBe(claims)
  const books = await dbs[0].selectFrom('work_claims').select(['ending', 'ended_at']).execute()
  expect(books).toHaveLength(claims)
  expect(books.every(({ ending, ended_at }) => ending === 'returned' && ended_at !== null)).toBe(true)
  await dbs[0].deleteFrom('files').execute()
})

test('a hold lasts a quarter of an hour, is renewed up to a day, and an ended one changes nothing', async () => {
  const [part = ''] = await insertParts(dbs[0], account, { parts: 1 })
  const [ann, bob] = [await member(), await member()]
  const claim = await takePart(dbs[0], ann, next, now)
  expect(Date.parse(claim.held_until)).toBe(now + holdMs)
  expect(await statusOf(takePart(dbs[1], bob, { part }, now))).toBe(409)
  const key = [part, claim.claim] as const
  for (const begun = now; now < begun + longestHoldMs - holdMs; now += holdMs - 1) {
    await renewHold(dbs[0], ann, key, [], now)
  }
  now += holdMs
  await renewHold(dbs[0], ann, key, [[0, 5]], now).catch(() => undefined)
  now += holdMs
  expect(await statusOf(renewHold(dbs[0], ann, key, [], now)), 'after a day').toBe(409)
  expect(await statusOf(giveBack(dbs[0], ann, key, 'no-time', now))).toBe(409)
  const others = await takePart(dbs[1], bob, next, now)
  expect(others.claim).toBe(2)
  expect(await statusOf(renewHold(dbs[0], ann, key, [], now)), 'with an old claim').toBe(409)
  expect(await statusOf(renewHold(dbs[0], ann, [part, 2], [], now)), 'with another one’s').toBe(409)
  const books = await dbs[0]
    .selectFrom('work_claims')
    .selectAll()
    .where('part_id', '=', part)
    .orderBy('claim')
    .execute()
  expect(books).toMatchObject([
    { staff_id: ann.id, ending: 'expired' },
    { staff_id: bob.id, ending: null },
  ])
  expect((books[0]?.ended_at ?? 0) - (books[0]?.claimed_at ?? 0)).toBeLessThanOrEqual(longestHoldMs)
  await dbs[0].deleteFrom('files').execute()
})

test('a clock that jumps back or ahead gives no part two holders', async () => {
  const [part = ''] = await insertParts(dbs[0], account, { parts: 1 })
  const [ann, bob] = [await member(), await member()]
  const { claim } = await takePart(dbs[0], ann, next, now)
  expect(await statusOf(takePart(dbs[1], bob, next, now - longestHoldMs))).toBe(404)
  await renewHold(dbs[0], ann, [part, claim], [], now - longestHoldMs)
  const others = await takePart(dbs[1], bob, next, now + longestHoldMs)
  expect(await statusOf(renewHold(dbs[0], ann, [part, claim], [], now))).toBe(409)
  await renewHold(dbs[1], bob, [part, others.claim], [], now)
  await dbs[0].deleteFrom('files').execute()
})

test('the queue lists claimable parts by due date, page by page; refusals have a message', async () => {
  const late = await insertParts(dbs[0], account, { parts: 3, dueAt: now + 2 })
  const soon = await insertParts(dbs[0], account, { parts: 2, dueAt: now + 1 })
  const [review = ''] = await insertParts(dbs[0], account, { parts: 1, step: 'review', dueAt: now })
  const [typist, reviewer] = [await member(), await member('reviewer')]
  const read = async (staff: Staff, step?: 'type') => {
    const ids: string[] = []
    for (let cursor: string | null = '0-'; cursor !== null; ) {
      const [createdAt = '', id = ''] = cursor.split('-')
      const page = await readQueue(dbs[0], staff, now, {
        ...{ step, cursor: { createdAt: Number(createdAt), id }, limit: 2, pay: null },
      })
      ids.push(...page.parts.map((entry) => entry.id))
      cursor = page.next_cursor
    }
    return ids
  }
  expect(await read(typist)).toEqual([...soon, ...late])
  expect(await read(reviewer)).toEqual([review, ...soon, ...late])
  expect(await read(reviewer, 'type')).toEqual([...soon, ...late])
  expect(await statusOf(takePart(dbs[0], typist, { part: review }, now))).toBe(403)
  expect(await statusOf(takePart(dbs[0], typist, { part: 'gone' }, now))).toBe(404)
  await dbs[0]
    .updateTable('work_parts')
    .set({ assigned_to: typist.id })
    .where('id', '=', late[1] ?? '')
    .execute()
  expect(await read(typist)).toEqual([late[1], ...soon, late[0], late[2]])
  expect(await statusOf(takePart(dbs[0], reviewer, { part: late[1] ?? '' }, now))).toBe(409)
  const [again = ''] = await insertParts(dbs[0], account, { parts: 1, step: 'check', dueAt: now - 1 })
  const delivered = { position: 0, reached: 3, waiting_since: now }
  await dbs[0].updateTable('work_parts').set(delivered).where('id', '=', again).execute()
  // A re-review is due a day after its request, regardless of the order's date.
  expect((await read(reviewer)).at(-1)).toBe(again)
  await dbs[0].deleteFrom('files').execute()
})

test('the typist of a part cannot review it', async () => {
  const [part = ''] = await insertParts(dbs[0], account, { parts: 1 })
  const ann = await member('manager')
  const { claim } = await takePart(dbs[0], ann, next, now)
  await dbs[0].updateTable('work_claims').set({ saves: 1 }).where('part_id', '=', part).execute()
  await giveBack(dbs[0], ann, [part, claim], 'no-time', now)
  await dbs[0].updateTable('work_parts').set({ step: 'review' }).where('id', '=', part).execute()
  expect(await statusOf(takePart(dbs[0], ann, { part }, now))).toBe(403)
  expect(await statusOf(takePart(dbs[0], ann, next, now))).toBe(404)
  expect(await first(dbs[0], await member('reviewer'))).toBe(part)
  await dbs[0].deleteFrom('files').execute()
})

test('claims of ended holds and deleted orders are closed even if nobody returns', async () => {
  const [expires = '', deleted = ''] = [
    ...(await insertParts(dbs[0], account, { parts: 1 })),
    ...(await insertParts(dbs[0], account, { parts: 1 })),
  ]
  const ann = await member()
  const begun = now
  await takePart(dbs[0], ann, { part: expires }, now)
  await takePart(dbs[0], ann, { part: deleted }, now)
  await endStaleClaims({ db: dbs[0], clock: () => now })
  const bookOf = (part: string) =>
    dbs[0].selectFrom('work_claims').select(['ending', 'ended_at']).where('part_id', '=', part).executeTakeFirst()
  expect([await bookOf(expires), await bookOf(deleted)]).toEqual(Array(2).fill({ ending: null, ended_at: null }))
  await dbs[0].deleteFrom('work_parts').where('id', '=', deleted).execute()
  now += 2 * holdMs
  await endStaleClaims({ db: dbs[0], clock: () => now })
  expect(await bookOf(expires)).toEqual({ ending: 'expired', ended_at: begun + holdMs })
  expect(await bookOf(deleted)).toEqual({ ending: 'deleted', ended_at: now })
  await dbs[0].deleteFrom('files').execute()
})

test('hours outlive an order that was deleted, and a revoked key frees its parts', async () => {
  const [part = '', other = ''] = await insertParts(dbs[0], account, { parts: 2 })
  const [ann, bob] = [await member(), await member()]
  const { claim } = await takePart(dbs[0], ann, { part }, now)
  await takePart(dbs[0], bob, { part: other }, now)
  expect(await revokeStaff(dbs[0], bob.id, now)).toBe(true)
  expect(await first(dbs[0], await member())).toBe(other)
  await dbs[0].deleteFrom('files').execute()
  now += 60_000
  expect(await statusOf(requireHeld(dbs[0], ann, part, claim, now))).toBe(410)
  expect(await statusOf(requireHeld(dbs[0], await member(), part, claim, now)), 'to anybody else').toBe(404)
  const book = await dbs[0].selectFrom('work_claims').selectAll().where('part_id', '=', part).executeTakeFirst()
  expect(book).toMatchObject({ ending: 'deleted', ended_at: now, claimed_at: now - 60_000 })
})
