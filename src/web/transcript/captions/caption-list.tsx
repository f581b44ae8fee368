import { ArrowUpToLine, TriangleAlert } from 'lucide-react'
import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type Cue, type CueWarning, shownLines } from '../../../formats/captions/cues.ts'
import { useSignal } from '../../base/state/signal.ts'
import { faultText, lengthText, roundSpeed, timeText } from './caption-text.ts'
import type { Captions } from './captions.ts'

/** Pixels; all rows have the same height, so that the cost does not depend on the list's length. */
const rowHeight = 64
const overscan = 4

/** All captions, one per row, virtualized. Arrow keys move between them. */
export function CaptionList({ captions }: { captions: Captions }) {
  const { cues, faults, current } = useSignal(captions.state)
  const list = useRef<HTMLDivElement>(null)
  const { first, end } = useRowsInSight(list, cues.length)
  // Captions are usually stepped through as soon as they open.
  useEffect(() => list.current?.focus(), [])
  useEffect(() => reveal(list.current, current), [current])
  const onKeyDown = (event: React.KeyboardEvent) => {
    const page = Math.max(1, Math.floor((list.current?.clientHeight ?? 0) / rowHeight) - 1)
    const to = keyIndex(event.key, current, page, cues.length)
    if (to === null) return
    event.preventDefault()
    captions.goTo(to)
  }
  return (
    <div
      ref={list}
      role="listbox"
      aria-label="Captions"
      aria-activedescendant={current >= first && current < end ? `caption-${current}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="relative min-h-0 overflow-y-auto border-t border-line [contain:strict]"
    >
      <div style={{ height: cues.length * rowHeight }} />
      {cues.slice(first, end).map((cue, at) => (
        <Row
          key={first + at}
          index={first + at}
          count={cues.length}
          cue={cue}
          faults={faults.get(first + at)}
          isCurrent={first + at === current}
          captions={captions}
        />
      ))}
    </div>
  )
}

type RowProps = {
  index: number
  count: number
  cue: Cue
  faults: readonly CueWarning[] | undefined
  isCurrent: boolean
  captions: Captions
}

/** Memoized: scrolling renders only the rows that come into view. */
const Row = memo(function Row({ index, count, cue, faults, isCurrent, captions }: RowProps) {
  const problems = faults?.map((fault) => faultText(fault, captions.rules.get())).join(', ')
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the focus and its keys
    <div
      id={`caption-${index}`}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      aria-posinset={index + 1}
      aria-setsize={count}
      onClick={() => captions.goTo(index)}
      className={`absolute inset-x-0 grid cursor-default grid-cols-[6.5rem_minmax(0,1fr)_auto] items-center gap-3 border-b border-line px-5 phone:grid-cols-[4.5rem_minmax(0,1fr)_auto] phone:gap-2 phone:px-3 ${isCurrent ? 'bg-accent-soft' : 'hover:bg-sunken'}`}
      style={{ height: rowHeight, top: index * rowHeight }}
    >
      <span className="text-sm text-ink-3 tabular-nums">{timeText(cue.startMs)}</span>
      <span className="min-w-0 font-serif leading-tight phone:text-sm">
        {shownLines(cue).map((line, at) => (
          <bdi key={at} className="block whitespace-nowrap phone:truncate">
            {line}
          </bdi>
        ))}
      </span>
      <span className="flex items-center gap-2 text-right text-sm text-ink-3 tabular-nums">
        {cue.edit?.top === true && <ArrowUpToLine aria-label="At the top" className="size-4" />}
        {problems !== undefined && (
          <span data-tooltip={problems} className="text-warn">
            <TriangleAlert aria-label={problems} className="size-4" />
          </span>
        )}
        <span className="w-18 whitespace-pre-line phone:w-16 phone:text-xs">
          {`${roundSpeed(cue)} char/s\n${lengthText(cue)}`}
        </span>
      </span>
    </div>
  )
})

function keyIndex(key: string, current: number, page: number, count: number): number | null {
  const to: Record<string, number> = {
    ArrowDown: current + 1,
    ArrowUp: current - 1,
    PageDown: current + page,
    PageUp: current - page,
    Home: 0,
    End: count - 1,
  }
  return to[key] ?? null
}

/** Scrolls as little as needed to show a row and the next one. */
function reveal(list: HTMLElement | null, index: number): void {
  if (list === null || index < 0) return
  const top = index * rowHeight
  const bottom = top + 2 * rowHeight
  if (top < list.scrollTop) list.scrollTop = top
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight
}

function useRowsInSight(list: React.RefObject<HTMLElement | null>, count: number): { first: number; end: number } {
  const [{ first, end }, setRange] = useState({ first: 0, end: 0 })
  useLayoutEffect(() => {
    const element = list.current
    if (element === null) return
    const measure = () => {
      // Rounded to even, so that the range changes only every second row.
      const from = Math.max(0, Math.floor(element.scrollTop / rowHeight) - overscan) & ~1
      const to = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight) + overscan
      setRange((range) => (range.first === from && Math.abs(range.end - to) < 2 ? range : { first: from, end: to }))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [list])
  return { first: Math.min(first, count), end: Math.min(end, count) }
}
