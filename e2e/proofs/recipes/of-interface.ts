import { type Recipe, testAlone } from './recipe.ts'

const optionTable = 'src/contract/interface/option-table.ts'

export const option: Recipe = {
  section: 'An order option',
  atMostFiles: 4,
  edits: [
    {
      file: 'docs/interface.md',
      after: '| strict_verbatim | on, off | off |',
      text: '| filler_words | on, off | off |',
    },
    {
      file: optionTable,
      replace: '  subtitle_file: {\n',
      text: `  filler_words: {
    label: 'Filler words',
    values: { on: 'Filler words', off: 'No filler words' },
    default: 'off',
  },
  subtitle_file: {
`,
    },
    {
      file: optionTable,
      after: "  strict_verbatim: 'Every word as spoken",
      text: "  filler_words: 'Sounds between words, such as um, are kept.',",
    },
    {
      file: optionTable,
      replace: "off: 'No fillers and false starts'",
      text: "off: 'No false starts'",
      unnoticed: 'a sentence for people',
    },
    {
      file: 'src/text/build-transcript.ts',
      replace: "const said = options.strict_verbatim === 'on' ?",
      text: "const said = options.strict_verbatim === 'on' || options.filler_words === 'on' ?",
    },
    {
      file: 'src/formats/text-rules.test.ts',
      after: "expect(said('manual')).toEqual(['The colour'])",
      text: `    const kept = { ...options, filler_words: 'on' as const }
    expect(buildTranscript({ ...about, options: kept }, words).turns.map(turnText)).toEqual(['Um the the colour'])`,
      unnoticed: testAlone,
    },
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
    {
      file: 'src/formats/tsv.ts',
      isNew: true,
      text: `import type { Transcript } from '../text/transcript.ts'
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
    },
    {
      file: 'src/formats/format-table.ts',
      after: "  csv: { note: 'one line per turn'",
      text: "  tsv: { note: 'one line per turn', kind: 'data', render: async (it) => (await import('./tsv.ts')).renderTsv(it) },",
    },
  ],
  tests: ['src/service/text/transcripts/formats.test.ts', 'src/service/text/transcripts/format-names.test.ts'],
}

export const setting: Recipe = {
  section: 'A setting',
  atMostFiles: 2,
  edits: [
    {
      file: 'src/service/platform/config.ts',
      after: "  seller: ['SELLER'",
      text: "  termsUrl: ['TERMS_URL', is.url, null, 'the terms that customers agree to'],",
    },
    {
      file: 'docs/operating.md',
      after: '| `SELLER` |',
      text: '| `TERMS_URL` | none | the terms that customers agree to |',
    },
  ],
  tests: ['src/service/start/cli/config-table.test.ts', 'src/service/start/cli/read-config.test.ts'],
}
