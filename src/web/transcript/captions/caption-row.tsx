import { ArrowUpToLine } from 'lucide-react'
import { memo } from 'react'
import { type Cue, type CueWarning, shownLines } from '../../../formats/captions/cues.ts'
import { faultText, lengthText, speedOf, speedText, timeText } from './caption-text.ts'
import type { Captions } from './captions.ts'

/** Columns of a row: number, times, text, speed. */
export const rowClass =
  'caption-row absolute inset-x-0 grid content-start gap-x-3 border-b border-line py-0.5 pr-5 pl-3 phone:gap-x-2 phone:px-3'

type RowProps = {
  index: number
  count: number
  cue: Cue
  /** pixels */
  top: number
  height: number
  faults: readonly CueWarning[] | undefined
  isCurrent: boolean
  captions: Captions
}

/** Memoized: scrolling renders only the rows that come into view. */
export const CaptionRow = memo(function CaptionRow({
  index,
  count,
  cue,
  top,
  height,
  faults,
  isCurrent,
  captions,
}: RowProps) {
  const problems = faults?.map((fault) => faultText(fault, captions.rules.get())).join(' · ')
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
      className={`${rowClass} cursor-default ${isCurrent ? 'bg-accent-soft forced-colors:outline-2 forced-colors:outline-[Highlight]' : 'hover:bg-sunken'}`}
      style={{ top, height }}
    >
      <span className="text-sm leading-5 text-ink-3 tabular-nums phone:hidden">{index + 1}</span>
      <Times index={index} cue={cue} captions={captions} />
      <Text index={index} cue={cue} captions={captions} />
      <Speed cue={cue} limit={captions.rules.get().charactersPerSecond} />
      {problems !== undefined && (
        // biome-ignore lint/a11y/noStaticElementInteractions: F2 does the same
        <span
          className="col-start-3 truncate text-xs leading-4.5 text-warn phone:col-start-2"
          onDoubleClick={() => captions.edit(index, 'text', cue.lines.join('\n').length)}
        >
          {problems}
        </span>
      )}
    </div>
  )
})

type TimesProps = Pick<RowProps, 'index' | 'cue' | 'captions'>

/** Both times, one below the other; a double click edits one of them. One element: rows are made while one scrolls. */
function Times({ index, cue, captions }: TimesProps) {
  const onDoubleClick = ({ clientY, currentTarget }: React.MouseEvent) => {
    const { top } = currentTarget.getBoundingClientRect()
    const lineHeight = Number.parseFloat(getComputedStyle(currentTarget).lineHeight)
    captions.edit(index, clientY < top + lineHeight ? 'start' : 'end')
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: F2 and Tab do the same
    <span
      className="whitespace-pre-line text-sm leading-5 text-ink-2 tabular-nums"
      onDoubleClick={onDoubleClick}
    >{`${timeText(cue.startMs)}\n${timeText(cue.endMs)}`}</span>
  )
}

/** Lines that fit into a list of 46rem, unless nearly all of their letters are as wide as an M. */
const areShort = (lines: readonly string[]) =>
  lines.every((line) => line.length <= 42 && !/[^\u0020-\u06ff\u2010-\u2026]/.test(line))

/**
 * Its lines in one element, each with the direction of its own letters. Lines that may be too long are clipped: with
 * all of them, a frame of scrolling takes a tenth longer.
 */
function Text({ index, cue, captions }: TimesProps) {
  const lines = shownLines(cue)
  const onDoubleClick = (event: React.MouseEvent) => captions.edit(index, 'text', caretAt(event, cue))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: F2 does the same
    <span
      className={`caption-text font-serif text-base leading-5 phone:text-sm ${areShort(lines) ? 'short' : ''}`}
      onDoubleClick={onDoubleClick}
    >
      {lines.join('\n')}
    </span>
  )
}

/** The offset in a caption's text that was clicked, in UTF-16 units. */
function caretAt({ clientX, clientY }: React.MouseEvent, { lines, mark }: Cue): number {
  const shown = document.caretPositionFromPoint?.(clientX, clientY)?.offset ?? Number.POSITIVE_INFINITY
  return Math.max(0, Math.min(shown - mark.length, lines.join('\n').length))
}

/** Characters per second in numbers and as a bar against the limit, and the length; one element, too. */
function Speed({ cue, limit }: { cue: Cue; limit: number }) {
  const speed = speedOf(cue)
  const isFast = speed > limit
  return (
    <span
      className={`caption-speed text-right text-xs leading-5 text-ink-3 tabular-nums ${isFast ? 'fast' : ''}`}
      style={{ backgroundSize: `${Math.min(100, (speed / limit) * 100)}% 3px, 100% 3px` }}
    >
      {cue.edit?.top === true && <ArrowUpToLine aria-label="At the top" className="mr-1 inline size-3.5" />}
      {`${speedText(speed, limit)}/s\n${lengthText(cue)}`}
    </span>
  )
}
