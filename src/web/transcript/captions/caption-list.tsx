import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { CaptionRules } from '../../../contract/account/captions.ts'
import type { Cue } from '../../../formats/captions/cues.ts'
import { useSignal } from '../../base/state/signal.ts'
import { RowOffsets } from '../../base/ui/virtual-rows/row-offsets.ts'
import { restAfterMs } from '../../base/ui/virtual-rows/row-window.ts'
import { useRecycled } from '../../base/ui/virtual-rows/use-recycled.ts'
import type { Correcting } from '../desk/correcting.ts'
import { captionClicks } from './caption-clicks.ts'
import { CaptionEditor } from './caption-editor.tsx'
import { CaptionRow, captionId } from './caption-row.tsx'
import type { CaptionState } from './caption-state.ts'
import type { Captions } from './captions.ts'
import { atWord } from './find-caption.ts'

/** Rows beyond the edges of the list. */
const overscan = 6
/** Height of a row without its lines, of a line, and of the words below them, in rem. */
const [paddingRem, lineRem, reasonRem] = [0.25, 1.25, 1.125] as const

type Props = { captions: Captions; correcting: Correcting }

/** All captions, one per row, virtualized, edited in place. Arrow keys move between them. */
export function CaptionList({ captions, correcting }: Props) {
  const state = useSignal(captions.state)
  const { cues, faults, current } = state
  const editing = useSignal(captions.editing)
  const rules = useSignal(captions.rules)
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const edited = editing === null ? -1 : atWord(cues, editing.word)
  const offsets = useOffsets(rules, state, edited)
  const { first, end, isAtRest } = useRowsInSight(scroller, offsets)
  const rows = useRecycled(indexes(first, end), isAtRest)
  // Captions are usually stepped through as soon as they open, and after one was edited.
  useEffect(() => {
    if (editing === null) list.current?.focus({ preventScroll: true })
  }, [editing])
  useEffect(() => reveal(scroller.current, offsets, current), [offsets, current])
  const cue = cues[edited]
  const place = (index: number) => ({ index, top: offsets.top(index), height: offsets.heightOf(index) })
  return (
    <div ref={scroller} className="@container relative min-h-0 overflow-y-auto border-t border-line [contain:strict]">
      <div
        ref={list}
        role="listbox"
        aria-label="Captions"
        aria-activedescendant={current >= first && current < end ? captionId(current) : undefined}
        tabIndex={0}
        onKeyDown={(event) => moveByKey(captions, event, end - first)}
        {...captionClicks(captions)}
        className="relative outline-none"
        style={{ height: offsets.height }}
      >
        {rows.map(({ key, index }) => (
          <CaptionRow
            key={key}
            {...place(index)}
            count={cues.length}
            cue={cues[index] as Cue}
            faults={faults.get(index)}
            isCurrent={index === current}
            rules={rules}
          />
        ))}
      </div>
      {cue !== undefined && editing !== null && (
        <CaptionEditor
          key={`${editing.word} ${editing.caret}`}
          {...place(edited)}
          {...{ cue, captions, editing, correcting }}
        />
      )}
    </div>
  )
}

const indexes = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({ id: String(from + at), index: from + at }))

/** Rows are as high as captions may have lines; those with words below them are higher. */
function useOffsets({ maxLines }: CaptionRules, { cues, faults }: CaptionState, edited: number): RowOffsets {
  return useMemo(() => {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    const height = Math.round((paddingRem + Math.max(2, maxLines) * lineRem) * rem)
    const higher = height + Math.round(reasonRem * rem)
    const odd = [...faults.keys()].filter((index) => index !== edited)
    if (edited >= 0) odd.push(edited)
    const rows = odd.sort((a, b) => a - b).map((index) => ({ index, height: higher }))
    return new RowOffsets(cues.length, height, rows)
  }, [cues.length, faults, maxLines, edited])
}

/** @param rows how many are rendered */
function moveByKey(captions: Captions, event: React.KeyboardEvent, rows: number): void {
  const { cues, current } = captions.state.get()
  const page = Math.max(1, rows - 2 * overscan - 1)
  const to = keyIndex(event.key, current, page, cues.length)
  if (to === null) return
  event.preventDefault()
  captions.goTo(to)
}

/** The index to move to, or null if the key does not move. */
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

/** Scrolls as little as needed to show a row; one that is clicked must not move under the pointer. */
function reveal(list: HTMLElement | null, offsets: RowOffsets, index: number): void {
  if (list === null || index < 0 || index >= offsets.count) return
  const top = offsets.top(index)
  const bottom = top + offsets.heightOf(index)
  if (top < list.scrollTop) list.scrollTop = top
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight
}

function useRowsInSight(list: React.RefObject<HTMLElement | null>, offsets: RowOffsets) {
  const [{ first, end, isAtRest }, setRange] = useState({ first: 0, end: 0, isAtRest: true })
  useLayoutEffect(() => {
    const element = list.current
    if (element === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const measure = (isAtRest: boolean) => {
      const { first, end } = offsets.steadyAround(element.scrollTop, element.clientHeight, overscan)
      setRange((range) =>
        range.first === first && range.end === end && range.isAtRest === isAtRest ? range : { first, end, isAtRest },
      )
    }
    const onRest = () => measure(true)
    const onScroll = () => {
      clearTimeout(timer)
      timer = setTimeout(onRest, restAfterMs)
      measure(false)
    }
    onRest()
    const observer = new ResizeObserver(onRest)
    observer.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [list, offsets])
  return { first: Math.min(first, offsets.count), end: Math.min(end, offsets.count), isAtRest }
}
