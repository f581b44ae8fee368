import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noLabels } from '../../../../contract/account/labels.ts'
import { looseMetadata, toFileRecord } from '../../../base/api/metadata-reader.ts'
import type { FileRow } from '../../../signed-in/library/library-rows.ts'
import type { LibrarySnapshot } from '../../../signed-in/library/library-snapshot.ts'
import { sortNames } from '../../../signed-in/library/sort-names.ts'
import { readingText, summaryText } from '../bars/summary-text.ts'
import type { FoundFiles } from '../found/use-found.ts'
import { type ListState, readListState, sortKeys, writeListState } from './list-state.ts'
import { buildView, isDay } from './list-view.ts'

const now = Date.parse('2026-11-21T12:00:00Z')

function rowOf(id: string, metadata: Record<string, unknown> | null): FileRow {
  const record = metadata === null ? null : toFileRecord({ id, metadata: looseMetadata(metadata) }, null)
  return { id, record, problem: null, pace: null, movedAt: 0, readySeenAt: null }
}

function snapshotOf(rows: FileRow[], complete = true): LibrarySnapshot {
  return {
    rows,
    total: rows.length,
    read: 0,
    archived: 0,
    inProgress: 0,
    complete,
    cachedAt: null,
    failure: null,
    names: null,
    awaited: false,
    deleted: new Set<string>(),
  }
}

const state = (query = ''): ListState => readListState(new URLSearchParams(query))
const created = (daysAgo: number) => new Date(now - daysAgo * 86_400_000).toISOString()

const rows = [
  rowOf('b', { name: 'Beta 10', created: created(1), seconds: '60', total: 5, progress_percent: 100 }),
  rowOf('a', {
    name: 'Alpha 9',
    created: created(0),
    seconds: '',
    total: 9,
    progress_percent: 30,
    delivery: created(-2),
  }),
  rowOf('c', {
    name: 'alpha 10',
    created: created(1.01),
    seconds: '30',
    progress_percent: 72,
    delay_reason: 'poor audio',
    options: { transcript_type: 'automated', speaker_names: ['Ada Obi'] },
  }),
  rowOf('u', null),
]

it('lists archived files only in results of a search, or if the page does', () => {
  const archived = rows.map(({ record, ...row }) => ({
    ...row,
    record: record && row.id === 'b' ? { ...record, labels: { ...noLabels, archived: true } } : record,
  }))
  const shown = (query: string, listsArchived: boolean) =>
    buildView(snapshotOf(archived), state(query), now, undefined, undefined, listsArchived).rows.map(({ id }) => id)
  expect(shown('', false)).not.toContain('b')
  expect(shown('q=beta', false)).toEqual(['b'])
  expect(shown('', true)).toContain('b')
  expect(shown('q=is:archived', true)).toEqual(['b'])
})

const idsOf = (query: string, complete = true) =>
  buildView(snapshotOf(rows, complete), state(query), now).rows.map(({ id }) => id)

describe('viewOf', () => {
  it('shows what words were found in as one row each, whatever its name, unless it is filtered out', () => {
    const found: FoundFiles = new Map([
      ['b', { speaker: 'Ada', start_ms: 0, words: [1, 2], text: 'A mill.', marks: [[2, 6]] }],
      ['c', null],
      ['u', null],
      ['elsewhere', null],
    ])
    const shown = (query: string) => buildView(snapshotOf(rows), state(query), now, found).rows.map(({ id }) => id)
    expect(shown('q=alpha')).toEqual(['a', 'b', 'c', 'u'])
    expect(shown('q=mill+-sea&sort=name')).toEqual(['c', 'b', 'u'])
    expect(shown('q=alpha&show=ready')).toEqual(['b'])
    expect(shown('q=alpha+is:archived')).toEqual(['u'])
    expect(buildView(snapshotOf(rows), state('q=alpha'), now, found).counts).toMatchObject({ all: 3, ready: 1 })
  })

  it('shows files that are corrected, in review or approved', () => {
    const metadata = looseMetadata({ name: 'Talk', created: created(0), progress_percent: 100 })
    const reviewed = [
      { id: 'plain' },
      { id: 'corrected', corrections: 2 },
      { id: 'sent', corrections: 1, review: 'in_review' as const },
      { id: 'done', review: 'approved' as const },
    ].map((entry) => ({ ...rowOf(entry.id, {}), record: toFileRecord({ ...entry, metadata }, null) }))
    const shown = (review: string) =>
      buildView(snapshotOf(reviewed), state(`review=${review}`), now).rows.map(({ id }) => id)
    expect(shown('corrected')).toEqual(['corrected', 'sent'])
    expect(shown('in_review')).toEqual(['sent'])
    expect(shown('approved')).toEqual(['done'])
    expect(shown('none')).toEqual(['plain', 'corrected', 'sent', 'done'])
    expect(writeListState(state('review=approved')).get('review')).toBe('approved')
  })

  it('sorts by any column, unknown values and unread rows last either way', () => {
    expect(idsOf('')).toEqual(['a', 'b', 'c', 'u'])
    expect(idsOf('sort=name')).toEqual(['a', 'c', 'b', 'u'])
    expect(idsOf('sort=seconds')).toEqual(['b', 'c', 'a', 'u'])
    expect(idsOf('sort=seconds&direction=asc')).toEqual(['c', 'b', 'a', 'u'])
    expect(idsOf('sort=total')).toEqual(['a', 'b', 'c', 'u'])
    const names = sortNames(['Beta 10', 'alpha 10', 'Alpha 9'])
    expect(names).toEqual(['Alpha 9', 'alpha 10', 'Beta 10'])
    const view = buildView({ ...snapshotOf(rows), names }, state('sort=name&direction=desc'), now)
    expect(view.rows.map(({ id }) => id)).toEqual(['b', 'c', 'a', 'u'])
  })

  it('sorts any rows as comparing them in pairs does', () => {
    const facts = fc.record({
      name: fc.constantFrom('Ann', 'ann 2', 'Bo'),
      seconds: fc.constantFrom('', '0', '-0', '5', '60.5'),
      days: fc.option(fc.integer({ min: -3, max: 3 }), { nil: null }),
    })
    const orders = fc.tuple(fc.constantFrom('name', 'seconds', 'created'), fc.constantFrom('asc', 'desc'))
    fc.assert(
      fc.property(fc.array(facts, { maxLength: 40 }), orders, (all, [sort, direction]) => {
        const made = all.map(({ name, seconds, days }, index) =>
          rowOf(`f${index}`, { name, seconds, created: days === null ? '' : created(days), progress_percent: 100 }),
        )
        const sign = direction === 'asc' ? 1 : -1
        const unknownLast = (value: number | undefined) =>
          value === undefined || Number.isNaN(value) ? Number.POSITIVE_INFINITY : value
        const keyOf = ({ record }: FileRow) => {
          if (sort === 'name') return ['Ann', 'ann 2', 'Bo'].indexOf(record?.metadata.name ?? '') * sign
          return unknownLast(sign * Number(sort === 'seconds' ? record?.seconds : record?.createdAt))
        }
        const newest = (row: FileRow) => unknownLast(-Number(row.record?.createdAt))
        const compare = (one: number, two: number) => (one === two ? 0 : one < two ? -1 : 1)
        const expected = made.toSorted(
          (one, two) => compare(keyOf(one), keyOf(two)) || compare(newest(one), newest(two)),
        )
        const view = buildView(snapshotOf(made), state(`sort=${sort}&direction=${direction}`), now)
        expect(view.rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
      }),
    )
  })

  it('keeps the service’s order until all is read', () => {
    expect(idsOf('', false)).toEqual(['b', 'a', 'c', 'u'])
  })

  it('heads the days of a beginning of the list that is read', () => {
    const read = rows.filter(({ record }) => record !== null)
    expect(buildView(snapshotOf(read, false), state(), now).items.filter(isDay)).toHaveLength(2)
    expect(buildView(snapshotOf(rows, false), state(), now).items.filter(isDay)).toHaveLength(0)
  })

  it('filters by state, type, dates, name and speaker, and counts the tabs', () => {
    expect(idsOf('show=delayed')).toEqual(['c'])
    expect(idsOf('show=progress')).toEqual(['a', 'c'])
    expect(idsOf('type=automated')).toEqual(['c'])
    expect(idsOf('q=OBI')).toEqual(['c'])
    expect(idsOf('q=alpha')).toEqual(['a', 'c'])
    expect(idsOf(`from=${created(0).slice(0, 10)}`)).toEqual(['a'])
    expect(buildView(snapshotOf(rows), state(), now).counts).toEqual({ all: 4, progress: 2, ready: 1, delayed: 1 })
  })

  it('heads each day once, and files without one', () => {
    const days = buildView(snapshotOf(rows), state(), now).items.filter(isDay)
    expect(days).toHaveLength(3)
    expect(buildView(snapshotOf(rows), state('sort=name'), now).items).toHaveLength(4)
  })
})

describe('the headings of older files', () => {
  it('are their months, from two weeks on', () => {
    const old = [3, 13.9, 16, 20, 22, 60, 61].map((days) => rowOf(`${days}`, { name: 'x', created: created(days) }))
    const heads = buildView(snapshotOf(old), state(), now).items.filter(isDay)
    expect(heads.map(({ isMonth }) => isMonth)).toEqual([false, false, true, true, true])
    const oldestFirst = buildView(snapshotOf(old), state('sort=created&direction=asc'), now).items.filter(isDay)
    expect(oldestFirst).toEqual(heads.toReversed())
  })
})

describe('summaryText and readingText', () => {
  it('give totals of all files, but none of a part', () => {
    const view = { seconds: 5_400, read: 12 }
    const whole = { ...snapshotOf(rows), total: 1_200, read: 1_200, inProgress: 2 }
    expect(summaryText(whole, view, false)).toBe('1,200 files · 2 in progress · 1 h 30 min of recordings')
    expect(summaryText(whole, view, true)).toBe('12 of 1,200 files')
    const archived = { ...whole, archived: 5 }
    expect(summaryText(archived, view, false)).toMatch(/^1,195 files · .* · 5 archived$/)
    // A search finds archived files, too.
    expect(summaryText(archived, view, true)).toBe('12 of 1,200 files')
    expect(summaryText(whole, { ...view, seconds: 1_276 * 3_600 }, false)).toMatch(/ 1,276 h of recordings$/)
    expect(readingText(whole)).toBeNull()
    const part = { ...whole, complete: false, read: 812 }
    expect(summaryText(part, view, true)).toBe('1,200 files')
    expect(readingText(part)).toBe('812 of 1,200 loaded')
    expect(summaryText({ ...part, total: null }, view, false)).toBe('Loading files…')
    expect(summaryText({ ...whole, total: 0 }, view, false)).toBe('No files yet')
  })
})

describe('the address of a list', () => {
  it('restores every state', () => {
    const days = fc.constantFrom('', '2026-02-28', '2024-02-29')
    const states = fc.record({
      search: fc.string(),
      show: fc.constantFrom('all', 'progress', 'ready', 'delayed'),
      type: fc.constantFrom('any', 'automated', 'manual'),
      review: fc.constantFrom('any', 'corrected', 'in_review', 'approved'),
      from: days,
      to: days,
      sort: fc.constantFrom(...sortKeys),
      direction: fc.constantFrom('asc', 'desc'),
      columns: fc.constantFrom('', 'none', 'seconds,order:220', 'gone'),
    }) as fc.Arbitrary<ListState>
    fc.assert(
      fc.property(states, (one) => {
        expect(readListState(writeListState(one))).toEqual(one)
      }),
    )
    fc.assert(
      fc.property(states, states, (one, view) => {
        expect(readListState(writeListState(one, view), view)).toEqual(one)
        expect(writeListState(view, view).size).toBe(0)
      }),
    )
  })

  it('ignores nonsense', () => {
    expect(state('sort=evil&from=2026-99-99&show=x&direction=up')).toEqual(state())
  })
})
