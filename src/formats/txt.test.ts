import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Transcript } from '../text/transcript.ts'
import { noSpeechNotice, speakerName, turnText } from '../text/transcript.ts'
import { renderMarkdown } from './markdown.ts'
import { readTxt } from './read-txt.ts'
import { anyTranscript, sampleTranscript, trickyTexts } from './testing/sample-transcripts.ts'
import { renderTxt, renderWorkInProgress, separatorLine, workInProgressNotice } from './txt.ts'

const txt = (transcript: Transcript) => [...renderTxt(transcript)].join('')
const wip = (transcript: Transcript) => [...renderWorkInProgress(transcript)].join('')

const meeting: readonly (readonly [string, string])[] = [
  ['Ann Baker', 'Good morning.'],
  ['Alan Brown', 'Morning, Ann.'],
  ['Ann Baker', 'Shall we begin?'],
  ['Carla', 'Yes.'],
  ['Carla', 'Now.'],
]

it('a document of several files has them in sequence, and lists missing ones at the end', () => {
  const part = (title: string) => ({ ...sampleTranscript([['Ann', `This is ${title}.`]]), title })
  const whole = { ...part('One'), more: [part('Two')], missing: ['Three (f00d): *no* answer'] }
  const one = txt(part('One'))
  const notice = 'These files are missing from this document:'
  expect(txt(whole)).toBe(`${one}\n\n\n${txt(part('Two'))}\n\n\n${notice}\nThree (f00d): *no* answer\n`)
  const markdown = [...renderMarkdown(whole)].join('')
  expect(markdown.split('\n\n---\n\n').map((text) => text.split('\n')[0])).toEqual(['# One', '# Two', notice])
  expect(markdown).toContain('- Three (f00d): \\*no\\* answer\n')
})

describe('txt', () => {
  it('has lines of the form mm:ss speaker: text, initials after the first mention, told apart where they collide', () => {
    expect(txt(sampleTranscript(meeting, { transcript_template: 'blank single line spaced' }))).toBe(
      [
        '00:00 Ann Baker: Good morning.',
        '00:01 Alan Brown: Morning, Ann.',
        '00:03 AnB: Shall we begin?',
        '00:05 Carla: Yes.',
        '00:06 C: Now.',
        '',
      ].join('\n'),
    )
  })

  it('keeps full names, drops times or speakers, as the options say', () => {
    const blank = { transcript_template: 'blank single line spaced' } as const
    const lines = (options: Parameters<typeof sampleTranscript>[1]) =>
      txt(sampleTranscript(meeting, { ...blank, ...options })).split('\n')
    expect(lines({ speaker_tracking_format: 'full names' })[2]).toBe('00:03 Ann Baker: Shall we begin?')
    expect(lines({ time_coding: 'off' })[2]).toBe('AnB: Shall we begin?')
    expect(lines({ speaker_tracking: 'off' })[2]).toBe('00:03 Shall we begin?')
    expect(lines({ speaker_tracking: 'off', time_coding: 'off' })[2]).toBe('Shall we begin?')
  })

  it('has the header of the service templates and a blank line between turns where double spaced', () => {
    const text = txt(sampleTranscript(meeting.slice(0, 2), { transcript_template: 'service double line spaced' }))
    expect(text).toBe(
      'Board meeting\n21 November 2026 · 3 s\n\n00:00 Ann Baker: Good morning.\n\n00:01 Alan Brown: Morning, Ann.\n',
    )
  })

  it('counts minutes past 59', () => {
    const transcript = sampleTranscript([['Ann', 'Late.']], { transcript_template: 'blank single line spaced' })
    const late = transcript.turns.map((turn) => ({ ...turn, words: turn.words.map((w) => ({ ...w, start: 7_384.9 })) }))
    expect(txt({ ...transcript, turns: late })).toBe('123:04 Ann: Late.\n')
  })

  it('has times within the text at a fixed interval, at the first word at or after each multiple', () => {
    const said = [
      ['Ann', 'one two three four'],
      ['Bob', 'five six seven eight'],
    ] as const
    const transcript = sampleTranscript(said, { transcript_template: 'blank single line spaced' })
    const lines = ['Ann: [00:00] one two three [00:01] four', 'Bob: [00:02] five six [00:03] seven eight', '']
    expect(txt({ ...transcript, timesEvery: 1 }).split('\n')).toEqual(lines)
    const without = { ...transcript, options: { ...transcript.options, time_coding: 'off' } as const }
    expect(txt({ ...without, timesEvery: 1 }).split('\n')[0]).toBe('Ann: one two three four')
  })

  it('marks doubtful words as editors do, adjacent ones together, trailing punctuation outside', () => {
    const transcript = sampleTranscript([['Ann', 'when the lamp oil, more or less.']], {
      transcript_template: 'blank single line spaced',
    })
    const doubtful = new Set(['lamp', 'oil,', 'less.'])
    const turns = transcript.turns.map((turn) => ({
      ...turn,
      words: turn.words.map((word) => (doubtful.has(word.word) ? { ...word, conf: 0.2 } : word)),
    }))
    const marked = '00:00 Ann: when the [lamp oil?], more or [less?].\n'
    expect(txt({ ...transcript, turns, doubtfulBelow: 0.5 })).toBe(marked)
    expect([...renderMarkdown({ ...transcript, turns, doubtfulBelow: 0.5 })].join('')).toContain('\\[lamp oil?\\],')
    expect(txt({ ...transcript, turns })).not.toContain('[')
  })

  it('says that nobody spoke', () => {
    expect(txt(sampleTranscript([]))).toContain(noSpeechNotice)
  })

  it('ends with what could not be read of a damaged recording, and is read back without it', () => {
    const transcript = { ...sampleTranscript([['Ann', 'good morning']]), durationMs: 3_600_000, readableMs: 3_432_500 }
    const damage = '[The recording is damaged: from 57:12 to its end at 60:00 it could not be read.]'
    expect(txt(transcript).split('\n').slice(-3)).toEqual(['', damage, ''])
    const read = readTxt(txt(transcript), transcript.options)
    expect(read.damage).toBe(damage)
    expect(read.lines.map(({ text }) => text)).toEqual(['good morning'])
    const silent = readTxt(txt({ ...transcript, turns: [] }), transcript.options)
    expect(silent).toEqual({ notice: null, lines: [], damage })
    expect(readTxt(txt({ ...sampleTranscript([]), durationMs: 1 }), transcript.options).damage).toBeNull()
    expect(readTxt(txt(sampleTranscript([])), sampleTranscript([]).options).lines).toEqual([])
  })

  it('keeps any text on its line', () => {
    for (const text of Object.values(trickyTexts)) {
      const lines = txt(sampleTranscript([['Ann', text]], { transcript_template: 'blank single line spaced' }))
      expect(lines).toMatch(/^00:00 Ann: [^\p{Cc}\u2028]+\n$/u)
    }
  })
})

describe('work in progress', () => {
  it('begins with the notice and the separator, in no template', () => {
    const text = wip(sampleTranscript(meeting))
    expect(text.startsWith(`${workInProgressNotice}\n${separatorLine}\n00:00 Ann Baker: Good morning.\n`)).toBe(true)
  })

  it('is read back: notice, times, speakers', () => {
    const transcript = sampleTranscript(meeting)
    const { notice, lines } = readTxt(wip(transcript), transcript.options)
    expect(notice).toBe(workInProgressNotice)
    expect(lines[2]).toEqual({ startSeconds: 3, speaker: 'Ann Baker', text: 'Shall we begin?' })
    expect(lines.map(({ speaker }) => speaker)).toEqual(meeting.map(([speaker]) => speaker))
  })
})

describe('reading', () => {
  it('round-trips time, speaker and text of every line', () => {
    fc.assert(
      fc.property(anyTranscript({ sorted: true }), fc.boolean(), (transcript, inProgress) => {
        // A turn of only blanks is not written, so it cannot be read back.
        fc.pre(transcript.turns.every(({ words }) => words.some(({ word }) => word.trim() !== '')))
        const { time_coding, speaker_tracking } = transcript.options
        // Without a time or a speaker, text can look like a header or a notice, and empty lines are dropped.
        fc.pre(time_coding === 'on')
        const { lines, notice } = readTxt(inProgress ? wip(transcript) : txt(transcript), transcript.options)
        expect(notice).toBe(inProgress ? workInProgressNotice : null)
        if (transcript.turns.length === 0) return
        expect(lines).toEqual(
          transcript.turns.map((turn) => ({
            startSeconds: Math.max(0, Math.floor(turn.words[0]?.start ?? 0)),
            speaker: speaker_tracking === 'on' ? speakerName(transcript, turn) : null,
            text: turnText(turn),
          })),
        )
      }),
    )
  })

  it('reads without times when the order has none', () => {
    const transcript = sampleTranscript(meeting, { time_coding: 'off' })
    expect(readTxt(txt(transcript), transcript.options).lines[4]).toEqual({
      startSeconds: null,
      speaker: 'Carla',
      text: 'Now.',
    })
  })

  it('knows a speaker whose name is another one’s initials, when the names are given', () => {
    const said = [
      ['Ann Baker', 'One.'],
      ['AB', 'Two.'],
      ['Ann Baker', 'Three.'],
      ['AB', 'Four.'],
    ] as const
    const transcript = sampleTranscript(said, { speaker_names: ['Ann Baker', 'AB'] })
    const { lines } = readTxt(txt(transcript), transcript.options)
    expect(lines.map(({ speaker }) => speaker)).toEqual(said.map(([speaker]) => speaker))
  })

  it('accepts foreign text as it is', () => {
    const shape = sampleTranscript([]).options
    expect(readTxt('', shape).lines).toEqual([])
    expect(readTxt('\ufeff01:02:03 Ann: a\r\nwrapped: b\r\n', shape).lines).toEqual([
      { startSeconds: 3_723, speaker: 'Ann', text: 'a wrapped: b' },
    ])
    fc.assert(fc.property(fc.string(), (text) => readTxt(text, shape).lines.length >= 0))
  })
})
