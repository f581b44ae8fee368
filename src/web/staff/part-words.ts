import type { QueueEntry } from '../../contract/work/parts.ts'
import type { WorkStep } from '../../contract/work/staff.ts'
import { withRanges } from '../../text/word-ranges.ts'
import { clockText } from '../base/ui/duration.ts'

/** Labels of steps, as on a button: `Type part 3 of 14`, `Check the whole`. */
export const stepWords: Record<WorkStep, string> = { type: 'Type', review: 'Review', check: 'Check' }

export const difficultyWords = { easy: 'Easy', usual: 'Usual', hard: 'Hard' } as const

/** `Part 3 of 14`, or `The whole`. */
export function placeWords({ position, of }: Pick<QueueEntry, 'position' | 'of'>): string {
  return position === 0 ? 'The whole recording' : `Part ${position} of ${of}`
}

/** `12:00–18:04 · 6:04 long` */
export function timeWords({ start, end }: Pick<QueueEntry, 'start' | 'end'>): string {
  return `${clockText(start)}–${clockText(end)}`
}

/** `0:01–0:09, 0:15–0:18`: stretches in whole seconds; those that meet once they are whole are one. */
export function stretchWords(stretches: readonly (readonly [from: number, to: number])[]): string {
  const whole = stretches.map(([from, to]) => [Math.floor(from), Math.ceil(to)] as const)
  return withRanges([], whole)
    .map(([from, to]) => `${clockText(from)}–${clockText(to)}`)
    .join(', ')
}

/** The time until it is due: `in 3 h`, `20 min late`. @param now milliseconds since 1970 */
export function dueWords(due: string, now: number): string {
  const minutes = Math.round((Date.parse(due) - now) / 60_000)
  const length = Math.abs(minutes)
  const words =
    length < 60
      ? `${length} min`
      : length < 48 * 60
        ? `${Math.round(length / 60)} h`
        : `${Math.round(length / 1_440)} days`
  return minutes < 0 ? `${words} late` : `in ${words}`
}
