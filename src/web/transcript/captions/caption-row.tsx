import { ArrowUpToLine } from 'lucide-react'
import { memo } from 'react'
import type { CaptionRules } from '../../../contract/account/captions.ts'
import { type Cue, type CueWarning, shownLines } from '../../../formats/captions/cues.ts'
import { faultText, lengthText, speedOf, speedText, timeText } from './caption-text.ts'

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
  rules: CaptionRules
}

/**
 * Memoized: scrolling renders only the rows that come into view. They are made in every frame of it, so each has one
 * component and five elements, whose clicks are the list's (caption-clicks.ts).
 */
export const CaptionRow = memo(function CaptionRow(props: RowProps) {
  const { index, count, cue, top, height, faults, isCurrent, rules } = props
  const lines = shownLines(cue)
  const speed = speedOf(cue)
  const limit = rules.charactersPerSecond
  return (
    <div
      id={isCurrent ? captionId(index) : undefined}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      aria-posinset={index + 1}
      aria-setsize={count}
      className={`${rowClass} cursor-default ${isCurrent ? 'bg-accent-soft forced-colors:outline-2 forced-colors:outline-[Highlight]' : 'hover:bg-sunken'}`}
      style={{ top, height }}
    >
      <span className="text-sm leading-5 text-ink-3 tabular-nums phone:hidden">{index + 1}</span>
      <span
        data-column="times"
        className="whitespace-pre-line text-sm leading-5 text-ink-2 tabular-nums"
      >{`${timeText(cue.startMs)}\n${timeText(cue.endMs)}`}</span>
      {/* Its lines in one element, each with the direction of its own letters. */}
      <span
        data-column="text"
        className={`caption-text font-serif text-base leading-5 phone:text-sm ${areShort(lines) ? 'short' : ''}`}
      >
        {lines.join('\n')}
      </span>
      {/* Characters per second in numbers and as a bar against the limit, and the length. */}
      <span
        className={`caption-speed text-right text-xs leading-5 text-ink-3 tabular-nums ${speed > limit ? 'fast' : ''}`}
        style={{ backgroundSize: `${Math.min(100, (speed / limit) * 100)}% 3px, 100% 3px` }}
      >
        {cue.edit?.top === true && <ArrowUpToLine aria-label="At the top" className="mr-1 inline size-3.5" />}
        {`${speedText(speed, limit)}/s\n${lengthText(cue)}`}
      </span>
      {faults !== undefined && (
        <span data-column="faults" className="col-start-3 truncate text-xs leading-4.5 text-warn phone:col-start-2">
          {faults.map((fault) => faultText(fault, rules)).join(' · ')}
        </span>
      )}
    </div>
  )
})

/** The id of the current caption's row; others have none: a row's element is another caption's in the next frame. */
export const captionId = (index: number): string => `caption-${index}`

/**
 * Lines that fit into a list of 46rem, unless nearly all of their letters are as wide as an M. Others are clipped: with
 * all of them, a frame of scrolling takes a tenth longer.
 */
const areShort = (lines: readonly string[]) =>
  lines.every((line) => line.length <= 42 && !/[^\u0020-\u06ff\u2010-\u2026]/.test(line))
