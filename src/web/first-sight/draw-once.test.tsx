import { File } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { looseMetadata, recordOf } from '../api/metadata-reader.ts'
import { ShowTabs } from '../files/bars/show-tabs.tsx'
import { storedColumns } from '../files/columns/column-layout.ts'
import { columnIds } from '../files/columns/columns.tsx'
import { TableHead } from '../files/rows/table-head.tsx'
import { DayTableRow, FileTableRow } from '../files/rows/table-row.tsx'
import type { FileRow } from '../library/library-rows.ts'
import { datesIn } from '../ui/dates.ts'
import { phoneQuery, railQuery } from '../ui/media-queries.ts'
import { drawOnce } from './draw-once.ts'
import { FirstFrame } from './first-frame.tsx'
import { installPlainDocument } from './testing/plain-document.ts'

installPlainDocument()

const now = Date.parse('2026-11-21T12:00:00Z')
const day = 86_400_000
const dates = datesIn({ language: 'en-GB', hour12: false })

function rowOf(metadata: Record<string, unknown> | null, problem: string | null = null): FileRow {
  const source = {
    id: 'x',
    metadata: looseMetadata({ name: 'A talk', created: new Date(now - day).toISOString(), ...metadata }),
  }
  const record = metadata === null ? null : recordOf(source, day)
  return { id: 'x', record, problem, pace: null, movedAt: 0, readySeenAt: null }
}

/** Rows that show everything a row can show. */
const rows = [
  rowOf({ progress_percent: 100, seconds: '61', bytes: '1000', total: 5, currency: 'USD' }),
  rowOf({
    progress_percent: 30,
    delivery: new Date(now + day).toISOString(),
    options: { transcript_type: 'manual', strict_verbatim: 'on' },
  }),
  rowOf({ progress_percent: 72, delay_reason: 'poor audio', total: 5 }),
  rowOf({ name: '' }),
  rowOf(null),
  rowOf(null, 'The metadata cannot be read.'),
]
const columns = { ...storedColumns(), visible: columnIds }
const place = { top: 0, height: 52, number: 1 }

const parts: [name: string, node: ReactNode][] = [
  ...rows.flatMap((row, index) =>
    [false, true].map((isPhone): [string, ReactNode] => [
      `row ${index + 1} ${isPhone ? 'on a phone' : 'with all columns'}`,
      <FileTableRow
        key="row"
        {...place}
        environment="sandbox"
        row={row}
        isPhone={isPhone}
        columns={columnIds}
        selected
        active
        deletesWhenReady
        format="txt"
        now={now}
        dates={dates}
      />,
    ]),
  ),
  ['a day', <DayTableRow key="day" day={now} dates={dates} {...place} />],
  [
    'the headings',
    <TableHead
      key="head"
      columns={columns}
      sort="created"
      direction="desc"
      onSort={() => {}}
      rowCount={1}
      selectedCount={0}
      onSelectAll={() => {}}
    />,
  ],
  [
    'the tabs',
    <ShowTabs
      key="tabs"
      show="all"
      counts={{ all: 3, progress: 1, ready: 1, delayed: 1 }}
      reading
      onChange={() => {}}
    />,
  ],
]

const textOf = (html: string): string => html.replaceAll(/<[^>]*>/g, '').replaceAll('&#x27;', "'")

it.each(parts)('draws %s with the text that React gives it', (_name, node) => {
  expect(drawOnce(node).textContent).toBe(textOf(renderToStaticMarkup(node)))
})

const frames: [kind: string, matching: readonly string[]][] = [
  ['with the sidebar', []],
  ['with the rail', [railQuery]],
  ['on a phone', [railQuery, phoneQuery]],
]

it.each(frames)('draws the frame %s', (_kind, matching) => {
  vi.stubGlobal('window', { matchMedia: (query: string) => ({ matches: matching.includes(query) }) })
  const session = { environment: 'sandbox', account: 'a', key: 'k' } as const
  const frame = (
    <FirstFrame session={session} fileCount={3} offersAccount>
      <p>List</p>
    </FirstFrame>
  )
  expect(drawOnce(frame).textContent).toBe(textOf(renderToStaticMarkup(frame)))
  vi.unstubAllGlobals()
})

it('refuses hooks, icon components and SVG', () => {
  const Counter = () => useState(1)[0]
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(() => drawOnce(<Counter />)).toThrow()
  quiet.mockRestore()
  expect(() => drawOnce(<File />)).toThrow(/cannot be drawn/)
  expect(() => drawOnce(<svg />)).toThrow(/cannot be drawn/)
})
