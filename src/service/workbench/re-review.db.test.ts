import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CorrectionChange } from '../../contract/account/corrections.ts'
import type { FileWork, ReReviewState } from '../../contract/account/manual-work.ts'
import { addBusinessDays } from '../../contract/common/business-days.ts'
import type { ManagedFiles } from '../../contract/work/managers.ts'
import type { DeskPart, PartPlayback, QueuePage } from '../../contract/work/parts.ts'
import { accountClient } from '../testing/account-client.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { hire, typedOrder, withClaim } from './testing/work-room.ts'

let kit: TestService
beforeAll(async () => {
  kit = await startTestService({ workCheck: 'anyone' })
})
afterAll(() => kit.close())

test('places of a delivered transcript are re-reviewed once, for free, and the new text replaces the old', async () => {
  const { key, id: accountId } = await kit.account({ environment: 'live' })
  const typist = await hire(kit, 'typist')
  const reviewer = await hire(kit, 'reviewer')
  const id = await typedOrder(kit, { key, id: accountId, environment: 'live' }, 60)
  const client = accountClient(kit.address, key)
  const asked = { places: [{ start: 10, end: 20, note: 'The name\nis wrong' }] }
  const state = () => client.read<ReReviewState>('GET', `files/${id}/re-review`)
  expect((await client.ask('GET', `files/${id}/re-review`)).status, 'before it is checked').toBe(404)
  expect((await client.ask('POST', `files/${id}/re-review`, asked)).status, 'before it is ready').toBe(409)
  for (const worker of [typist, reviewer, reviewer]) await worker.finish(await worker.take())
  await kit.until(async () => (await kit.metadata(key, id)).progress_percent === 100)
  await kit.until(async () => (await kit.platform.blobs.size(id, 'sound/1')) === null)
  const work = () => client.read<FileWork>('GET', `files/${id}/work`)
  expect(await work()).toMatchObject({ re_review: 'possible' })
  expect(await state()).toEqual({ state: 'possible', places: 0, done: null })
  const before = await (await kit.fetch(key, `file/${id}`)).text()
  expect((await client.ask('POST', `files/${id}/re-review`, asked)).status).toBe(204)
  expect(await work()).toMatchObject({ re_review: 'open' })
  expect(await state()).toEqual({ state: 'open', places: 1, done: null })
  const manager = await hire(kit, 'manager')
  const managed = async () => (await manager.read<ManagedFiles>('GET', 'files')).files
  const due = new Date(addBusinessDays(kit.platform.clock(), 1)).toISOString()
  expect(await managed()).toMatchObject([{ id, is_re_review: true, is_late: false, progress_percent: 100, due }])
  expect((await reviewer.read<QueuePage>('GET', 'queue')).parts).toMatchObject([{ step: 'check', due }])
  kit.advance(1_000)

  const claim = await reviewer.take()
  const headers = withClaim(claim)
  const desk = await reviewer.read<DeskPart>('GET', `parts/${claim.part}`, undefined, headers)
  expect(desk).toMatchObject({
    note: '00:10 The name is wrong',
    heard: [
      [0, 10],
      [20, expect.closeTo(60, 0)],
    ],
  })
  const unheard = () => reviewer.read<{ share: number }>('GET', `parts/${claim.part}/unheard`, undefined, headers)
  expect(await unheard(), 'ten seconds of a long file are all that there is to hear').toMatchObject({
    unheard: [[10, 20]],
    share: 0,
  })
  const ticked = desk.sheet.map((line) => line.id)
  expect((await reviewer.ask('POST', `parts/${claim.part}/submit`, { revision: 0, ticked }, headers)).status).toBe(409)
  await reviewer.read('POST', `parts/${claim.part}/hold`, { heard: [[10, 15]] }, headers)
  expect(await unheard()).toMatchObject({ unheard: [[15, 20]], share: 0.5 })
  await kit.until(async () => (await kit.platform.blobs.size(id, 'sound/1')) !== null)
  expect(
    (await reviewer.read<PartPlayback>('POST', `parts/${claim.part}/playback`, undefined, headers)).seconds,
  ).toBeGreaterThan(59)
  const { fingerprint, names, words } = desk
  const { start = 0, end = 0 } = words[5] ?? {}
  const put = { text: 'Mended', start, end, conf: null, endsTurn: false, speaker: 0, old: -1 }
  const patch = {
    from: 5,
    to: 6,
    startSeconds: start,
    old: [words[5]?.word ?? ''],
    before: [],
    after: [],
    words: [put],
  }
  const change: CorrectionChange = { fingerprint, baseNames: names, names, remove: [], put: [patch], label: 'Typing' }
  await reviewer.read('POST', `parts/${claim.part}/corrections`, change, { ...headers, 'if-match': '"0"' })
  await reviewer.finish(claim)
  await kit.until(async () => (await work()).re_review === 'done')
  const done = new Date(kit.platform.clock()).toISOString()
  expect(await state()).toEqual({ state: 'done', places: 0, done })
  expect(await managed()).toEqual([])
  const text = async () => (await kit.fetch(key, `file/${id}`)).text()
  await kit.until(async () => (await text()).includes('Mended'))
  expect(before).not.toContain('Mended')
  const { progress_percent, total, cost } = await kit.metadata(key, id)
  expect([progress_percent, total]).toEqual([100, Number(cost)])
  expect((await client.ask('POST', `files/${id}/re-review`, asked)).status, 'once').toBe(409)
})

test('a late re-review is shown to managers, and changes no date or reason of the delivered order', async () => {
  const { key, id: accountId } = await kit.account({ environment: 'live' })
  const manager = await hire(kit, 'manager')
  const [typist, reviewer] = [await hire(kit, 'typist'), await hire(kit, 'reviewer')]
  const id = await typedOrder(kit, { key, id: accountId, environment: 'live' }, 60)
  for (const worker of [typist, reviewer, reviewer]) await worker.finish(await worker.take())
  await kit.until(async () => (await kit.metadata(key, id)).progress_percent === 100)
  const before = await kit.metadata(key, id)
  const places = [{ start: 10, end: 20, note: 'The name is wrong' }]
  await accountClient(kit.address, key).ask('POST', `files/${id}/re-review`, { places })
  kit.advance(8 * 24 * 60 * 60_000)
  await kit.doChores()
  const { files } = await manager.read<ManagedFiles>('GET', 'files')
  expect(files).toMatchObject([{ id, is_re_review: true, is_late: true, delay_reason: null }])
  expect(await kit.metadata(key, id)).toEqual(before)
  expect((await manager.ask('POST', `files/${id}/refund`, { reason: 'Too noisy.' })).status).toBe(409)
})

test('a re-review is for somebody who did not review the order, if there is such a person', async () => {
  const strict = await startTestService({ workCheck: 'other' })
  try {
    const account = await strict.account({ environment: 'live' })
    const typist = await hire(strict, 'typist')
    const [reviewer, checker] = [await hire(strict, 'reviewer'), await hire(strict, 'reviewer')]
    const id = await typedOrder(strict, { ...account, environment: 'live' }, 60)
    for (const worker of [typist, reviewer, checker]) await worker.finish(await worker.take())
    await strict.until(async () => (await strict.metadata(account.key, id)).progress_percent === 100)
    const places = [{ start: 10, end: 20, note: 'The name is wrong' }]
    await accountClient(strict.address, account.key).ask('POST', `files/${id}/re-review`, { places })
    const offered = async (worker: typeof reviewer) => (await worker.read<QueuePage>('GET', 'queue')).parts
    const [check] = await offered(checker)
    expect(check).toMatchObject({ step: 'check' })
    expect(await offered(reviewer)).toEqual([])
    const refused = await reviewer.ask('POST', 'claims', { part: check?.id })
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('somebody else checks it')])
    await strict.platform.db.updateTable('staff').set({ revoked_at: 1 }).where('id', '=', checker.id).execute()
    expect(await offered(reviewer), 'there is nobody else').toMatchObject([{ id: check?.id }])
  } finally {
    await strict.close()
  }
})
