import { Check, ChevronLeft, Copy, Search, TriangleAlert } from 'lucide-react'
import { type RefObject, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { type FileRecord, givenUpText, isGivenUp } from '../../base/api/metadata-reader.ts'
import { Button } from '../../base/ui/button.tsx'
import { clockText } from '../../base/ui/duration.ts'
import { IconButton, iconButtonClass } from '../../base/ui/icon-button.tsx'
import { Pill } from '../../base/ui/pill.tsx'
import { useMedia } from '../../base/ui/use-media.ts'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { replaceFound } from '../desk/replace-found.ts'
import { copyText } from '../downloads/copy-text.ts'
import { DownloadButton } from '../downloads/download-menu.tsx'
import type { OpenPage } from './feature.ts'
import { useSavedText } from './features/corrections.tsx'
import { useDownloads } from './features/downloads.tsx'
import { findInput } from './features/find.ts'
import { facts } from './features/text.tsx'
import { FileMenuButton } from './file-menu-button.tsx'
import { FindBox } from './find-box.tsx'

type Props = {
  page: OpenPage
  isPhone: boolean
}

/** The transcript's title and facts, find, copy and download. */
export function TranscriptHeader(props: Props) {
  const { page, isPhone } = props
  const { desk, record } = page
  const [finding, setFinding] = useState(false)
  const saved = useSavedText(page)
  const isTight = useMedia(tightQuery)
  if (isPhone && finding) {
    return (
      <header className="flex h-14 items-center border-b border-line px-3">
        <FindBox find={desk.find} inputRef={focused(findInput(page))} onClose={() => setFinding(false)} />
      </header>
    )
  }
  return (
    <header className="flex h-17 items-center gap-3 border-b border-line pr-7 pl-5 phone:gap-1 phone:px-3 low:h-12">
      <Link to={`/${page.session.environment}/files`} aria-label="Back to files" className={iconButtonClass}>
        <ChevronLeft aria-hidden />
      </Link>
      <Title {...{ record, isPhone }} saved={isTight ? saved : null} />
      {!isPhone && <State record={record} />}
      {!isTight && saved !== null && <span className="truncate text-sm text-ink-3">{saved}</span>}
      <Tools {...props} onFind={() => setFinding(true)} />
    </header>
  )
}

/** Windows in which what is saved takes the place of the facts. */
const tightQuery = '(width < 80rem)'

function Title({ record, isPhone, saved }: { record: FileRecord; isPhone: boolean; saved: string | null }) {
  const dates = useDates()
  const { name } = record.metadata
  const all = isPhone ? shortFacts(record) : facts(record, (at) => dates.moment(at))
  return (
    <div className="min-w-0">
      <h1 title={name} className="truncate text-md font-semibold phone:text-base">
        {name}
      </h1>
      <p className="truncate text-sm text-ink-3">{saved === null || record.review === 'approved' ? all : saved}</p>
    </div>
  )
}

function Tools(props: Props & { onFind: () => void }) {
  const { page, isPhone } = props
  const hasText = useHasText(page)
  return (
    <div className="ml-auto flex shrink-0 items-center gap-2 phone:gap-0">
      {hasText && <TextTools {...props} />}
      <DownloadButton isPhone={isPhone} {...useDownloads(page)} />
      {!page.isDeleted && <FileMenuButton record={page.record} />}
    </div>
  )
}

/** A text in progress may not have any words yet to find or copy. */
function useHasText({ desk, record }: OpenPage): boolean {
  const { state } = desk.text
  return useSyncExternalStore(state.subscribe, () => record.percent === 100 || state.get().table.count > 0)
}

function TextTools({ page, isPhone, onFind }: Props & { onFind: () => void }) {
  if (isPhone) {
    return (
      <IconButton label="Find" tooltip={false} onClick={onFind}>
        <Search aria-hidden />
      </IconButton>
    )
  }
  return (
    <>
      <FindBox find={page.desk.find} inputRef={findInput(page)} onReplace={(by, all) => replaceFound(page, by, all)} />
      <Button onClick={() => void copyText(page.desk)} onPointerDown={(event) => event.preventDefault()}>
        <Copy aria-hidden /> Copy
      </Button>
    </>
  )
}

/** Focuses the field as soon as it is rendered: on a phone, opening find means typing. */
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
  if (isGivenUp(record)) return <Pill>{givenUpText(record)}</Pill>
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
  return `${clockText(record.seconds)} · ${record.percent === 100 ? readyWords[record.review] : isGivenUp(record) ? 'Given up' : `${Math.floor(record.percent)}%`}`
}
