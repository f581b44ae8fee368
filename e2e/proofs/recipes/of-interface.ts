import { created, inserted, type Recipe, replaced, testAlone } from './recipe.ts'

const optionTable = 'src/contract/interface/option-table.ts'

export const option: Recipe = {
  section: 'An order option',
  atMostFiles: 4,
  edits: [
    inserted('docs/interface.md', '| strict_verbatim | on, off | off |', '| filler_words | on, off | off |'),
    replaced(
      optionTable,
      '  subtitle_file: {\n',
      `  filler_words: { label: 'Filler words', values: { on: 'Filler words', off: 'No filler words' }, default: 'off' },
  subtitle_file: {
`,
    ),
    inserted(
      optionTable,
      "  strict_verbatim: 'Every word as spoken",
      "  filler_words: 'Sounds between words, such as um, are kept.',",
    ),
    replaced(optionTable, "off: 'No fillers and false starts'", "off: 'No false starts'", 'a sentence for people'),
    replaced(
      'src/text/build-transcript.ts',
      "const said = options.strict_verbatim === 'on' ?",
      "const said = options.strict_verbatim === 'on' || options.filler_words === 'on' ?",
    ),
    inserted(
      'src/formats/text-rules.test.ts',
      "expect(said('manual')).toEqual(['The colour'])",
      `    const kept = { ...options, filler_words: 'on' as const }
    expect(buildTranscript({ ...about, options: kept }, words).turns.map(turnText)).toEqual(['Um the the colour'])`,
      testAlone,
    ),
  ],
  tests: [
    'src/formats/text-rules.test.ts',
    'src/service/api/openapi/openapi.test.ts',
    'src/service/workbench/desk.test.ts',
    'src/service/text/transcripts/rendering-version.test.ts',
  ],
}

export const format: Recipe = {
  section: 'An export format',
  atMostFiles: 2,
  edits: [
    created(
      'src/formats/tsv.ts',
      `import type { Transcript } from '../text/transcript.ts'
import { turnText } from '../text/transcript.ts'

/** Tab-separated values, one turn a row: start in seconds, text. Tabs and line breaks in the text become blanks. */
export function* renderTsv(transcript: Transcript): Generator<string> {
  yield 'start\\ttext\\n'
  for (const turn of transcript.turns) {
    yield [turn.words[0]?.start ?? 0, turnText(turn).replaceAll(/\\s/g, ' ')].join('\\t')
    yield '\\n'
  }
}
`,
    ),
    inserted(
      'src/formats/format-table.ts',
      "  srt: captionFormat(srt, 'renderSrt'),",
      "  tsv: { note: 'one line per turn', kind: 'data', render: async (it) => (await import('./tsv.ts')).renderTsv(it) },",
    ),
  ],
  tests: ['src/service/text/transcripts/formats.test.ts', 'src/service/text/transcripts/format-names.test.ts'],
}

export const setting: Recipe = {
  section: 'A setting',
  atMostFiles: 2,
  edits: [
    inserted(
      'src/service/platform/config.ts',
      "  seller: ['SELLER'",
      "  termsUrl: ['TERMS_URL', is.url, null, 'the terms that customers agree to'],",
    ),
    inserted('docs/operating.md', '| `SELLER` |', '| `TERMS_URL` | none | the terms that customers agree to |'),
  ],
  tests: ['src/service/start/cli/config-table.test.ts', 'src/service/start/cli/read-config.test.ts'],
}
