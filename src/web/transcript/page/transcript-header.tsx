import { Check, ChevronLeft, Copy, Info, Search, TriangleAlert } from 'lucide-react'
import { type RefObject, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { Button } from '../../base/ui/button.tsx'
import type { Dates } from '../../base/ui/dates.ts'
import { clockText } from '../../base/ui/duration.ts'
import { IconButton, iconButtonClass } from '../../base/ui/icon-button.tsx'
import { Pill } from '../../base/ui/pill.tsx'
import { sizeText } from '../../base/ui/sizes.ts'
import { orderText } from '../../signed-in/options/order-text.ts'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import type { Desk } from '../desk/desk.ts'
import { DownloadMenu, type Downloads } from '../downloads/download-menu.tsx'
import { FindBox } from './find-box.tsx'

type Props = {
  desk: Desk
  record: FileRecord
  backTo: string
  isPhone: boolean
  findInput: RefObject<HTMLInputElement | null>
  onCopy: () => void
  /** replaces the current hit of find, or all of them */
  onReplace: (by: string, all: boolean) => void
  /** number of corrections and when they were saved, in words; null if there are none */
  saved: string | null
  downloads: Downloads
  onInfo: () => void
  /** there is no room for the panel beside the text */
  narrow: boolean
}

/** What this transcript is, find, copy and download. */
export function TranscriptHeader(props: Props) {
  const { desk, record, backTo, isPhone, findInput, saved, narrow } = props
  const [finding, setFinding] = useState(false)
  if (isPhone && finding) {
    return (
      <header className="flex h-14 items-center border-b border-line px-3">
        <FindBox find={desk.find} inputRef={focused(findInput)} onClose={() => setFinding(false)} />
      </header>
    )
  }
  return (
    <header className="flex h-17 items-center gap-3 border-b border-line pr-7 pl-5 phone:gap-1 phone:px-3 low:h-12">
      <Link to={backTo} aria-label="Back to files" className={iconButtonClass}>
        <ChevronLeft aria-hidden />
      </Link>
      <Title record={record} isPhone={isPhone} />
      {!isPhone && <State record={record} />}
      {!narrow && saved !== null && <span className="truncate text-sm text-ink-3 max-[80rem]:hidden">{saved}</span>}
      <Tools {...props} onFind={() => setFinding(true)} />
    </header>
  )
}

function Title({ record, isPhone }: Pick<Props, 'record' | 'isPhone'>) {
  const dates = useDates()
  const { name } = record.metadata
  return (
    <div className="min-w-0">
      <h1 title={name} className="truncate text-md font-semibold phone:text-base">
        {name}
      </h1>
      <p className="truncate text-sm text-ink-3">
        {isPhone ? shortFacts(record) : facts(record, (at) => dates.moment(at))}
      </p>
    </div>
  )
}

function Tools(props: Props & { onFind: () => void }) {
  const { isPhone, downloads, onInfo, narrow } = props
  const hasText = useHasText(props)
  return (
    <div className="ml-auto flex shrink-0 items-center gap-2 phone:gap-0">
      {hasText && <TextTools {...props} />}
      {narrow && (
        <IconButton label="File details" tooltip={false} onClick={onInfo}>
          <Info aria-hidden />
        </IconButton>
      )}
      <DownloadMenu isPhone={isPhone} {...downloads} />
    </div>
  )
}

/** Of a text in progress there may be no word yet, to find or to copy. */
function useHasText({ desk, record }: Pick<Props, 'desk' | 'record'>): boolean {
  const { state } = desk.text
  return useSyncExternalStore(state.subscribe, () => record.percent === 100 || state.get().table.count > 0)
}

function TextTools({ desk, isPhone, findInput, onFind, onCopy, onReplace }: Props & { onFind: () => void }) {
  if (isPhone) {
    return (
      <IconButton label="Find" tooltip={false} onClick={onFind}>
        <Search aria-hidden />
      </IconButton>
    )
  }
  return (
    <>
      <FindBox find={desk.find} inputRef={findInput} onReplace={onReplace} />
      <Button onClick={onCopy} onPointerDown={(event) => event.preventDefault()}>
        <Copy aria-hidden /> Copy
      </Button>
    </>
  )
}

/** Focuses the field as soon as it is rendered: on a phone, opening find is for typing. */
function focused(input: RefObject<HTMLInputElement | null>): RefObject<HTMLInputElement | null> {
  queueMicrotask(() => input.current?.focus())
  return input
}

const readyWords = { draft: 'Ready', in_review: 'In review', approved: 'Approved' }

function State({ record }: { record: FileRecord }) {
  if (record.percent === 100) {
    return (
      <Pill tone="ok">
        {record.review !== 'in_review' && <Check aria-hidden />} {readyWords[record.review]}
      </Pill>
    )
  }
  if (record.metadata.delay_reason !== null) {
    return (
      <Pill tone="warn">
        <TriangleAlert aria-hidden /> Delayed
      </Pill>
    )
  }
  return <Pill tone="accent">{Math.floor(record.percent)}%</Pill>
}

function shortFacts(record: FileRecord): string {
  return `${clockText(record.seconds)} · ${record.percent === 100 ? readyWords[record.review] : `${Math.floor(record.percent)}%`}`
}

/** `46:31 · 412 MB · Manual · Verbatim · ordered 16 Nov, 14:02` @param moment writes when it was ordered */
export function facts(record: FileRecord, moment: Dates['moment']): string {
  const order = orderText(record.metadata.options)
  const size = sizeText(Number(record.metadata.bytes))
  return [clockText(record.seconds), size, order, `ordered ${moment(record.createdAt)}`].join(' · ')
}
