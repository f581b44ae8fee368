import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ManagedFiles, ManagedPart, PayMonth, StaffMember } from '../../contract/work/managers.ts'
import type { Claim, QueuePage } from '../../contract/work/parts.ts'
import { startTestService, type TestAccount, type TestService } from '../testing/test-service.ts'
import { revokeStaff } from './staff.ts'
import { hire, openDesk, type, typedOrder, type Worker, withClaim } from './testing/work-room.ts'

let kit: TestService
let account: TestAccount
let typist: Worker
let reviewer: Worker
let other: Worker
let manager: Worker
beforeAll(async () => {
  kit = await startTestService({ workPay: { currency: 'EUR', perMinute: { type: 1, review: 0.5, check: 0.1 } } })
  account = await kit.account({ environment: 'live' })
})
beforeEach(async () => {
  const { db } = kit.platform
  for (const table of ['work_parts', 'work_claims', 'staff'] as const) await db.deleteFrom(table).execute()
  typist = await hire(kit, 'typist', 'Tim')
  reviewer = await hire(kit, 'reviewer', 'Rita')
  other = await hire(kit, 'reviewer', 'Otto')
  manager = await hire(kit, 'manager', 'Mary')
})
afterAll(() => kit.close())

const progress = async (id: string) => (await kit.metadata(account.key, id)).progress_percent
const partsOf = async (id: string) => (await manager.read<{ parts: ManagedPart[] }>('GET', `files/${id}`)).parts
const queue = (worker: Worker) => worker.read<QueuePage>('GET', 'queue')
const month = () => manager.read<PayMonth>('GET', 'pay')
const payOf = async (worker: Worker) => (await month()).people.find(({ id }) => id === worker.id)
const decide = (claim: Claim, accepted: boolean) =>
  manager.ask('POST', `parts/${claim.part}/claims/${claim.claim}/decide`, { accepted })

/** Submits a part with nothing heard or changed. */
async function pretend(worker: Worker, claim: Claim, revision = 0): Promise<void> {
  const { sheet } = await openDesk(worker, claim)
  const done = { revision, ticked: sheet.map(({ id }) => id), reason: 'only a trial' }
  await worker.read('POST', `parts/${claim.part}/submit`, done, withClaim(claim))
}

test('work that nobody did is neither paid nor delivered before a manager accepts it, and everybody sees why', async () => {
  const id = await typedOrder(kit, account, 120)
  const typed = await typist.take()
  const asked = await typist.read('GET', `parts/${typed.part}/unheard`, undefined, withClaim(typed))
  expect(asked).toMatchObject({
    share: 0,
    doubts: 0,
    blanks: 0,
    words: 60,
    changed_words: 0,
    odd: ['unheard', 'unchanged'],
  })
  await pretend(typist, typed)
  const review = await reviewer.take()
  const figures = { heard: 0, words: 60, changed_words: 0, explanation: 'only a trial', odd: ['unheard', 'unchanged'] }
  expect((await openDesk(reviewer, review)).before).toMatchObject([{ step: 'type', person: 1, ...figures }])
  await pretend(reviewer, review)
  const check = await other.take()
  expect((await openDesk(other, check)).before).toMatchObject([
    { position: 1, step: 'type', person: 1 },
    { position: 1, step: 'review', person: 2, heard: 0, odd: ['unheard'] },
  ])
  await other.finish(check)
  expect(await progress(id)).toBe(85)
  const { files } = await manager.read<ManagedFiles>('GET', 'files')
  expect(files).toMatchObject([{ id, is_checked: true, to_decide: 2 }])
  expect((await partsOf(id)).flatMap(({ history }) => history)).toMatchObject([
    { step: 'check', verdict: null, odd: [], heard: 1 },
    { step: 'type', verdict: 'waiting', ...figures },
    { step: 'review', verdict: 'waiting', heard: 0 },
  ])
  expect(await payOf(typist)).toMatchObject({ typed: 0, minutes: 0, earned: 0, waiting: 200 })
  expect((await decide(typed, true)).status).toBe(204)
  expect((await decide(typed, true)).status, 'twice').toBe(409)
  expect(await progress(id)).toBe(85)
  expect((await decide(review, true)).status).toBe(204)
  await kit.until(async () => (await progress(id)) === 100)
  expect(await payOf(typist)).toMatchObject({ typed: 1, minutes: 2, earned: 200, waiting: 0 })
  const { staff } = await manager.read<{ staff: StaffMember[] }>('GET', 'staff')
  expect(staff[0], 'a review that heard nothing says nothing').toMatchObject({ name: 'Tim', changed_by_review: null })
})

test('a refused step is not paid and is done again, and the check with it', async () => {
  const id = await typedOrder(kit, account, 120)
  const typed = await typist.take()
  await pretend(typist, typed)
  const review = await reviewer.take()
  await pretend(reviewer, review)
  await other.finish(await other.take())
  expect((await decide(review, false)).status).toBe(204)
  expect(await queue(typist), 'its typing stands').toMatchObject({ parts: [] })
  const again = await reviewer.take()
  expect(await openDesk(reviewer, again)).toMatchObject({ part: { step: 'review', rework: ['unheard'] }, heard: [] })
  await reviewer.finish(again)
  expect((await decide(typed, false)).status).toBe(204)
  const retyped = await typist.take()
  await typist.finish(retyped)
  await reviewer.finish(await reviewer.take())
  await other.finish(await other.take())
  await kit.until(async () => (await progress(id)) === 100)
  expect(await payOf(typist)).toMatchObject({ typed: 1, refused: 1, earned: 200, waiting: 0 })
  expect(await payOf(reviewer), 'a second review of the same part earns nothing').toMatchObject({
    refused: 1,
    earned: 100,
  })
  expect(await payOf(other)).toMatchObject({ checked: 2, earned: 20 })
})

test('a part is paid once a step, and a review also if it sends the part back, which counts apart', async () => {
  await typedOrder(kit, account, 120)
  await typist.finish(await typist.take())
  const review = await reviewer.take()
  await reviewer.read('POST', `parts/${review.part}/hold`, { heard: [[0, 120]] }, withClaim(review))
  await reviewer.read('POST', `parts/${review.part}/reopen`, { reasons: ['missing'] }, withClaim(review))
  expect((await queue(typist)).parts).toMatchObject([{ rework: ['missing'], pay: 'EUR 0.00' }])
  const again = await typist.take()
  expect((await openDesk(typist, again)).before).toMatchObject([
    { step: 'type' },
    { step: 'review', was_sent_back: true },
  ])
  await type(typist, again, 0, 1, ['Anew'], 1)
  await typist.finish(again)
  await reviewer.finish(await reviewer.take())
  expect(await payOf(typist)).toMatchObject({ typed: 2, earned: 200, waiting: 0 })
  expect(await payOf(reviewer)).toMatchObject({ reviewed: 2, sent_back: 1, earned: 100 })
  const { staff } = await manager.read<{ staff: StaffMember[] }>('GET', 'staff')
  expect(staff.find(({ name }) => name === 'Rita')).toMatchObject({ given_back: 0, sent_back: 1, submitted: 1 })
})

test('a month has what became payable in it, of people whose key was revoked, too', async () => {
  await typedOrder(kit, account, 120)
  const typed = await typist.take()
  await pretend(typist, typed)
  const before = (await month()).month
  kit.advance(31 * 24 * 3_600_000)
  expect((await decide(typed, true)).status).toBe(204)
  await kit.platform.db.updateTable('staff').set({ revoked_at: 1 }).where('id', '=', typist.id).execute()
  expect(await payOf(typist)).toMatchObject({ name: 'Tim', earned: 200 })
  const { staff } = await manager.read<{ staff: StaffMember[] }>('GET', 'staff')
  expect(
    staff.map(({ name }) => name),
    'worked more than 30 days ago',
  ).toEqual(['Rita', 'Otto', 'Mary'])
  expect((await manager.read<PayMonth>('GET', `pay?month=${before}`)).people).toEqual([])
  expect((await manager.ask('GET', 'pay?month=2026-13')).status).toBe(400)
  expect((await reviewer.ask('GET', 'pay')).status).toBe(403)
})

/** Leaves only some words of a part's draft. @returns the revision */
async function cutTo(worker: Worker, claim: Claim, left: number): Promise<number> {
  const { words } = await openDesk(worker, claim)
  expect((await type(worker, claim, left, words.length, [])).status).toBe(200)
  return 1
}

test('a text that is empty or has under half of its draft needs a reason and waits for a manager', async () => {
  const id = await typedOrder(kit, account, 120)
  const typed = await typist.take()
  await typist.read('POST', `parts/${typed.part}/hold`, { heard: [[0, 120]] }, withClaim(typed))
  const { sheet } = await openDesk(typist, typed)
  const submit = (revision: number) =>
    typist.ask(
      'POST',
      `parts/${typed.part}/submit`,
      { revision, ticked: sheet.map((line) => line.id) },
      withClaim(typed),
    )
  await cutTo(typist, typed, 0)
  const refused = await submit(1)
  expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('The text is empty.')])
  const asked = await typist.read('GET', `parts/${typed.part}/unheard`, undefined, withClaim(typed))
  expect(asked).toMatchObject({ words: 0, changed_words: 60, share: 1, odd: ['short'] })
  await pretend(typist, typed, 1)
  expect(await payOf(typist)).toMatchObject({ typed: 0, earned: 0, waiting: 200 })
  const review = await reviewer.take()
  await reviewer.read('POST', `parts/${review.part}/hold`, { heard: [[0, 120]] }, withClaim(review))
  await reviewer.read('POST', `parts/${review.part}/reopen`, { reasons: ['missing'] }, withClaim(review))
  expect(await payOf(reviewer), 'whoever sends it back did not leave it empty').toMatchObject({ earned: 100 })
  expect((await partsOf(id)).flatMap(({ history }) => history)).toMatchObject([
    { step: 'type', verdict: 'waiting', odd: ['short'] },
    { step: 'review', verdict: null, odd: [] },
  ])
})

test('a text with half of the words of its draft is not odd', async () => {
  await typedOrder(kit, account, 120)
  const typed = await typist.take()
  const odd = async (left: number) => {
    const { words } = await openDesk(typist, typed)
    await type(typist, typed, left, words.length, [])
    return await typist.read('GET', `parts/${typed.part}/unheard`, undefined, withClaim(typed))
  }
  await typist.read('POST', `parts/${typed.part}/hold`, { heard: [[0, 120]] }, withClaim(typed))
  expect(await odd(30)).toMatchObject({ words: 30, odd: [] })
})

test('without a draft a text needs ten words a minute', async () => {
  await typedOrder(kit, account, 120)
  await kit.platform.db.updateTable('work_texts').set({ words_json: '[]', words: 0 }).execute()
  const typed = await typist.take()
  await typist.read('POST', `parts/${typed.part}/hold`, { heard: [[0, 120]] }, withClaim(typed))
  const odd = () => typist.read('GET', `parts/${typed.part}/unheard`, undefined, withClaim(typed))
  const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`)
  expect((await type(typist, typed, 0, 0, words(19))).status).toBe(200)
  expect(await odd()).toMatchObject({ words: 19, odd: ['short'] })
})

test('a check in which its checker heard nothing says so and waits for a manager', async () => {
  const id = await typedOrder(kit, account, 120)
  await typist.finish(await typist.take())
  await reviewer.finish(await reviewer.take())
  const check = await other.take()
  const asked = () => other.read('GET', `parts/${check.part}/unheard`, undefined, withClaim(check))
  expect(await asked(), 'reviewers heard all of it').toMatchObject({ share: 1, heard: 0, odd: ['unheard'] })
  await pretend(other, check)
  expect(await progress(id)).toBe(85)
  expect((await partsOf(id))[0]?.history).toMatchObject([{ step: 'check', heard: 0, verdict: 'waiting' }])
  expect(await payOf(other)).toMatchObject({ checked: 0, earned: 0, waiting: 20 })
  expect((await decide(check, false)).status).toBe(204)
  const again = await other.take()
  await other.read('POST', `parts/${again.part}/hold`, { heard: [[0, 120]] }, withClaim(again))
  await pretend(other, again)
  await kit.until(async () => (await progress(id)) === 100)
})

test('a check of which a tenth was heard by its checker, and the rest by reviewers, is not odd', async () => {
  const id = await typedOrder(kit, account, 120)
  await typist.finish(await typist.take())
  await reviewer.finish(await reviewer.take())
  const check = await other.take()
  await other.read('POST', `parts/${check.part}/hold`, { heard: [[50, 64]] }, withClaim(check))
  await pretend(other, check)
  await kit.until(async () => (await progress(id)) === 100)
})

test('a manager decides about their own odd step only if there is no other, and that is told', async () => {
  const id = await typedOrder(kit, account, 120)
  const second = await hire(kit, 'manager', 'Max')
  const typed = await manager.take()
  await pretend(manager, typed)
  for (const accepted of [true, false]) {
    const refused = await decide(typed, accepted)
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('another manager decides')])
  }
  expect(await payOf(manager)).toMatchObject({ earned: 0, waiting: 200 })
  await revokeStaff(kit.platform.db, second.id, kit.platform.clock())
  expect((await decide(typed, true)).status).toBe(204)
  const history = (await partsOf(id)).flatMap((part) => part.history)
  expect(history).toMatchObject([{ verdict: 'accepted', is_own_verdict: true }])
  const review = await reviewer.take()
  await pretend(reviewer, review)
  expect((await decide(review, true)).status).toBe(204)
  expect((await partsOf(id)).flatMap((part) => part.history)).toMatchObject([
    { step: 'type', is_own_verdict: true },
    { step: 'review', is_own_verdict: false },
  ])
})

test('an order is checked by somebody who did not review it, if there is such a person', async () => {
  await typedOrder(kit, account, 120)
  await typist.finish(await typist.take())
  await reviewer.finish(await reviewer.take())
  expect((await queue(reviewer)).parts).toEqual([])
  const [check] = (await queue(other)).parts
  const refused = await reviewer.ask('POST', 'claims', { part: check?.id })
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('somebody else checks it')])
  await kit.platform.db.updateTable('staff').set({ revoked_at: 1 }).where('id', 'in', [other.id, manager.id]).execute()
  expect((await queue(reviewer)).parts).toMatchObject([{ id: check?.id }])
})

test('what a reviewer or checker changed before sending a part back is not the work of the next typist', async () => {
  await typedOrder(kit, account, 120)
  await typist.finish(await typist.take())
  const review = await reviewer.take()
  expect((await type(reviewer, review, 0, 3, ['All', 'new', 'words'], 1)).status).toBe(200)
  await reviewer.read('POST', `parts/${review.part}/reopen`, { reasons: ['missing'] }, withClaim(review))
  const again = await typist.take()
  const open = () => typist.read('GET', `parts/${again.part}/unheard`, undefined, withClaim(again))
  expect(await open()).toMatchObject({ changed_words: 0, odd: ['unheard', 'unchanged'] })
  await typist.finish(again)
  await reviewer.finish(await reviewer.take())
  const check = await other.take()
  expect((await type(other, check, 20, 22, ['Two', 'more'])).status).toBe(200)
  await other.read('POST', `parts/${review.part}/reopen`, { reasons: ['missing'] }, withClaim(check))
  const third = await typist.take()
  const asked = await typist.read('GET', `parts/${third.part}/unheard`, undefined, withClaim(third))
  expect(asked).toMatchObject({ changed_words: 0 })
  expect((await openDesk(typist, third)).set_before, 'what the checker changed can be shown').not.toBeNull()
})

test('who worked in the last 30 days is among the staff, also once their key is revoked', async () => {
  await typedOrder(kit, account, 120)
  await typist.finish(await typist.take())
  for (const { id } of [typist, other]) await revokeStaff(kit.platform.db, id, kit.platform.clock())
  const { staff } = await manager.read<{ staff: StaffMember[] }>('GET', 'staff')
  expect(staff.toSorted((a, b) => a.name.localeCompare(b.name))).toMatchObject([
    { name: 'Mary', is_revoked: false },
    { name: 'Rita', is_revoked: false },
    { name: 'Tim', is_revoked: true, submitted: 1, earned: 'EUR 2.00' },
  ])
})

test('an order that was given up is not sent back, and a hold that ended before has expired', async () => {
  const id = await typedOrder(kit, account, 120)
  await typist.finish(await typist.take())
  const review = await reviewer.take()
  kit.advance(16 * 60_000)
  await manager.read('POST', `files/${id}/refund`, { reason: 'Only noise.' })
  expect((await manager.ask('POST', `parts/${review.part}/reopen`, { reasons: ['missing'] })).status).toBe(409)
  expect((await partsOf(id))[0]?.history).toMatchObject([{ end: 'submitted' }, { step: 'review', end: 'expired' }])
})

test('a part is not reserved for somebody who may not take it', async () => {
  await typedOrder(kit, account, 120)
  const typed = await reviewer.take()
  await reviewer.finish(typed)
  const assign = async ({ id }: Worker) => {
    const answer = await manager.ask('POST', `parts/${typed.part}/assign`, { staff: id })
    return `${answer.status} ${await answer.text()}`
  }
  expect(await assign(typist)).toContain('409 {"error":"Tim is a typist, and cannot review a part."}')
  expect(await assign(reviewer)).toContain('409 {"error":"Rita has typed in this part')
  expect(await assign(other)).toBe('204 ')
})

test('a refused check begins with nothing heard, as a refused part does', async () => {
  const id = await typedOrder(kit, account, 120)
  await typist.finish(await typist.take())
  const review = await reviewer.take()
  await reviewer.read('POST', `parts/${review.part}/hold`, { heard: [[0, 40]] }, withClaim(review))
  await pretend(reviewer, review, 1)
  const check = await other.take()
  expect(await openDesk(other, check), 'what reviewers heard need not be heard once more').toMatchObject({
    heard: [[0, 40]],
  })
  await pretend(other, check)
  const [last] = (await partsOf(id)).flatMap(({ history }) => history)
  expect(last, 'and is not what the checker heard').toMatchObject({ step: 'check', heard: 0, odd: ['unheard'] })
  expect((await decide(check, false)).status).toBe(204)
  expect(await openDesk(other, await other.take())).toMatchObject({ heard: [], part: { rework: ['unheard'] } })
})

/** An order that was typed, but reviewed and checked with nothing heard. */
async function unheardOrder(): Promise<{ id: string; review: Claim; check: Claim }> {
  const id = await typedOrder(kit, account, 120)
  await typist.finish(await typist.take())
  const review = await reviewer.take()
  await pretend(reviewer, review, 1)
  const check = await other.take()
  await pretend(other, check)
  return { id, review, check }
}

test('a check that is refused after one of its parts waits until that is done again', async () => {
  const { id, review, check } = await unheardOrder()
  expect((await decide(review, false)).status).toBe(204)
  expect((await decide(check, false)).status).toBe(204)
  expect(await queue(other)).toMatchObject({ parts: [{ step: 'review' }] })
  await reviewer.finish(await reviewer.take())
  await other.finish(await other.take())
  await kit.until(async () => (await progress(id)) === 100)
})

test('a check that opens again after its parts were reviewed again bears no mark of the refused one', async () => {
  const { id, review, check } = await unheardOrder()
  for (const claim of [check, review]) expect((await decide(claim, false)).status).toBe(204)
  await reviewer.finish(await reviewer.take())
  const again = await other.take()
  expect(await openDesk(other, again)).toMatchObject({ part: { step: 'check', rework: [] }, heard: [[0, 120]] })
  await other.finish(again)
  await kit.until(async () => (await progress(id)) === 100)
})

test('what a manager accepts of an order that was refunded does not deliver it', async () => {
  const { id, review, check } = await unheardOrder()
  await manager.read('POST', `files/${id}/refund`, { reason: 'Nobody can understand this recording.' })
  for (const done of [review, check]) expect((await decide(done, true)).status).toBe(204)
  expect(await progress(id)).toBe(85)
  expect(await payOf(other), 'but it is paid').toMatchObject({ checked: 1, earned: 20 })
})

test('without a manager an order with odd steps is released after a day, and they stay unpaid', async () => {
  const id = await typedOrder(kit, account, 120)
  const typed = await typist.take()
  await pretend(typist, typed)
  await reviewer.finish(await reviewer.take())
  await other.finish(await other.take())
  await revokeStaff(kit.platform.db, manager.id, kit.platform.clock())
  kit.advance(23 * 3_600_000)
  await kit.doChores()
  expect(await progress(id)).toBe(85)
  kit.advance(2 * 3_600_000)
  await kit.doChores()
  await kit.until(async () => (await progress(id)) === 100)
  manager = await hire(kit, 'manager', 'Mona')
  expect(await payOf(typist)).toMatchObject({ earned: 0, waiting: 200 })
  expect((await decide(typed, true)).status).toBe(204)
  expect(await payOf(typist)).toMatchObject({ earned: 200, waiting: 0 })
})
