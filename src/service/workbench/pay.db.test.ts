import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PayMonth, StaffMember } from '../../contract/work/managers.ts'
import type { Claim, DeskPart, QueuePage } from '../../contract/work/parts.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { payCents, payWords } from './parts.ts'
import { hire, typedOrder, withClaim } from './testing/work-room.ts'

const workPay = { currency: 'EUR', perMinute: { type: 0.8, review: 0.305 } }

let kit: TestService
beforeAll(async () => {
  kit = await startTestService({ workPay, workCheck: 'anyone' })
})
afterAll(() => kit.close())

test('the pay of a part is shown in the queue and at the desk, and submitted work is added up', async () => {
  const [typist, reviewer, manager] = [
    await hire(kit, 'typist'),
    await hire(kit, 'reviewer'),
    await hire(kit, 'manager'),
  ]
  await typedOrder(kit, await kit.account({ environment: 'live' }), 90)
  const { parts } = await typist.read<QueuePage>('GET', 'queue')
  expect(parts.map(({ pay }) => pay)).toEqual(['EUR 1.20'])
  const earned = async () => {
    const { staff } = await manager.read<{ staff: StaffMember[] }>('GET', 'staff')
    return [typist, reviewer].map(({ id }) => staff.find((one) => one.id === id)?.earned)
  }
  const claim = await typist.take()
  const desk = await typist.read<DeskPart>('GET', `parts/${claim.part}`, undefined, withClaim(claim))
  expect(desk.part.pay).toBe('EUR 1.20')
  expect(await earned(), 'nothing before it is submitted').toEqual(['EUR 0.00', 'EUR 0.00'])
  await typist.finish(claim)
  await reviewer.finish(await reviewer.take())
  expect((await reviewer.read<QueuePage>('GET', 'queue')).parts, 'nothing is set for the check').toMatchObject([
    { step: 'check', pay: null },
  ])
  await reviewer.finish(await reviewer.take())
  expect(await earned()).toEqual(['EUR 1.20', 'EUR 0.46'])
})

test('a step that waits for a manager twice is one sum that waits, which is what accepting both comes to', async () => {
  const [typist, reviewer, manager] = [
    await hire(kit, 'typist'),
    await hire(kit, 'reviewer'),
    await hire(kit, 'manager'),
  ]
  await typedOrder(kit, await kit.account({ environment: 'live' }), 60)
  // Unheard and unchanged: odd each time.
  const submit = async (claim: Claim) => {
    const headers = withClaim(claim)
    const { sheet } = await typist.read<DeskPart>('GET', `parts/${claim.part}`, undefined, headers)
    const done = { revision: 0, ticked: sheet.map(({ id }) => id), reason: 'There is nothing in it' }
    await typist.read('POST', `parts/${claim.part}/submit`, done, headers)
    return claim
  }
  const first = await submit(await typist.take())
  const review = await reviewer.take(first.part)
  const back = { reasons: ['unheard'], note: '', places: [] }
  await reviewer.read('POST', `parts/${first.part}/reopen`, back, withClaim(review))
  const second = await submit(await typist.take(first.part))
  const ofTypist = async () => {
    const { people } = await manager.read<PayMonth>('GET', 'pay')
    const row = people.find(({ id }) => id === typist.id)
    return [row?.earned, row?.waiting]
  }
  expect(await ofTypist()).toEqual([0, 80])
  for (const { claim } of [first, second]) {
    await manager.read('POST', `parts/${first.part}/claims/${claim}/decide`, { accepted: true })
    expect(await ofTypist()).toEqual([80, 0])
  }
})

test('amounts are whole cents, and absent if no rate is set', () => {
  expect(payCents(workPay, 'review', 60_000)).toBe(31)
  expect(payCents(workPay, 'check', 60_000)).toBeNull()
  expect(payCents(null, 'type', 60_000)).toBeNull()
  expect(payWords(null, 120)).toBeNull()
  expect(payWords(workPay, 5)).toBe('EUR 0.05')
})
