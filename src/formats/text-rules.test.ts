import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderWords } from '../contract/interface/words.ts'
import { buildTranscript } from '../text/build-transcript.ts'
import { sentenceCased } from '../text/sentence-case.ts'
import { expandLabels, speakerInitials } from '../text/speaker-labels.ts'
import { respelled } from '../text/spelling.ts'
import { turnText } from '../text/transcript.ts'
import { withoutDisfluencies } from '../text/verbatim.ts'
import { renderCsv } from './csv.ts'
import { renderJson } from './json.ts'
import { renderMarkdown } from './markdown.ts'
import { anyTranscript, sampleTranscript, spokenWords, trickyTexts } from './testing/sample-transcripts.ts'

const clean = (text: string) =>
  withoutDisfluencies(spokenWords(text, 0))
    .map(({ word }) => word)
    .join(' ')

describe('strict_verbatim off', () => {
  it.each([
    ['Um, so we uh begin.', 'So we begin.'],
    ['It is, uh, late.', 'It is, late.'],
    ['I I think the the the house is, um.', 'I think the house is.'],
    ['No, no, no. Yes. Yes.', 'No, no, no. Yes. Yes.'],
    ['The the, end', 'The, end'],
    ['dial two two five five 7 7', 'dial two two five five 7 7'],
    ['Done. Uh. Next', 'Done. Next'],
    ['uh um', ''],
    ['The umbrella', 'The umbrella'],
  ])('%s → %s', (said, kept) => expect(clean(said)).toBe(kept))

  it('is idempotent', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('um', 'Uh.', 'the', 'The', 'the,', 'end.', 'two'), { maxLength: 12 }),
        (said) => {
          const once = clean(said.join(' '))
          expect(clean(once)).toBe(once)
        },
      ),
    )
  })
})

describe('spelling_style', () => {
  it.each([
    ['Colors,', 'british', 'Colours,'],
    ['ORGANIZATION', 'british', 'ORGANISATION'],
    ['organization', 'canadian', 'organization'],
    ['analyzed', 'australian', 'analysed'],
    ['(center’s)', 'canadian', '(centre’s)'],
    ['favorite-colored', 'british', 'favourite-coloured'],
    ['defense.', 'canadian', 'defence.'],
    ['traveling', 'australian', 'travelling'],
    ['aluminum', 'canadian', 'aluminum'],
    ['Mom', 'british', 'Mum'],
    ['color', 'american', 'color'],
    ['size', 'british', 'size'],
    ['prize', 'british', 'prize'],
    ['meter', 'british', 'meter'],
  ] as const)('%s in %s is %s', (word, style, expected) => expect(respelled(word, style)).toBe(expected))
})

describe('case from pauses', () => {
  it('capitalizes after 0.6 s and the English I, nothing else', () => {
    const words = [...spokenWords('so i think', 0), ...spokenWords("i'm done in the iris", 5)]
    expect(
      sentenceCased(words)
        .map(({ word }) => word)
        .join(' '),
    ).toBe("So I think I'm done in the iris")
  })
})

describe('initials', () => {
  it('are shared by no two names, and are expanded again', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[A-C][a-c]{0,3}( [A-C][a-c]{0,2}){0,2}$/), { maxLength: 6 })
    fc.assert(
      fc.property(names, (all) => {
        const initials = speakerInitials(all)
        expect(new Set(initials.values()).size).toBe(all.length)
        const labels = all.flatMap((name) => [name, initials.get(name) ?? name])
        const expanded = expandLabels(labels, all)
        expect(labels.map((label) => expanded.get(label))).toEqual(all.flatMap((name) => [name, name]))
      }),
    )
  })

  it('are made of letters and whole numbers', () => {
    const names = ['Speaker 1', 'Speaker 12', 'Jean-Luc Picard', 'ann baker', '???', 'Żaneta']
    expect([...speakerInitials(names).values()]).toEqual(['S1', 'S12', 'JLP', 'AB', '???', 'Ż'])
  })
})

describe('json', () => {
  it('has the keys of spec 2.4, times to the millisecond, a turn only where one follows', () => {
    const transcript = sampleTranscript([
      ['Ann', 'Hello there.'],
      ['Bob', 'Hi.'],
    ])
    expect(JSON.parse([...renderJson(transcript)].join(''))).toEqual([
      { word: 'Hello', start: 0, end: 0.3, duration: 0.3, conf: 0.9 },
      { word: 'there.', start: 0.4, end: 0.7, duration: 0.3, conf: 0.9, turn: true, turn_conf: 0 },
      { word: 'Hi.', start: 1.7, end: 2, duration: 0.3, conf: 0.9 },
    ])
    expect(JSON.parse([...renderJson(sampleTranscript([]))].join(''))).toEqual([])
  })

  it('has the same words as txt by the text rendering of the spec', () => {
    fc.assert(
      fc.property(anyTranscript({ sorted: true }), (transcript) => {
        const text = renderWords(JSON.parse([...renderJson(transcript)].join('')))
        const said = transcript.turns.map(turnText).join(' ')
        const words = (all: string) => all.split(/[\s\p{Cc}\u2028\u2029\ufffe\uffff]+/u).filter((word) => word !== '')
        expect(words(text)).toEqual(words(said))
      }),
    )
  })
})

describe('markdown and csv', () => {
  it('escape all markup in text', () => {
    const text = [...renderMarkdown(sampleTranscript([['A*n', trickyTexts.markup]]))].join('')
    expect(text).toContain('**A\\*n:** \\<b\\>bold\\</b\\> \\& "quoted"')
    expect(text).toContain('\\[link\\](x)')
  })

  it('escape in Markdown only what would be markup', () => {
    const bare = { time_coding: 'off', speaker_tracking: 'off' } as const
    const shown = (said: string) => [...renderMarkdown(sampleTranscript([['Ann', said]], bare))].join('')
    expect(shown('Well. That was (all) of it - a rule, 1999.')).toContain(
      '\nWell. That was (all) of it - a rule, 1999.\n',
    )
    expect(shown('1. First # one')).toContain('\n1\\. First # one\n')
    expect(shown('# One')).toContain('\n\\# One\n')
    expect(shown('see https://a.example, www.b.example or c@d.example')).toContain(
      'see https\\://a.example, www\\.b.example or c\\@d.example',
    )
  })

  it('let no field be a formula or end early', () => {
    const csv = [...renderCsv(sampleTranscript([['=Ann', '"yes", =1+1']]))].join('')
    expect(csv).toBe('\ufeffstart,end,speaker,text\r\n0.000,0.700,"\'=Ann","""yes"", =1+1"\r\n')
  })
})

describe('building', () => {
  const about = { title: 'T', created: '', durationMs: 9_000, progressPercent: 100 }

  it('cuts turns at turns and voices, and names them in order of first word', () => {
    const [a, b, c, d] = spokenWords('One two three four', 0)
    if (!a || !b || !c || !d) throw new Error('four words')
    const options = { ...sampleTranscript([]).options, speaker_names: ['Zoe'] }
    const words = [
      { ...a, speaker: 7 },
      { ...b, turn: true, turn_conf: 0.5 },
      { ...c, speaker: 3 },
      { ...d, speaker: 7 },
    ]
    const built = buildTranscript({ ...about, options }, words)
    expect(built.speakers).toEqual(['Zoe', 'Speaker 2'])
    expect(built.turns.map(({ speaker, words: said }) => [speaker, said.map(({ word }) => word).join(' ')])).toEqual([
      [0, 'One two'],
      [1, 'three'],
      [0, 'four'],
    ])
  })

  it("leaves an automated order as recognized, and applies a manual one's options", () => {
    const words = spokenWords('Um the the color', 0)
    const options = { ...sampleTranscript([]).options, spelling_style: 'british' as const }
    const said = (type: 'automated' | 'manual') =>
      buildTranscript({ ...about, options: { ...options, transcript_type: type } }, words).turns.map(turnText)
    expect(said('automated')).toEqual(['Um the the color'])
    expect(said('manual')).toEqual(['The colour'])
  })
})
