import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CaptionRules } from '../../contract/account/captions.ts'
import { ruleBreak } from './caption-lines.ts'
import { captionStyles } from './caption-rules.ts'
import { chooseBreaks, type Stretch, weighCaptions } from './choose-breaks.ts'

const texts = ['the', 'of', 'and', 'you', 'harbour', 'stones,', 'remember.', 'a', 'old', 'fundamentally', 'mill', 'it']
const spoken = fc.record({
  text: fc.constantFrom(...texts),
  ms: fc.integer({ min: 60, max: 900 }),
  pauseMs: fc.nat(600),
})

function stretchOf(said: readonly { text: string; ms: number; pauseMs: number }[], indent: number): Stretch {
  let at = 0
  const words = said.map(({ text, ms, pauseMs }) => {
    const startMs = at
    at += ms + pauseMs
    return { text, startMs, endMs: startMs + ms, turn: 0, speaker: null, word: 0 }
  })
  return { words, nextMs: at + 1_500, indent, goesOn: false }
}

/** All ways to split `count` words into captions. */
function* allWays(count: number): Generator<number[]> {
  for (let cuts = 0; cuts < 2 ** (count - 1); cuts++) {
    const ends: number[] = []
    for (let at = 1; at < count; at++) if ((cuts >> (at - 1)) & 1) ends.push(at)
    yield [...ends, count]
  }
}

/** Narrow enough that eleven words need several captions. */
const narrow: CaptionRules = { ...captionStyles.parley, lineLength: 18, maxSeconds: 4 }

describe('breaks of a stretch', () => {
  it('break as few rules as any by exhaustive search, and are the most readable of those', () => {
    fc.assert(
      fc.property(fc.array(spoken, { minLength: 1, maxLength: 11 }), fc.constantFrom(0, 2), (said, indent) => {
        const stretch = stretchOf(said, indent)
        for (const rules of [narrow, { ...narrow, maxLines: 3 }, captionStyles.dcmp]) {
          const breaks = chooseBreaks(stretch, rules)
          const chosen = weighCaptions(
            stretch,
            breaks.map(({ to }) => to),
            rules,
          )
          let least = Number.POSITIVE_INFINITY
          for (const ends of allWays(said.length)) least = Math.min(least, weighCaptions(stretch, ends, rules))
          expect(chosen).toBeCloseTo(least, 6)
          expect(breaks.map(({ from }) => from)).toEqual([0, ...breaks.slice(0, -1).map(({ to }) => to)])
        }
      }),
      { numRuns: 150 },
    )
  })

  it('keep every rule at the speed of calm speech, for every style', () => {
    const said = 'We walked along the old harbour wall, past the mill and the people who were waiting for the boat.'
    const words = said.split(' ').map((text) => ({ text, ms: 420, pauseMs: 30 }))
    for (const rules of Object.values(captionStyles)) {
      const stretch = stretchOf(words, 0)
      const ends = chooseBreaks(stretch, rules).map(({ to }) => to)
      expect(weighCaptions(stretch, ends, rules)).toBeLessThan(ruleBreak)
    }
  })
})
