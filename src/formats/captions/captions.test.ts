import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WordRecord } from '../../contract/interface/words.ts'
import { anyTranscript, sampleTranscript, trickyTexts } from '../testing/sample-transcripts.ts'
import { renderSbv, renderSrt, renderVtt } from './caption-files.ts'
import { captionReport } from './caption-report.ts'
import { defaultCaptionRules, frameMs } from './caption-rules.ts'
import { cueWords, cutToLength } from './cue-words.ts'
import { buildCues, cueWarnings, shownLines } from './cues.ts'

const { lineLength, maxLines, maxSeconds, charactersPerSecond, gapFrames } = defaultCaptionRules
const gapMs = gapFrames * frameMs

describe('cues', () => {
  it('never exceed lines, line length and seconds, never overlap, and hold every word in order', () => {
    fc.assert(
      fc.property(anyTranscript({ sorted: false }), (transcript) => {
        const cues = [...buildCues(transcript)]
        let previousEndMs = 0
        for (const cue of cues) {
          expect(cue.startMs).toBeGreaterThanOrEqual(previousEndMs)
          expect(cue.endMs).toBeGreaterThan(cue.startMs)
          expect(cue.endMs - cue.startMs).toBeLessThanOrEqual(maxSeconds * 1_000)
          expect(cue.lines.length).toBeLessThanOrEqual(maxLines)
          for (const line of shownLines(cue)) expect(line.length).toBeLessThanOrEqual(lineLength)
          previousEndMs = cue.endMs
        }
        const words = [...cueWords(transcript, lineLength - 2)].map(({ text }) => text)
        expect(cues.flatMap(({ lines }) => lines).join(' ')).toBe(words.join(' '))
      }),
    )
  })

  it('are shown long enough to read if the speech allows', () => {
    fc.assert(
      fc.property(anyTranscript({ sorted: true }), (transcript) => {
        const cues = [...buildCues(transcript)]
        for (const [index, cue] of cues.entries()) {
          const needed = (shownLines(cue).join('\n').length / charactersPerSecond) * 1_000
          const next = cues[index + 1]
          const hasRoom = next === undefined || next.startMs - gapMs > cue.endMs
          const isLongest = cue.endMs - cue.startMs >= maxSeconds * 1_000
          if (hasRoom && !isLongest) expect(cue.endMs - cue.startMs).toBeGreaterThanOrEqual(Math.floor(needed))
        }
      }),
    )
  })

  it('break behind sentences and clauses, in lines of even length', () => {
    const said =
      'This is the first sentence of the talk. The second sentence goes on for longer, with a clause, and then it ends.'
    const cues = [...buildCues(sampleTranscript([['Ann', said]]))]
    expect(cues.map(({ lines }) => lines)).toEqual([
      ['This is the first sentence of the talk.'],
      ['The second sentence goes on for longer,', 'with a clause, and then it ends.'],
    ])
  })

  it('mark a change of speaker, and only where there are two', () => {
    const two = sampleTranscript([
      ['Ann', 'Hello.'],
      ['Bob', 'Hi.'],
    ])
    expect([...renderSrt(two)].join('')).toContain('\n- Hello.\n')
    expect([...renderVtt(two)].join('')).toContain('\n<v Bob>Hi.\n')
    expect([...renderSrt(sampleTranscript([['Ann', 'Hello.']]))].join('')).toContain('\nHello.\n')
  })

  it('name a new speaker if requested and if that leaves room for the text', () => {
    const said = [
      ['Ann', 'Hello to everybody who came here.'],
      ['Bartholomew Featherstone', 'Thank you.'],
    ] as const
    const text = [...renderSrt(sampleTranscript(said), { ...defaultCaptionRules, speakers: 'name' })].join('')
    expect(text).toContain('\nAnn: Hello to everybody who came here.\n')
    expect(text).toContain('\n- Thank you.\n')
  })

  it('warn of captions that are too fast to read', () => {
    const fast = sampleTranscript([['Ann', 'Incomprehensibilities notwithstanding, internationalization']])
    const squeezed = fast.turns.map((turn) => ({
      ...turn,
      words: turn.words.map((word, at) => ({ ...word, start: at * 0.1, end: at * 0.1 + 0.1 })),
    }))
    const next = { speaker: 0, words: [{ word: 'Next.', start: 0.4, end: 1, duration: 0.6, conf: 1 }] }
    const warnings = [...cueWarnings(buildCues({ ...fast, turns: [...squeezed, next] }))]
    expect(warnings[0]).toMatchObject({ cue: 1, kind: 'too fast to read' })
    expect([...cueWarnings(buildCues(sampleTranscript([['Ann', 'All is calm here.']])))]).toEqual([])
  })

  it('warn of those that end after the recording because they were moved or set', () => {
    const said = sampleTranscript([['Ann', 'All is calm here.']])
    const warned = (rules = defaultCaptionRules, transcript = said) =>
      [...cueWarnings(buildCues(transcript, rules), rules, 2_600)].map(({ kind, value }) => [kind, value])
    expect(warned()).toEqual([])
    const shorter = { ...said, durationMs: 1_000 }
    expect(captionReport(shorter, defaultCaptionRules).faults, 'until it is read').toEqual([])
    const timing = { stretch: 1, shiftSeconds: 2 }
    expect(warned({ ...defaultCaptionRules, timing })).toEqual([['ends after the recording', 2.6]])
    const [first, ...words] = said.turns[0]?.words ?? []
    const turns = [{ speaker: 0, words: [{ ...(first as WordRecord), cue: { end: 2.7 } }, ...words] }]
    expect(warned(defaultCaptionRules, { ...said, turns })).toEqual([['ends after the recording', 2.6]])
  })

  it('end with no weak word, and leave no word alone, where other breaks fit', () => {
    // As a first user reported: "… and what you" | "do hear", and "be fully" on its own.
    const said =
      'So what I wanted to say is that the people who live at the harbour and what you do hear there are two things to be fully kept apart'
    const transcript = sampleTranscript([['Ann', said]])
    const cues = [...buildCues(transcript)]
    expect(cues.length).toBeGreaterThan(1)
    expect([...cueWarnings(cues)]).toEqual([])
  })

  it('are followed by two free frames', () => {
    const [first, second] = buildCues(sampleTranscript([['Ann', 'One thing is said here. '.repeat(6)]]))
    expect((second?.startMs ?? 0) - (first?.endMs ?? 0)).toBeGreaterThanOrEqual(80)
  })

  it('split words longer than a line between graphemes', () => {
    expect(cutToLength('ab👨‍👩‍👧cd', 8)).toEqual(['ab', '👨‍👩‍👧', 'cd'])
    expect(cutToLength('会議'.repeat(30), 40).map((part) => part.length)).toEqual([40, 20])
  })
})

describe('caption files', () => {
  it("write times in each format's syntax", () => {
    const transcript = sampleTranscript([['Ann', 'Hello there.']])
    expect([...renderSrt(transcript)].join('')).toBe('1\n00:00:00,000 --> 00:00:01,200\nHello there.\n\n')
    expect([...renderSbv(transcript)].join('')).toBe('0:00:00.000,0:00:01.200\nHello there.\n\n')
    expect([...renderVtt(transcript)].join('')).toBe(
      'WEBVTT - Board meeting\n\n1\n00:00:00.000 --> 00:00:01.200\nHello there.\n\n',
    )
  })

  it('let no text be a tag, a time line or a new cue', () => {
    const transcript = sampleTranscript([['Ann', trickyTexts.markup]])
    for (const render of [renderSrt, renderSbv]) {
      const text = [...render(transcript)].join('')
      expect(text).not.toMatch(/<b|<\/|\{\\/)
      expect(text.match(/-->/g)?.length ?? 0).toBe(render === renderSrt ? text.match(/^\d+$/gm)?.length : 0)
    }
    expect([...renderVtt(transcript)].join('')).toContain('&lt;b&gt;bold&lt;/b&gt; &amp;')
  })

  it('say that nobody spoke', () => {
    expect([...renderSrt(sampleTranscript([]))].join('')).toContain('[No speech]')
  })
})
