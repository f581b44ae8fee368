import type { ModelClaim } from './model.ts'
import type { World } from './world.ts'

/** Does one thing and asserts the answer. @returns its line of the diary, or null if it cannot be done now */
export type Act = (world: World) => Promise<string | null>

/** the claims that hold a part now */
export const heldClaims = ({ pieces, now }: World) => pieces.flatMap((piece) => piece.holder(now) ?? [])
/** one of them; null of none */
export const any = <Value>({ random }: World, values: readonly Value[]) =>
  values.length === 0 ? null : random.any(values)
export const chance = ({ random }: World, share: number) => random.next() < share
export const tell = ({ person, piece, number }: ModelClaim) => `${person.name}, claim ${number} of ${piece.id}`
