import { ArrowUpToLine } from 'lucide-react'
import { memo } from 'react'
import { type Cue, type CueWarning, shownLines } from '../../../formats/captions/cues.ts'
import { faultText, lengthText, speedOf, speedText, timeText } from './caption-text.ts'
import type { Captions } from './captions.ts'

/** Columns of a row: number, times, text, speed. */
export const rowClass =
  'absolute inset-x-0 grid [contain:size_layout_style] grid-cols-[2.75rem_5rem_minmax(0,1fr)_5rem] gap-x-3 border-b border-line py-0.5 pr-5 pl-3 phone:grid-cols-[4.5rem_minmax(0,1fr)_2.5rem] phone:gap-x-2 phone:px-3'

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
      <Text index={index} cue={cue} captions={captions} problems={problems} />
      <Speed cue={cue} limit={captions.rules.get().charactersPerSecond} />
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

type TextProps = TimesProps & { problems: string | undefined }

function Text({ index, cue, captions, problems }: TextProps) {
  const lines = shownLines(cue)
  const onDoubleClick = (event: React.MouseEvent) => captions.edit(index, 'text', caretAt(event, cue))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: F2 does the same
    <span className="min-w-0 leading-5" onDoubleClick={onDoubleClick}>
      {lines.map((line, at) => (
        <bdi
          key={at}
          data-line={at}
          className="block overflow-clip font-serif text-ellipsis whitespace-nowrap text-base leading-5 phone:text-sm"
        >
          {line}
        </bdi>
      ))}
      {problems !== undefined && (
        <span className="block overflow-clip text-xs text-ellipsis whitespace-nowrap leading-4.5 text-warn">
          {problems}
        </span>
      )}
    </span>
  )
}

/** The offset in a caption's text that was clicked, in UTF-16 units; its end if it is not known. */
function caretAt({ clientX, clientY, target }: React.MouseEvent, { lines, mark }: Cue): number {
  const line = Number((target as HTMLElement).closest<HTMLElement>('[data-line]')?.dataset.line ?? lines.length)
  const offset = document.caretPositionFromPoint?.(clientX, clientY)?.offset ?? 0
  const before = lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, 0)
  return Math.max(0, line < lines.length ? before + offset - (line === 0 ? mark.length : 0) : before - 1)
}

/** Characters per second as a bar against the limit, in numbers, and the length. */
function Speed({ cue, limit }: { cue: Cue; limit: number }) {
  const speed = speedOf(cue)
  const isFast = speed > limit
  return (
    <span className="text-right text-xs leading-5 text-ink-3 tabular-nums">
      <span className={isFast ? 'text-warn' : undefined}>
        {cue.edit?.top === true && <ArrowUpToLine aria-label="At the top" className="mr-1 inline size-3.5" />}
        {`${speedText(speed, limit)}/s`}
      </span>
      <span
        aria-hidden="true"
        className={`block h-[3px] rounded-full bg-sunken bg-no-repeat ${isFast ? 'text-warn' : 'text-line-strong'} forced-colors:bg-[Canvas] forced-colors:text-[CanvasText] forced-colors:forced-color-adjust-none`}
        style={{
          backgroundImage: 'linear-gradient(currentColor 0 0)',
          backgroundSize: `${Math.min(100, (speed / limit) * 100)}% 100%`,
        }}
      />
      <span className="phone:hidden">{lengthText(cue)}</span>
    </span>
  )
}
