import { useEffect, useRef } from 'react'
import { turnTime } from '../view/block-element.ts'
import type { Playback } from './playback.ts'

/** `44.23` gives `00:44.2`, `3675.5` gives `1:01:15.5`. */
export function tenthsTime(seconds: number): string {
  const tenths = Math.floor(seconds * 10 + 1e-6)
  return `${turnTime(Math.floor(tenths / 10))}.${tenths % 10}`
}

/** Where the sound is, written without React ten times a second. Not announced: the slider tells screen readers. */
export function Clock({ playback, tenths }: { playback: Playback; tenths: boolean }) {
  const text = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const show = (seconds: number) => {
      const shown = tenths ? tenthsTime(seconds) : turnTime(seconds)
      const node = text.current?.firstChild
      if (node instanceof Text && node.data !== shown) node.data = shown
    }
    show(playback.seconds)
    return playback.onTime(show)
  }, [playback, tenths])
  return (
    <span
      ref={text}
      aria-hidden
      className="inline-block min-w-14 font-mono text-sm whitespace-nowrap text-ink tabular-nums"
    >
      {tenths ? '00:00.0' : '00:00'}
    </span>
  )
}
