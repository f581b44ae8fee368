import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CaptionRules, CaptionTiming } from '../../contract/account/captions.ts'
import type { CueEdit } from '../../contract/account/corrections.ts'
import type { Transcript } from '../../text/transcript.ts'
import { anyTranscript, sampleTranscript } from '../testing/sample-transcripts.ts'
import { renderSrt, renderVtt } from './caption-files.ts'
import { captionStyles } from './caption-rules.ts'
import { buildCues, type Cue, cueWarnings } from './cues.ts'

const said =
  'We walked along the old harbour wall, past the mill and the people who were waiting for the boat. It was late.'
const talk = sampleTranscript([
  ['Ann', said],
  ['Bob', said],
])

/** The transcript with manual settings of the captions that begin with these words. */
function withEdits(transcript: Transcript, edits: ReadonlyMap<number, CueEdit>): Transcript {
  let number = -1
  const turns = transcript.turns.map((turn) => {
    return { ...turn, words: turn.words.map((word) => ({ ...word, cue: edits.get(++number) })) }
  })
  return { ...transcript, turns }
}

const shown = ({ startMs, endMs, lines }: Cue) => ({ startMs, endMs, lines })

describe('captions that somebody set', () => {
  it('begin where they were split, and no other changes', () => {
    const before = [...buildCues(talk)]
    const [first, second] = before
    const middle = (first?.word ?? 0) + 3
    const edits = new Map<number, CueEdit>([
      [first?.word ?? -1, { whole: true }],
      [middle, { whole: true }],
      [second?.word ?? -1, {}],
    ])
    const after = [...buildCues(withEdits(talk, edits))]
    expect(after.map(({ word }) => word)).toEqual([0, middle, ...before.slice(1).map(({ word }) => word)])
    expect(after.slice(2).map(shown)).toEqual(before.slice(1).map(shown))
  })

  it('are one caption where they were joined, also over a long pause', () => {
    const [one] = talk.turns
    const words = (one?.words ?? []).slice(0, 6).map((word, at) => {
      return at < 3 ? word : { ...word, start: word.start + 2, end: word.end + 2 }
    })
    const apart = { ...talk, turns: [{ speaker: 0, words }] }
    expect([...buildCues(apart)].length).toBe(2)
    const joined = [...buildCues(withEdits(apart, new Map([[0, { whole: true }]])))]
    expect(joined.map(({ lines }) => lines.join(' '))).toEqual(['We walked along the old harbour'])
  })

  it('begin and end when they were set to, and give way to what follows', () => {
    const [, second, third] = buildCues(talk)
    const set = {
      whole: true,
      start: (second?.startMs ?? 0) / 1_000 + 0.1,
      end: (third?.startMs ?? 0) / 1_000 + 5,
    } as const
    const edits = new Map<number, CueEdit>([
      [second?.word ?? -1, set],
      [third?.word ?? -1, {}],
    ])
    const [first, moved, next] = buildCues(withEdits(talk, edits))
    expect(moved?.startMs).toBe((second?.startMs ?? 0) + 100)
    expect(moved?.endMs).toBe(next?.startMs)
    expect(first?.endMs).toBeLessThan(moved?.startMs ?? 0)
  })

  it('end when they were set to if the rules split them, with their last part, or say why not', () => {
    const endOf = (transcript: Transcript, end: number, rules: CaptionRules) => {
      const edits = new Map<number, CueEdit>([[0, { whole: true, end, top: true }]])
      const cues = [...buildCues(withEdits(transcript, edits), rules)]
      const after = cues.findIndex(({ speaker }) => speaker === 'Bob')
      return { last: cues[after - 1] as Cue, parts: after, faults: [...cueWarnings(cues, rules)] }
    }
    const [one, two] = talk.turns
    const words = (one?.words ?? []).slice(0, 9)
    const short = {
      ...talk,
      turns: [
        { speaker: 0, words },
        { speaker: 1, words: two?.words ?? [] },
      ],
    }
    const spoken = words.at(-1)?.end ?? 0
    const narrow = { ...captionStyles.parley, lineLength: 16 }
    for (const rules of [captionStyles.parley, narrow]) {
      const { last, parts, faults } = endOf(short, spoken + 0.7, rules)
      expect(parts > 1).toBe(rules === narrow)
      expect([last.endMs, last.edit?.top]).toEqual([Math.round(spoken * 1_000) + 700, true])
      expect(faults.filter(({ kind }) => kind.includes('set time'))).toEqual([])
      const early = endOf(short, 0.5, rules)
      const fault = { kind: 'ends after its set time', value: 0.5 }
      expect(early.faults.some(({ kind }) => kind.includes('set time'))).toBe(rules === narrow)
      if (rules === narrow) expect(early.faults).toContainEqual({ cue: early.parts, ...fault })
    }
  })

  it('are all moved by the timing of the rules, none before 0, and what was set moves along', () => {
    const [, second, third] = buildCues(talk)
    const edits = new Map<number, CueEdit>([
      [second?.word ?? -1, { whole: true, end: (second?.endMs ?? 0) / 1_000 - 0.1 }],
      [third?.word ?? -1, {}],
    ])
    const set = withEdits(talk, edits)
    const cuesAt = (timing: CaptionTiming) => [...buildCues(set, { ...captionStyles.parley, timing })]
    const before = [...buildCues(set)].map(shown)
    const moved = (ms: number) =>
      before.map(({ startMs, endMs, lines }) => ({ startMs: startMs + ms, endMs: endMs + ms, lines }))
    expect(cuesAt({ stretch: 1, shiftSeconds: 2.5 }).map(shown)).toEqual(moved(2_500))
    const stretched = cuesAt({ stretch: 1.0427, shiftSeconds: -1 })
    expect(stretched[1]?.endMs).toBe(Math.round((before[1]?.endMs ?? 0) * 1.0427) - 1_000)
    const early = cuesAt({ stretch: 1, shiftSeconds: -5 })
    expect(early[0]?.startMs).toBe(0)
    expect(early.at(-1)?.startMs).toBe((before.at(-1)?.startMs ?? 0) - 5_000)
    expect(early.flatMap(({ lines }) => lines).join(' ')).toBe(before.flatMap(({ lines }) => lines).join(' '))
  })

  it('are at the top in WebVTT if set so, in no other format', () => {
    const edits = new Map<number, CueEdit>([
      [0, { whole: true, top: true }],
      [[...buildCues(talk)][1]?.word ?? -1, {}],
    ])
    const [first, second] = [...renderVtt(withEdits(talk, edits))].slice(1)
    expect(first).toMatch(/^1\n00:00:00\.000 --> \S+ line:0\n<v Ann>/)
    expect(second).not.toContain('line:')
    expect([...renderSrt(withEdits(talk, edits))].join('')).not.toContain('line')
  })

  it('never overlap, and hold every word in order, whatever was set', () => {
    const edit = fc.record(
      {
        whole: fc.constant(true as const),
        fixed: fc.constant(true as const),
        breaks: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 2 }),
        start: fc.double({ min: 0, max: 60, noNaN: true }),
        end: fc.double({ min: 0, max: 60, noNaN: true }),
      },
      { requiredKeys: [] },
    )
    const edits = fc.array(fc.tuple(fc.nat(60), edit), { maxLength: 12 })
    fc.assert(
      fc.property(anyTranscript({ sorted: false }), edits, (transcript, set) => {
        const cues = [...buildCues(withEdits(transcript, new Map(set)))]
        const text = (all: readonly Cue[]) =>
          all
            .flatMap(({ lines }) => lines)
            .join(' ')
            .replaceAll(' ', '')
        expect(text(cues)).toBe(text([...buildCues(transcript)]))
        const missed = [...cueWarnings(cues)].filter(({ kind }) => /^ends.*set time$/.test(kind))
        for (const { set } of cues) {
          if (set.endMs === null) continue
          expect([...missed.map(({ value }) => value), ...cues.map(({ endMs }) => endMs / 1_000)]).toContain(
            set.endMs / 1_000,
          )
        }
        expect(cues.flatMap(({ lines }) => lines)).not.toContain('')
        let end = 0
        for (const { startMs, endMs } of cues) {
          expect(startMs).toBeGreaterThanOrEqual(end)
          expect(endMs).toBeGreaterThan(startMs)
          end = endMs
        }
      }),
    )
  })
})
