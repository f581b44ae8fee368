import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FileWork, ReReviewState } from '../../contract/account/manual-work.ts'
import type { ManagedFiles, StaffMember } from '../../contract/work/managers.ts'
import type { QueuePage } from '../../contract/work/parts.ts'
import { staffList } from '../start/cli/staff.ts'
import { accountClient } from '../testing/account-client.ts'
import { startTestService, type TestAccount, type TestService } from '../testing/test-service.ts'
import { sandboxStaff } from './sandbox-staff.ts'
import { hire, typedOrder } from './testing/work-room.ts'

const seconds = 1_000

let kit: TestService
let account: TestAccount
beforeAll(async () => {
  kit = await startTestService()
  account = await kit.account()
})
afterAll(() => kit.close())

const progress = async (id: string) => {
  const file = kit.platform.db.selectFrom('files').select('progress_percent').where('id', '=', id)
  return (await file.executeTakeFirstOrThrow()).progress_percent
}
const claimsOf = (id: string) =>
  kit.platform.db.selectFrom('work_claims').selectAll().where('file_id', '=', id).orderBy('claimed_at').execute()

/** Advances the clock in steps of three seconds until a condition holds. */
async function passTime(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    kit.advance(3_000)
    // Without a pause, holds would expire before anyone could continue.
    await setTimeout(100)
  }
}

/** Advances the clock until an order reaches a percentage. @returns every progress value seen */
async function untilProgress(id: string, percent: number): Promise<number[]> {
  const seen = new Set<number>()
  await passTime(async () => {
    const now = await progress(id)
    seen.add(now)
    return now >= percent
  })
  return [...seen]
}

test('an order is typed, reviewed and checked by simulated staff, invisible to real staff', async () => {
  const manager = await hire(kit, 'manager')
  const id = await typedOrder(kit, account, seconds)
  const client = accountClient(kit.address, account.key)
  const work = () => client.read<FileWork>('GET', `files/${id}/work`)
  const { parts } = await work()
  expect(parts).toBeGreaterThan(1)
  await kit.until(async () => (await work()).sections.some(({ state }) => state === 'typing'))
  expect((await manager.read<QueuePage>('GET', 'queue')).total).toBe(0)
  expect((await manager.read<ManagedFiles>('GET', 'files')).files).toEqual([])
  await untilProgress(id, 1)
  expect(await work()).toMatchObject({ parts, typed: 1, is_checked: false })
  expect(await (await kit.fetch(account.key, `file/${id}`)).text(), 'what is typed so far').toContain('Word0')
  const seen = await untilProgress(id, 100)
  expect(seen.toSorted((a, b) => a - b)).toEqual(seen)
  expect(seen.some((percent) => percent >= 60 && percent < 100)).toBe(true)
  const books = await claimsOf(id)
  for (const step of ['type', 'review'] as const) {
    const done = books.filter((claim) => claim.step === step)
    expect(done.map(({ ending }) => ending)).toEqual(Array(parts).fill('submitted'))
    expect(new Set(done.map(({ staff_id }) => staff_id))).toEqual(new Set([sandboxStaff[step].id]))
  }
  expect(books.filter(({ step }) => step === 'check')).toHaveLength(1)
  expect(await (await kit.fetch(account.key, `file/${id}.txt`)).text()).toMatch(/Word0 .*Word499/s)
  expect((await manager.read<{ staff: StaffMember[] }>('GET', 'staff')).staff.map(({ id: who }) => who)).toEqual([
    manager.id,
  ])
  expect(await staffList(kit.platform.db)).toHaveLength(1)
})

test('an interruption loses nothing, and a deleted order is left alone', async () => {
  const id = await typedOrder(kit, account, seconds)
  const gone = await typedOrder(kit, account, 60)
  await kit.until(async () => (await claimsOf(gone)).length > 0)
  expect((await kit.fetch(account.key, `file/${gone}`, { method: 'DELETE' })).ok).toBe(true)
  await untilProgress(id, 1)
  const before = await claimsOf(id)
  await kit.restart()
  await untilProgress(id, 100)
  const after = await claimsOf(id)
  expect(after.slice(0, before.length).map(({ part_id, claim }) => [part_id, claim])).toEqual(
    before.map(({ part_id, claim }) => [part_id, claim]),
  )
  expect(after.every(({ ending }) => ending === 'submitted')).toBe(true)
  expect(await kit.platform.db.selectFrom('jobs').select('id').where('kind', '=', 'type').execute()).toEqual([])
})

test('a re-review is done by them, too', async () => {
  const id = await typedOrder(kit, account, 60)
  await untilProgress(id, 100)
  const client = accountClient(kit.address, account.key)
  const asked = { places: [{ start: 10, end: 20, note: 'The name is wrong' }] }
  expect((await client.ask('POST', `files/${id}/re-review`, asked)).status).toBe(204)
  await passTime(async () => (await client.read<ReReviewState>('GET', `files/${id}/re-review`)).state === 'done')
  expect(await progress(id)).toBe(100)
})
