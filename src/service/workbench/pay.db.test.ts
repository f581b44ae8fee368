import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StaffMember } from '../../contract/work/managers.ts'
import type { DeskPart, QueuePage } from '../../contract/work/parts.ts'
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

test('amounts are whole cents, and absent if no rate is set', () => {
  expect(payCents(workPay, 'review', 60_000)).toBe(31)
  expect(payCents(workPay, 'check', 60_000)).toBeNull()
  expect(payCents(null, 'type', 60_000)).toBeNull()
  expect(payWords(null, 120)).toBeNull()
  expect(payWords(workPay, 5)).toBe('EUR 0.05')
})
