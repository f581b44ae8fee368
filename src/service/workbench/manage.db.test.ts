import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CorrectionChange } from '../../contract/account/corrections.ts'
import type { ManagedFiles, ManagedPart, ManagedText, StaffMember } from '../../contract/work/managers.ts'
import type { QueuePage } from '../../contract/work/parts.ts'
import { authorization } from '../testing/ask-api.ts'
import { startTestService, type TestAccount, type TestService } from '../testing/test-service.ts'
import { textIdentity } from '../text/corrections/text-identity.ts'
import { hire, typedOrder, type Worker, withClaim } from './testing/work-room.ts'

let kit: TestService
let account: TestAccount
let typist: Worker
let reviewer: Worker
let manager: Worker
beforeAll(async () => {
  kit = await startTestService({ workCheck: 'anyone' })
  account = await kit.account({ environment: 'live' })
  typist = await hire(kit, 'typist', 'Tim')
  reviewer = await hire(kit, 'reviewer', 'Rita')
  manager = await hire(kit, 'manager', 'Mary')
})
afterAll(() => kit.close())

const files = () => manager.read<ManagedFiles>('GET', 'files')
const partsOf = async (id: string) => (await manager.read<{ parts: ManagedPart[] }>('GET', `files/${id}`)).parts

test('only a manager sees every order, its holders and its waiting parts', async () => {
  const id = await typedOrder(kit, account, 60)
  const claim = await typist.take()
  expect(await files()).toMatchObject({
    files: [{ id, name: 'recording', account: 'Test', parts: 1, typed: 0, held: 1, forecast: null, is_late: false }],
    waiting: [],
  })
  expect(await partsOf(id)).toMatchObject([
    { position: 1, step: 'type', holder: typist.id, history: [{ end: null, to: null }] },
  ])
  kit.advance(16 * 60_000)
  expect(await partsOf(id)).toMatchObject([{ holder: null, history: [{ staff_name: 'Tim', end: 'expired' }] }])
  expect((await files()).waiting).toMatchObject([{ step: 'type', parts: 1 }])
  const { turns } = await manager.read<ManagedText>('GET', `parts/${claim.part}/text`)
  expect(turns).toMatchObject([
    { start: 0, speaker: 'Speaker 1', text: Array.from({ length: 20 }, (_, at) => `Word${at}`).join(' ') },
    { start: 40, speaker: 'Speaker 2' },
  ])
  expect((await manager.ask('GET', 'parts/nothing/text')).status).toBe(404)
  for (const path of ['files', `files/${id}`, `parts/${claim.part}/text`, 'staff']) {
    expect((await reviewer.ask('GET', path)).status, path).toBe(403)
  }
  for (const path of [`files/${id}/refund`, `files/${id}/delay`, `parts/${claim.part}/assign`]) {
    expect((await typist.ask('POST', path, {})).status, path).toBe(403)
  }
})

test('an assigned part can be claimed only by that person, and its holder loses it', async () => {
  const [part] = (await typist.read<QueuePage>('GET', 'queue')).parts
  const claim = await typist.take(part?.id)
  await manager.read('POST', `parts/${claim.part}/assign`, { staff: reviewer.id })
  const lost = await typist.ask('POST', `parts/${claim.part}/hold`, { heard: [] }, withClaim(claim))
  expect(lost.status).toBe(409)
  expect((await typist.ask('POST', 'claims', { part: claim.part })).status).toBe(409)
  expect((await manager.ask('POST', `parts/${claim.part}/assign`, { staff: 'nobody' })).status).toBe(404)
  await reviewer.finish(await reviewer.take(claim.part))
  const people = await manager.read<{ staff: StaffMember[] }>('GET', 'staff')
  expect(people.staff).toMatchObject([
    { name: 'Tim', submitted: 0, given_back: 1, holds: 0 },
    { name: 'Rita', submitted: 1 },
    { name: 'Mary', hours: 0 },
  ])
})

test('an order that will be late is postponed four hours before it is, with a reason and a new date', async () => {
  const id = await typedOrder(kit, account, 60)
  const before = await kit.metadata(account.key, id)
  kit.advance(Date.parse(before.delivery) - kit.platform.clock() - 5 * 60 * 60_000)
  await kit.doChores()
  expect(await kit.metadata(account.key, id)).toMatchObject({ delivery: before.delivery, delay_reason: null })
  const claim = await typist.take()
  // Begun: one that nobody has begun is refunded on its date instead.
  await kit.platform.db.updateTable('work_texts').set({ revision: 1 }).where('part_id', '=', claim.part).execute()
  await typist.read('POST', `parts/${claim.part}/return`, { reason: 'poor-audio' }, withClaim(claim))
  kit.advance(90 * 60_000)
  await kit.platform.db.deleteFrom('work_claims').where('ending', '=', 'submitted').execute()
  await kit.doChores()
  const after = await kit.metadata(account.key, id)
  expect(after.delay_reason).toContain('hard to understand')
  expect(Date.parse(after.delivery)).toBeGreaterThan(Date.parse(before.delivery))
  await manager.read('POST', `files/${id}/delay`, { reason: 'review', until: '2099-01-01T00:00:00.000Z' })
  expect(await kit.metadata(account.key, id)).toMatchObject({ delivery: '2099-01-01T00:00:00.000Z' })
  expect((await manager.ask('POST', `files/${id}/delay`, { reason: 'mood' })).status).toBe(400)
})

test('customers’ corrections after delivery count for the part, its typist and its reviewer', async () => {
  const id = await typedOrder(kit, account, 60)
  const [part] = await partsOf(id)
  const typed = await typist.take(part?.id)
  await typist.finish(typed)
  await reviewer.finish(await reviewer.take(part?.id))
  const [check] = (await reviewer.read<QueuePage>('GET', 'queue?step=check')).parts.filter(({ end }) => end < 61)
  await reviewer.finish(await reviewer.take(check?.id))
  await kit.until(async () => (await kit.metadata(account.key, id)).progress_percent === 100)
  const before = (await manager.read<{ staff: StaffMember[] }>('GET', 'staff')).staff[0]
  expect(before).toMatchObject({ name: 'Tim', changed_by_review: 0, changed_by_customer: 0 })
  const { text, words } = await wordsOf(id)
  const put = { text: 'Other', start: 2, end: 3, conf: null, endsTurn: false, speaker: 0, old: -1 }
  const patch = {
    from: 1,
    to: 2,
    startSeconds: 2,
    old: [words[1] ?? ''],
    before: [],
    after: [],
    words: [put, put, put],
  }
  const names = ['Speaker 1', 'Speaker 2']
  const change: CorrectionChange = { ...text, baseNames: names, names, remove: [], put: [patch], label: 'Typing' }
  const sent = await fetch(`${kit.address}/account/files/${id}/corrections`, {
    method: 'POST',
    headers: { authorization: authorization(account.key), 'if-match': '"0"', 'content-type': 'application/json' },
    body: JSON.stringify(change),
  })
  expect([sent.status, await sent.text()]).toEqual([200, expect.anything()])
  expect(await partsOf(id)).toMatchObject([{}, { changed_by_customer: 3 }])
  const people = (await manager.read<{ staff: StaffMember[] }>('GET', 'staff')).staff
  expect(people).toMatchObject([
    { changed_by_customer: 0.1 },
    { changed_by_customer: 0.1 },
    { changed_by_customer: null },
  ])
})

/** The original text of a finished file, as corrections refer to it. */
async function wordsOf(id: string): Promise<{ text: { fingerprint: string }; words: string[] }> {
  const file = await kit.platform.db.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const { fingerprint } = await textIdentity(kit.platform, file)
  const records = (await (await kit.fetch(account.key, `file/${id}.json`)).json()) as { word: string }[]
  return { text: { fingerprint }, words: records.map(({ word }) => word) }
}

test('an unintelligible recording is given up: work on it ends, and charges are refunded', async () => {
  const id = await typedOrder(kit, account, 60)
  const claim = await typist.take((await partsOf(id))[0]?.id)
  const [held] = await partsOf(id)
  expect(held?.holder).toBe(typist.id)
  await manager.read('POST', `files/${id}/refund`, { reason: 'Nobody can understand this recording.' })
  const { refund_amount, cost, delay_reason } = await kit.metadata(account.key, id)
  expect([refund_amount, delay_reason]).toEqual([
    cost,
    expect.stringContaining('Nobody can understand this recording.'),
  ])
  expect((await typist.ask('POST', `parts/${claim.part}/hold`, { heard: [] }, withClaim(claim))).status).toBe(409)
  expect((await typist.ask('POST', 'claims', { part: claim.part })).status).toBe(409)
  expect((await manager.ask('POST', 'files/gone/refund', { reason: 'x' })).status).toBe(404)
  expect((await kit.fetch(account.key, `file/${id}`, { method: 'DELETE' })).status).toBe(200)
})

test('two concurrent managers assign a part to one person, despite a claim in between, and refund an order once', async () => {
  const other = await hire(kit, 'manager', 'Max')
  const id = await typedOrder(kit, account, 60)
  const part = (await partsOf(id))[0]?.id ?? ''
  for (let round = 0; round < 10; round += 1) {
    const assign = (boss: Worker, staff: string) => boss.ask('POST', `parts/${part}/assign`, { staff })
    const [here, there, taken] = await Promise.all([
      assign(manager, reviewer.id),
      assign(other, manager.id),
      typist.ask('POST', 'claims', { part }),
    ])
    expect([here.status, there.status]).toEqual([204, 204])
    expect([201, 409]).toContain(taken.status)
    const [now] = await partsOf(id)
    expect([reviewer.id, manager.id]).toContain(now?.assigned_to)
    // A claim faster than both was revoked again.
    expect(now?.holder).toBeNull()
    await manager.read('POST', `parts/${part}/assign`, { staff: null })
  }
  const refund = (boss: Worker) => boss.ask('POST', `files/${id}/refund`, { reason: 'Only wind.' })
  const answers = await Promise.all([refund(manager), refund(other)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409])
  const { refund_amount, cost } = await kit.metadata(account.key, id)
  expect(refund_amount).toBe(cost)
  const entries = kit.platform.db.selectFrom('ledger').selectAll().where('file_id', '=', id)
  expect((await entries.execute()).filter(({ kind }) => kind === 'refund')).toHaveLength(1)
})

test('an order that is still being recognized is listed, and can be put off and refunded', async () => {
  const { id } = await kit.order(account.key, await kit.tone(30))
  await kit.order(account.key, await kit.tone(30), '?transcript_type=automated')
  const heard = async () => (await files()).files.filter(({ is_heard_first }) => is_heard_first).map((file) => file.id)
  expect(await heard()).toEqual([id])
  await manager.read('POST', `files/${id}/delay`, { reason: 'queue', until: '2099-01-01T00:00:00.000Z' })
  expect(await kit.metadata(account.key, id)).toMatchObject({ delivery: '2099-01-01T00:00:00.000Z' })
  await manager.read('POST', `files/${id}/refund`, { reason: 'Only wind.' })
  const { refund_amount, cost } = await kit.metadata(account.key, id)
  expect(refund_amount).toBe(cost)
  expect(await heard()).toEqual([])
  kit.advance(16 * 60_000)
  await kit.doChores()
  const parts = kit.platform.db.selectFrom('work_parts').selectAll().where('file_id', '=', id)
  expect(await parts.execute(), 'its job has ended').toEqual([])
})
