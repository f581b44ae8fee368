import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CaptionRules } from '../../../contract/account/captions.ts'
import { captionStyles } from '../../../formats/captions/caption-rules.ts'
import { buildCues, type Cue, cueWarnings } from '../../../formats/captions/cues.ts'
import { sampleTranscript } from '../../../formats/testing/sample-transcripts.ts'
import { transcriptOfTable } from '../downloads/transcript-of-table.ts'
import { applyOperation } from '../edit/operation.ts'
import { tableOf, wordsOf } from '../model/testing/made-words.ts'
import type { WordTable } from '../model/word-table.ts'
import { fixTiming } from './fix-timing.ts'
import { automatic, type Made, makeChanges, measureRoom, merge, moveEdge, split, type Wanted } from './set-captions.ts'
import { snapToShots } from './snap-to-shots.ts'

const { turns: _turns, speakers: _speakers, ...about } = sampleTranscript([])

function made(table: WordTable, rules: CaptionRules = captionStyles.parley): Made {
  return { table, rules, cues: [...buildCues(transcriptOfTable(table, ['Ann', 'Bob'], about), rules)] }
}

/** The captions after an edit; unchanged if it is not possible. */
function after(before: Made, wanted: Wanted): Made {
  if (typeof wanted === 'string') return before
  const changes = makeChanges(before.table, wanted)
  return made(
    applyOperation({ table: before.table, names: [] }, { label: '', changes, names: null }).table,
    before.rules,
  )
}

const texts = fc.array(
  fc.constantFrom('the', 'harbour', 'stones,', 'remember.', 'a', 'old', 'mill|', 'it', 'fundamentally'),
  {
    minLength: 2,
    maxLength: 60,
  },
)
const talk = fc.tuple(texts, fc.integer({ min: 120, max: 700 })).map(([said, paceMs]) => {
  const words = wordsOf(said.join(' '), (_, index) => {
    return { start: (index * paceMs) / 1_000, end: (index * paceMs + paceMs * 0.9) / 1_000, speaker: 0 }
  })
  return tableOf(words)
})
const shown = ({ startMs, endMs, lines }: Cue) => ({ startMs, endMs, lines })
const at = fc.nat(20)

test('a caption that is split, merged and reset to automatic is unchanged, and no other ever changes', () => {
  fc.assert(
    fc.property(talk, at, fc.nat(10), (table, place, inside) => {
      const before = made(table)
      const index = place % before.cues.length
      const [cue, next] = [before.cues[index] as Cue, before.cues[index + 1]]
      const word = cue.word + 1 + inside
      fc.pre(word < (next?.word ?? table.count))
      const two = after(before, split(before, index, word))
      expect(two.cues.map((one) => one.word)).toEqual(
        [...before.cues.map((one) => one.word), word].sort((a, b) => a - b),
      )
      const others = (all: readonly Cue[], mine: number) =>
        all.filter((_, one) => one < index || one >= index + mine).map(shown)
      expect(others(two.cues, 2)).toEqual(others(before.cues, 1))
      const one = after(two, merge(two, index))
      expect(one.cues.map(shown)).toEqual(before.cues.map(shown))
      const again = after(one, automatic(one, index))
      expect(again.cues).toEqual(before.cues)
    }),
  )
})

test('an edge moves to its target within its range, and words do not move', () => {
  fc.assert(
    fc.property(
      talk,
      at,
      fc.constantFrom('start', 'end'),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (table, place, edge, share) => {
        const before = made(table)
        const index = place % before.cues.length
        const [least, most] = measureRoom(before, index, edge)
        fc.pre(most >= least)
        const to = Math.round(least + (Math.min(most, least + 5_000) - least) * share)
        const moved = after(before, moveEdge(before, index, edge, to))
        expect(moved.cues[index]?.[edge === 'start' ? 'startMs' : 'endMs']).toBe(to)
        expect(moved.cues.map(({ word, lines }) => [word, lines])).toEqual(
          before.cues.map(({ word, lines }) => [word, lines]),
        )
        for (const [one, { startMs, endMs }] of moved.cues.entries()) {
          expect(endMs).toBeGreaterThan(startMs)
          expect(startMs).toBeGreaterThanOrEqual(moved.cues[one - 1]?.endMs ?? 0)
        }
      },
    ),
  )
})

test('a set end is that of the last part if other rules split the caption, also after one of its parts is set', () => {
  const words = 'We walked along the old harbour wall, past the mill.|Yes, and then it rained all day long.'
  const spread = made(tableOf(wordsOf(words, (_, at) => ({ speaker: 0, start: at / 3, end: at / 3 + 0.3 }))))
  const narrow = { ...captionStyles.parley, lineLength: 16 }
  const moved = made(after(spread, moveEdge(spread, 0, 'end', 3_250)).table, narrow)
  const last = moved.cues.findIndex(({ word }) => word === spread.cues[1]?.word) - 1
  expect(last).toBeGreaterThan(0)
  const endOf = ({ cues }: Made, index: number) => cues[index]?.endMs
  expect(endOf(moved, last)).toBe(3_250)
  const first = 700
  const again = after(moved, moveEdge(moved, 0, 'end', first))
  expect([endOf(again, 0), endOf(again, last)]).toEqual([first, endOf(moved, last)])
  expect(automatic(moved, last)).toEqual(automatic(moved, 0))
})

test('retiming violates no further rule, moves no word, and leaves nothing that it could fix', () => {
  const faultsOf = ({ cues, rules }: Made) =>
    new Set([...cueWarnings(cues, rules)].map(({ cue, kind }) => `${cue} ${kind}`))
  let mended = 0
  fc.assert(
    fc.property(talk, fc.array(fc.tuple(at, fc.nat(2_000)), { maxLength: 4 }), (table, pulls) => {
      let before = made(table)
      for (const [place, by] of pulls) {
        const index = place % before.cues.length
        const [least, most] = measureRoom(before, index, 'end')
        before = after(before, moveEdge(before, index, 'end', Math.min(most, least + by)))
      }
      const { settings, count } = fixTiming(before, Number.POSITIVE_INFINITY)
      const now = after(before, settings)
      mended += count
      expect(now.cues.map(({ word, lines }) => [word, lines])).toEqual(
        before.cues.map(({ word, lines }) => [word, lines]),
      )
      const old = faultsOf(before)
      for (const fault of faultsOf(now)) expect(old).toContain(fault)
      expect(fixTiming(now, Number.POSITIVE_INFINITY).count).toBe(0)
    }),
  )
  expect(mended).toBeGreaterThan(10)
})

test('reports impossible merges: two turns, too many lines, too long, the last one', () => {
  const words = 'We walked along the old harbour wall, past the mill and the people who were waiting there for it.|Yes.'
  const captions = made(tableOf(wordsOf(words, () => ({ speaker: 0 }))))
  expect(captions.cues.length).toBeGreaterThan(2)
  expect(merge(captions, 0)).toMatch(/^Together they (need more than 2 lines|are longer than 7)/)
  expect(merge(captions, captions.cues.length - 2)).toMatch(/another turn/)
  expect(merge(captions, captions.cues.length - 1)).toMatch(/no caption after/)
  expect(split(captions, captions.cues.length - 1, captions.table.count)).toMatch(/one word/)
})

test('captions near a shot change begin with it or end a gap before it, unless that breaks a rule', () => {
  const spoken = made(
    tableOf(
      wordsOf('All is calm here now.|Yes, it was late then.', (_, at) => {
        const second = at >= 5
        return {
          speaker: 0,
          start: second ? 4 + (at - 5) * 0.4 : 1 + at * 0.4,
          end: second ? 4.3 + (at - 5) * 0.4 : 1.3 + at * 0.4,
        }
      }),
    ),
  )
  expect(spoken.cues.map(({ startMs }) => startMs)).toEqual([1_000, 4_000])
  const snap = (shots: number[]) => snapToShots(spoken, shots, 60_000)
  const { settings, count } = snap([900, 4_120, 30_000])
  const now = after(spoken, settings)
  expect([count, now.cues.map(({ startMs }) => startMs)]).toEqual([2, [900, 4_120]])
  expect(snapToShots(now, [900, 4_120, 30_000], 60_000).count, 'once more').toBe(0)
  const end = spoken.cues[0]?.endMs ?? 0
  const ended = after(spoken, snap([end + 200]).settings)
  expect(ended.cues[0]?.endMs).toBe(end + 200 - 80)
  expect(snap([500, 4_300]).count, 'too far').toBe(0)
})

test('snapping to shot changes breaks no further rule, moves no word, and is done once', () => {
  let moved = 0
  fc.assert(
    fc.property(talk, fc.array(fc.nat(60_000), { maxLength: 40 }), (table, at) => {
      const before = made(table)
      const shots = at.toSorted((a, b) => a - b)
      const { settings, count } = snapToShots(before, shots, Number.POSITIVE_INFINITY)
      moved += count
      const now = after(before, settings)
      expect(now.cues.map(({ word, lines }) => [word, lines])).toEqual(
        before.cues.map(({ word, lines }) => [word, lines]),
      )
      const faults = (of: Made) => [...cueWarnings(of.cues, of.rules)].length
      expect(faults(now)).toBeLessThanOrEqual(faults(before))
    }),
  )
  expect(moved).toBeGreaterThan(10)
})
