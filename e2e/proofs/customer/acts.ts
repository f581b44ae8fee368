import { captionActs } from './caption-acts.ts'
import type { Act, Kinds, Step } from './choice.ts'
import { faultActs } from './fault-acts.ts'
import { fileActs } from './file-acts.ts'
import { historyActs } from './history-acts.ts'
import { moneyActs } from './money-acts.ts'
import { textActs } from './text-acts.ts'
import type { World } from './world.ts'

const kinds: Kinds = { ...textActs, ...historyActs, ...captionActs, ...fileActs, ...moneyActs, ...faultActs }
export const allKinds = Object.keys(kinds)

/** What an act does now: if it cannot be done, a word is typed, or a talk opened. Null if even that cannot be done. */
export function stepOf(world: World, act: Act): Step {
  const [seat, other] = act.who === 0 ? world.seats : [world.seats[1], world.seats[0]]
  const choice = { world, seat, other, act }
  return kinds[act.kind]?.(choice) ?? kinds.retype?.(choice) ?? kinds.open?.(choice) ?? null
}
