import { type Talk, type Turns, undoableOf } from './memory.ts'
import type { Seat, World } from './world.ts'

/** A random act: a kind, which device does it, and numbers that choose among what is there at that moment. */
export type Act = { kind: string; who: 0 | 1; a: number; b: number; c: number }

/** What is to be done, in words; `run` does it and remembers. Null if it cannot be done now. */
export type Step = { say: string; run: () => Promise<void> } | null
/** An act with the device that does it, and the other one. */
export type Choice = { world: World; seat: Seat; other: Seat; act: Act }
/** Acts by kind. */
export type Kinds = Record<string, (choice: Choice) => Step>

export const pick = <Value>(values: readonly Value[], at: number): Value => values[at % values.length] as Value
/** A word that is nowhere else in this world; counted there, so that a seed repeats its walk to the letter. */
export const newWord = (world: World) => `q${++world.words}z`
export const isTyped = (text: string) => /^q\d+z$/.test(text)

/** The talk that the device shows. */
export const talkOf = ({ world, seat }: Choice): Talk | null =>
  typeof seat.at === 'number' ? (world.talks[seat.at] ?? null) : null

/** That talk if its text may be changed and nothing in it waits for a decision. */
export function settledTalkOf(choice: Choice): Talk | null {
  const talk = talkOf(choice)
  return talk === null || talk.isApproved || talk.conflicts.length > 0 ? null : talk
}

/** The characters of words `at` to `at + count`, with the space after them if they are removed. */
export function charactersOf(turns: Turns, index: number, at: number, count: number): [from: number, to: number] {
  const texts = turns[index]?.words.map(({ text }) => text) ?? []
  const from = [...texts.slice(0, at), ''].join(' ').length
  return [from, from + texts.slice(at, at + count).join(' ').length]
}

/** Undo on this device can bring back the talk as it is now. */
export function rememberStep({ seat, other }: Choice, talk: Talk): void {
  seat.past.push(undoableOf(talk))
  seat.future = []
  Object.assign(other, { past: [], future: [] })
}

/** Ends what Undo and Redo bring back, on all devices. */
export function forgetSteps({ seats }: World): void {
  for (const seat of seats) Object.assign(seat, { past: [], future: [] })
}
