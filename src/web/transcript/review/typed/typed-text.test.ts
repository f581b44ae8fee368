import { expect, it } from 'vitest'
import type { WorkSection } from '../../../../contract/account/manual-work.ts'
import { blanksIn, findSection, newestChange, typedText } from './typed-text.ts'

const said = (text: string, start: number, speaker = 0) =>
  text.split(' ').map((word, at) => ({ word, start: start + at, end: start + at + 0.8, speaker }))

const sections: WorkSection[] = [
  {
    start: 0,
    end: 360,
    state: 'reviewed',
    blanks: 0,
    changed: '2026-11-23T10:00:00.000Z',
    words: said('the old wall', 1),
  },
  { start: 360, end: 720, state: 'typing', blanks: 0, changed: null, words: [] },
  {
    ...{ start: 720, end: 1_080, state: 'typed', blanks: 1, changed: '2026-11-23T12:00:00.000Z' },
    words: [...said('it was [blank 12:03] here', 721), ...said('yes', 800, 1)],
  },
  { start: 1_080, end: 1_440, state: 'waiting', blanks: 0, changed: null, words: [] },
]
const work = { names: ['Ann', 'Bob'], sections }
const textOf = ({ table, sections: shown }: ReturnType<typeof typedText>) =>
  shown.map(({ words }) => table.slice(words.from, words.to))

it('shows words at their own times, and a line as long as the section if nothing is typed', () => {
  const typed = typedText(work, null)
  expect(textOf(typed)).toEqual([
    'the old wall',
    '[6:00 to 12:00: being typed]',
    'it was [blank 12:03] here\nyes',
    '[18:00 to 24:00: not typed yet]',
  ])
  const { table } = typed
  expect([table.startOf(1), table.endOf(1)]).toEqual([2, 2.8])
  expect([table.startOf(3), table.endOf(3), table.speakerOf(3)]).toEqual([360, 720, -1])
  expect(table.speakerOf(table.count - 2)).toBe(1)
  expect(blanksIn(typed)).toEqual([{ from: 6, to: 8 }])
})

it('marks the sections that have changed since the last look, and none on the first', () => {
  const isNew = (since: string | null) => typedText(work, since).sections.map((section) => section.isNew)
  expect(isNew(null)).toEqual([false, false, false, false])
  expect(isNew('2026-11-23T11:00:00.000Z')).toEqual([false, false, true, false])
  expect(newestChange(work)).toBe('2026-11-23T12:00:00.000Z')
  expect(isNew(newestChange(work))).toEqual([false, false, false, false])
  expect(newestChange({ sections: [] })).toBeNull()
})

it('knows the section of a word', () => {
  const typed = typedText(work, null)
  expect(findSection(typed, 3)?.isMissing).toBe(true)
  expect(findSection(typed, 4)?.isMissing).toBe(false)
  expect(findSection(typed, 99)).toBeUndefined()
})
