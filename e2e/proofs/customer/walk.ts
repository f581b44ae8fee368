import type { Browser } from '@playwright/test'
import fc from 'fast-check'
import type { ServiceProcess } from '../../kit/service-process.ts'
import { allKinds, stepOf } from './acts.ts'
import type { Act } from './choice.ts'
import { lookAround, takeOut } from './outcomes.ts'
import { closeWorld, openWorld, type World } from './world.ts'

/** Acts of one walk. Opening and typing are most of what people do. */
export const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(
      ...allKinds,
      'open',
      'open',
      'open',
      'offline',
      'offline',
      'offlineTurn',
      'decide',
      'decide',
      'reload',
      'giveToNew',
      'order',
      'rename',
      'undo',
      'undo',
      'redo',
      'deleteOrder',
      'deleteOrder',
    ),
    who: fc.constantFrom(0, 1),
    a: fc.nat(99),
    b: fc.nat(99),
    c: fc.nat(99),
  }),
  { minLength: 25, maxLength: 40 },
)

export type WalkResult = { steps: number; fault: string | null; diary: readonly string[] }

/** Walks one way through the product with a new account. A fault leaves a picture of each device in `test-results`. */
export async function walk(browser: Browser, service: ServiceProcess, way: readonly Act[]): Promise<WalkResult> {
  const world: World = await openWorld(browser, service)
  try {
    for (const act of way) {
      const step = stepOf(world, act)
      if (step === null) continue
      world.diary.push(`device ${act.who} ${step.say}`)
      await step.run()
      await lookAround(world)
    }
    world.diary.push('takes everything out')
    await takeOut(world)
    return { steps: world.diary.length, fault: null, diary: world.diary }
  } catch (error) {
    await Promise.all(
      world.seats.map(({ device }, at) => device.page.screenshot({ path: `test-results/customer/device-${at}.png` })),
    )
    return {
      steps: world.diary.length,
      fault: error instanceof Error ? (error.stack ?? error.message) : String(error),
      diary: world.diary,
    }
  } finally {
    await closeWorld(world)
  }
}
