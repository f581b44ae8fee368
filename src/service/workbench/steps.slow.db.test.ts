import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { KeptCorrections } from '../../contract/account/corrections.ts'
import type { FileWork } from '../../contract/account/manual-work.ts'
import type { QueuePage } from '../../contract/work/parts.ts'
import { accountClient } from '../testing/account-client.ts'
import { startTestService, type TestAccount, type TestService } from '../testing/test-service.ts'
import { hire, openDesk, type, typedOrder, type Worker, withClaim } from './testing/work-room.ts'

let kit: TestService
let account: TestAccount
let typist: Worker
let reviewer: Worker
let manager: Worker
beforeAll(async () => {
  kit = await startTestService({ workCheck: 'anyone' })
  typist = await hire(kit, 'typist', 'Typist')
  reviewer = await hire(kit, 'reviewer', 'Reviewer')
  manager = await hire(kit, 'manager', 'Manager')
})
beforeEach(async () => {
  account = await kit.account({ environment: 'live' })
  await kit.platform.db.deleteFrom('work_parts').execute()
})
afterAll(() => kit.close())

const progress = async (id: string) => (await kit.metadata(account.key, id)).progress_percent

test('an order goes from 0 to 100 as staff complete its parts, and their text is delivered', async () => {
  const id = await typedOrder(
    kit,
    account,
    900,
    '?speaker_names=Dr. Brown&instructions=Mark pauses%0A- Name the hospital',
  )
  const queue = await typist.read<QueuePage>('GET', 'queue')
  expect(queue.parts).toMatchObject([
    {
      position: 1,
      of: 3,
      step: 'type',
      start: 0,
      speakers: 2,
      difficulty: 'easy',
      has_instructions: true,
      is_begun: false,
    },
    { position: 2, of: 3 },
    { position: 3, of: 3, end: 900 },
  ])
  const seen = [await progress(id)]
  for (const [index] of queue.parts.entries()) {
    const claim = await typist.take()
    const desk = await openDesk(typist, claim)
    if (index === 0) {
      expect(desk).toMatchObject({ names: ['Dr. Brown', 'Speaker 2'], known_names: ['Dr. Brown'] })
      expect(desk.sheet.map(({ text }) => text).slice(-2)).toEqual(['Mark pauses', 'Name the hospital'])
      expect((await type(typist, claim, 0, 1, ['Typed', '[blank 0:01]'])).status).toBe(200)
      expect((await type(typist, claim, 10, 12, ['ten', 'eleven'], 1)).status).toBe(200)
    }
    await typist.finish(claim)
    seen.push(await progress(id))
  }
  expect(seen[3], 'all is typed').toBe(60)
  expect((await kit.fetch(account.key, `file/${id}`, { method: 'DELETE' })).status, 'deletion is locked').toBe(409)
  for (let part = 0; part < 3; part += 1) {
    await reviewer.finish(await reviewer.take())
    seen.push(await progress(id))
  }
  expect(seen[6]).toBe(85)
  expect((await reviewer.read<QueuePage>('GET', 'queue')).parts).toMatchObject([
    { position: 0, step: 'check', start: 0, end: 900 },
  ])
  const check = await manager.take()
  expect((await openDesk(manager, check)).words.slice(0, 2).map(({ word }) => word)).toEqual(['Typed', '[blank 0:01]'])
  expect((await type(manager, check, 1, 2, ['Checked'])).status).toBe(200)
  await manager.finish(check)
  await kit.until(async () => (await progress(id)) === 100)
  expect(seen).toEqual([...seen].sort((a, b) => a - b))
  const text = await (await kit.fetch(account.key, `file/${id}`)).text()
  expect(text).toContain('Dr. Brown: Typed Checked Word1 Word2')
  expect(await kit.platform.blobs.size(id, 'sound/1')).toBe(null)
  const books = await kit.platform.db
    .selectFrom('work_claims')
    .selectAll()
    .where('file_id', '=', id)
    .orderBy('claimed_at')
    .execute()
  expect(books.map(({ step, changed_words }) => [step, changed_words]).sort()).toEqual([
    ['check', 1],
    ['review', 0],
    ['review', 0],
    ['review', 0],
    ['type', 3],
    ['type', 4],
    ['type', 4],
  ])
})

test('a customer sees the typed parts, their blanks, and only their text so far', async () => {
  const id = await typedOrder(kit, account, 900)
  const client = accountClient(kit.address, account.key)
  const [, second] = (await typist.read<QueuePage>('GET', 'queue')).parts
  const claim = await typist.take(second?.id)
  await type(typist, claim, 0, 1, ['[blank 6:00]'])
  const before = await client.read<FileWork>('GET', `files/${id}/work`)
  expect(before).toMatchObject({
    parts: 3,
    typed: 0,
    blanks: 0,
    sections: [{ state: 'waiting' }, { state: 'typing', words: [] }, {}],
  })
  expect(await (await kit.fetch(account.key, `file/${id}`)).text()).not.toContain('Word')
  await typist.finish(claim)
  const work = await client.read<FileWork>('GET', `files/${id}/work`)
  expect(work).toMatchObject({ parts: 3, typed: 1, reviewed: 0, is_checked: false, blanks: 1 })
  expect(work.sections.map(({ state, words, changed }) => [state, words.length > 0, changed !== null])).toEqual([
    ['waiting', false, false],
    ['typed', true, true],
    ['waiting', false, false],
  ])
  expect(JSON.stringify(work)).not.toMatch(/Typist|staff/)
  const text = await (await kit.fetch(account.key, `file/${id}.pdf`)).text()
  expect(text).toContain('[blank 6:00] Word')
  expect(text).not.toContain('Word1 ')
  const stranger = await kit.account({ environment: 'live' })
  expect((await accountClient(kit.address, stranger.key).ask('GET', `files/${id}/work`)).status).toBe(404)
})

test('a step requires all audio played and everything ticked off, and nobody reviews their own', async () => {
  await typedOrder(kit, account, 60)
  const claim = await manager.take()
  const headers = withClaim(claim)
  const { sheet } = await openDesk(manager, claim)
  const ticked = sheet.map(({ id }) => id)
  const submit = (body: object) => manager.ask('POST', `parts/${claim.part}/submit`, body, headers)
  const open = await submit({ revision: 0, ticked: [] })
  expect([open.status, await open.text()]).toEqual([409, expect.stringContaining('Not ticked off yet')])
  const unheard = await submit({ revision: 0, ticked })
  expect([unheard.status, await unheard.text()]).toEqual([409, expect.stringContaining('0 % of the sound')])
  await manager.read('POST', `parts/${claim.part}/hold`, { heard: [[0, 40]] }, headers)
  const list = await manager.read('GET', `parts/${claim.part}/unheard`, undefined, headers)
  expect(list).toMatchObject({ unheard: [[40, expect.closeTo(60, 0)]] })
  expect((await submit({ revision: 1, ticked, reason: 'Only silence' })).status).toBe(412)
  expect((await submit({ revision: 0, ticked, reason: 'Only silence' })).status).toBe(204)
  expect((await submit({ revision: 0, ticked })).status, 'twice').toBe(409)
  const own = await manager.ask('POST', 'claims', { part: claim.part })
  expect([own.status, await own.text()]).toEqual([403, expect.stringContaining('somebody else reviews it')])
})

test('an expired page can neither save nor take the part back silently, and its draft goes to the next', async () => {
  await typedOrder(kit, account, 60)
  const [ann, bob] = [typist, await hire(kit, 'typist', 'Bob')]
  const claim = await ann.take()
  expect((await type(ann, claim, 0, 1, ['Draft'])).status).toBe(200)
  expect((await type(ann, claim, 0, 1, ['Stale'])).status, 'on an old revision').toBe(412)
  kit.advance(16 * 60_000)
  const expired = await type(bob, await bob.take(), 2, 3, ['Bob'], 1)
  expect(expired.status).toBe(200)
  const headers = { ...withClaim(claim), 'if-match': '"2"' }
  for (const path of ['hold', 'return', 'submit', 'corrections']) {
    const sent = { hold: { heard: [] }, return: { reason: 'no-time' }, submit: { revision: 2, ticked: [] } }[path] ?? {
      ...{ fingerprint: 'x', baseNames: [], names: [], remove: [], put: [], label: '' },
    }
    expect((await ann.ask('POST', `parts/${claim.part}/${path}`, sent, headers)).status, path).toBe(409)
  }
  const kept = await kit.platform.db
    .selectFrom('work_texts')
    .select('set_json')
    .where('part_id', '=', claim.part)
    .executeTakeFirst()
  expect(kept?.set_json).toMatch(/Draft.*Bob/)
})

test('a part that is sent back keeps what its checker changed, and progress does not fall', async () => {
  const id = await typedOrder(kit, account, 900)
  const parts = (await typist.read<QueuePage>('GET', 'queue')).parts.map((part) => part.id)
  for (const part of parts) {
    const taken = await typist.take(part)
    if (part === parts[0]) expect((await type(typist, taken, 0, 1, ['Typed'])).status).toBe(200)
    expect(await openDesk(typist, taken)).toMatchObject({ set_before: null, places: [] })
    await typist.finish(taken)
  }
  const first = await reviewer.take(parts[0])
  expect(await openDesk(reviewer, first)).toMatchObject({ set_before: { patches: [] } })
  const places = [{ start: 1, end: 1.5, text: 'two words' }]
  const rework = { reasons: ['missing'], note: 'The end is missing', places }
  expect((await typist.ask('POST', `parts/${parts[0]}/reopen`, rework)).status).toBe(403)
  await reviewer.read('POST', `parts/${parts[0]}/reopen`, rework, withClaim(first))
  expect(await progress(id)).toBe(60)
  const again = await typist.take()
  expect(await openDesk(typist, again)).toMatchObject({
    part: { rework: ['missing'], is_begun: true },
    note: 'The end is missing',
    places,
    set_before: { patches: [{ words: [{ text: 'Typed' }] }] },
  })
  await typist.finish(again)
  for (const part of parts) await reviewer.finish(await reviewer.take(part))
  const check = await reviewer.take()
  await type(reviewer, check, 200, 201, ['Mended'])
  const known = { ...withClaim(check), 'if-none-match': '"1"' }
  expect((await reviewer.ask('GET', `parts/${check.part}/corrections`, undefined, known)).status).toBe(304)
  const { parts: ofWhole } = await openDesk(reviewer, check)
  expect(ofWhole.map((part) => [part.id, part.position])).toEqual(parts.map((part, index) => [part, index + 1]))
  await reviewer.read('POST', `parts/${ofWhole[1]?.id}/reopen`, rework, withClaim(check))
  expect(
    (await reviewer.ask('POST', `parts/${check.part}/hold`, { heard: [] }, withClaim(check))).status,
    'the check ended',
  ).toBe(409)
  expect(await progress(id)).toBe(85)
  await typist.finish(await typist.take())
  await reviewer.finish(await reviewer.take())
  const last = await reviewer.take()
  expect((await openDesk(reviewer, last)).words.map(({ word }) => word)).toContain('Mended')
  await reviewer.finish(last)
  await kit.until(async () => (await progress(id)) === 100)
  expect(await (await kit.fetch(account.key, `file/${id}`)).text()).toContain('Mended')
})

test('a checker who changes two words far apart sends back two corrections, not all between them', async () => {
  await typedOrder(kit, account, 900)
  const parts = (await typist.read<QueuePage>('GET', 'queue')).parts.map((part) => part.id)
  for (const part of parts) await typist.finish(await typist.take(part))
  for (const part of parts) await reviewer.finish(await reviewer.take(part))
  const check = await reviewer.take()
  const { length } = (await openDesk(reviewer, check)).words
  expect(length).toBe(450)
  await type(reviewer, check, 3, 4, ['Third'])
  await type(reviewer, check, 120, 121, ['Late', 'word'], 1)
  await reviewer.read('POST', `parts/${parts[0]}/reopen`, { reasons: ['missing'] }, withClaim(check))
  const again = await typist.take()
  const path = `parts/${again.part}/corrections`
  const { set } = await typist.read<KeptCorrections>('GET', path, undefined, withClaim(again))
  expect(set?.patches.map(({ from, to, words }) => [from, to, words.map(({ text }) => text)])).toEqual([
    [3, 4, ['Third']],
    [120, 121, ['Late', 'word']],
    // The typist's.
    [133, 136, ['Word133.', 'Word134.', 'Word135.']],
  ])
})

test('the checker of a whole sends back one part of it, and nobody else does', async () => {
  const id = await typedOrder(kit, account, 900)
  const parts = (await typist.read<QueuePage>('GET', 'queue')).parts.map((part) => part.id)
  for (const part of parts) await typist.finish(await typist.take(part))
  const first = await reviewer.take(parts[0])
  expect((await openDesk(reviewer, first)).parts, 'a part has no others').toEqual([])
  await reviewer.finish(first)
  for (const part of parts.slice(1)) await reviewer.finish(await reviewer.take(part))
  const check = await reviewer.take()
  const desk = await openDesk(reviewer, check)
  expect(desk.parts.map((part) => part.id)).toEqual(parts)
  expect(desk.parts.map(({ position }) => position)).toEqual(parts.map((_, index) => index + 1))
  expect([desk.parts[0]?.start, desk.parts.at(-1)?.end]).toEqual([0, desk.part.end])
  expect(await progress(id)).toBe(85)
  const reopen = (worker: Worker, reasons: string[], headers?: Record<string, string>) =>
    worker.ask('POST', `parts/${parts[1]}/reopen`, { reasons }, headers)
  expect((await reopen(typist, ['missing'], withClaim(check))).status, 'another one’s check').toBe(403)
  expect((await reopen(reviewer, ['missing'])).status, 'without the claim').toBe(403)
  expect((await reopen(reviewer, [], withClaim(check))).status, 'without a reason').toBe(400)
  await reviewer.read('POST', `parts/${parts[1]}/reopen`, { reasons: ['missing'] }, withClaim(check))
  expect(await progress(id)).toBe(85)
  const queue = (await typist.read<QueuePage>('GET', 'queue')).parts
  expect(queue).toMatchObject([{ id: parts[1], rework: ['missing'] }])
  await typist.finish(await typist.take())
  await reviewer.finish(await reviewer.take())
  expect((await openDesk(reviewer, await reviewer.take())).parts).toHaveLength(parts.length)
})

test('an order deleted while ten work on it is gone with its text; they get an error, and their hours stay', async () => {
  const id = await typedOrder(kit, account, 3_600)
  const others = await Promise.all(Array.from({ length: 9 }, () => hire(kit, 'typist')))
  const ten = await Promise.all([typist, ...others].map(async (worker) => ({ worker, claim: await worker.take() })))
  expect(new Set(ten.map(({ claim }) => claim.part)).size).toBe(10)
  kit.advance(60_000)
  // Everybody is typing while it is deleted.
  const [deleted, ...typed] = await Promise.all([
    kit.fetch(account.key, `file/${id}`, { method: 'DELETE' }),
    ...ten.map(({ worker, claim }) => type(worker, claim, 0, 1, ['Nobody-reads-this']).catch(() => null)),
  ])
  expect(deleted.status).toBe(200)
  for (const answer of typed) expect([200, 410]).toContain(answer?.status ?? 410)
  for (const { worker, claim } of ten) {
    const told = await worker.ask('POST', `parts/${claim.part}/hold`, { heard: [] }, withClaim(claim))
    expect([told.status, await told.text()]).toEqual([410, expect.stringContaining('deleted this order')])
    expect((await worker.ask('POST', 'claims', { part: claim.part })).status).toBe(404)
  }
  const { db, blobs } = kit.platform
  expect(await db.selectFrom('work_texts').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('work_parts').selectAll().execute()).toEqual([])
  await kit.until(async () => (await blobs.size(id, 'sound/1')) === null)
  const parts = ten.map(({ claim }) => claim.part)
  const books = await db.selectFrom('work_claims').selectAll().where('part_id', 'in', parts).execute()
  expect(books.map(({ staff_id }) => staff_id).toSorted()).toEqual(ten.map(({ worker }) => worker.id).toSorted())
  for (const { ending, claimed_at, ended_at } of books)
    expect([ending, (ended_at ?? 0) - claimed_at]).toEqual(['deleted', 60_000])
})

test('without a recognizer an order is typed from scratch', async () => {
  const { id } = await kit.order(account.key, await kit.tone(30))
  kit.advance(16 * 60_000)
  const queue = () => typist.read<QueuePage>('GET', 'queue')
  await kit.until(async () => (await queue()).parts.length === 1)
  const claim = await typist.take()
  expect(await openDesk(typist, claim)).toMatchObject({ words: [], part: { difficulty: null, speakers: null } })
  expect((await type(typist, claim, 0, 0, 'All of it, which is little.'.split(' '))).status).toBe(200)
  await typist.finish(claim)
  await reviewer.finish(await reviewer.take())
  await manager.finish(await manager.take())
  await kit.until(async () => (await progress(id)) === 100)
  expect(await (await kit.fetch(account.key, `file/${id}`)).text()).toContain('All of it, which is little.')
})
