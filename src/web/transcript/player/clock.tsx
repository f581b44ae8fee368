import { useEffect, useRef } from 'react'
import { followClock } from './follow-clock.ts'
import type { Playback } from './playback.ts'

/** One wheel of the clock: its numbers in order, each shown for `seconds`, and the character that follows it. */
type Wheel = { name: string; numbers: readonly string[]; seconds: number; after: string }

const upTo = (count: number, digits: number) =>
  Array.from({ length: count }, (_, number) => String(number).padStart(digits, '0'))

/** Uses as few wheels as possible: each costs main-thread time in every frame in which anything changes. */
function makeWheels(durationSeconds: number, tenths: boolean, ofDay: boolean): Wheel[] {
  const hours = ofDay ? 23 : Math.floor(durationSeconds / 3_600)
  return [
    ...(hours > 0
      ? [{ name: 'hours', numbers: upTo(hours + 1, String(hours).length), seconds: 3_600, after: ':' }]
      : []),
    { name: 'minutes', numbers: upTo(60, 2), seconds: 60, after: ':' },
    { name: 'seconds', numbers: upTo(60, 2), seconds: 1, after: tenths ? '.' : '' },
    ...(tenths ? [{ name: 'tenths', numbers: upTo(10, 1), seconds: 0.1, after: '' }] : []),
  ]
}

type Props = {
  playback: Playback
  durationSeconds: number
  tenths: boolean
  /** when the recording began, in seconds of the day; undefined: the clock begins at 0 */
  beginsAt: number | undefined
}

/**
 * The player's time. Each digit group is a wheel of numbers turned by the compositor, so a running clock needs no
 * main-thread work per frame. Hidden from screen readers, which read the slider.
 */
export function Clock({ playback, durationSeconds, tenths, beginsAt }: Props) {
  const clock = useRef<HTMLSpanElement>(null)
  const wheels = makeWheels(Number.isFinite(durationSeconds) ? durationSeconds : 0, tenths, beginsAt !== undefined)
  const shape = wheels.map(({ numbers }) => numbers.length).join(' ')
  useEffect(() => {
    if (clock.current === null || shape === '') return
    const strips = [...clock.current.querySelectorAll<HTMLElement>('[data-step]')]
    const turn = (strip: HTMLElement) =>
      strip.animate(
        { transform: ['translateY(0)', 'translateY(-100%)'] },
        {
          duration: Number(strip.dataset.step) * 1_000 * strip.childElementCount,
          iterations: Number.POSITIVE_INFINITY,
          easing: `steps(${strip.childElementCount})`,
        },
      )
    return followClock(playback, strips.map(turn), beginsAt)
  }, [playback, shape, beginsAt])
  return (
    <span
      ref={clock}
      aria-hidden
      className="flex text-sm leading-5 whitespace-nowrap text-ink tabular-nums [contain:content]"
    >
      {wheels.map(({ name, numbers, seconds, after }) => (
        <span key={name} className="flex">
          <span className="inline-block h-5 overflow-hidden">
            <span data-step={seconds} className="grid">
              {numbers.map((number) => (
                <span key={number}>{number}</span>
              ))}
            </span>
          </span>
          {after}
        </span>
      ))}
    </span>
  )
}
