import { expect, test } from 'vitest'
import { specDefaultOptions } from '../../../contract/option-values.ts'
import { type PlainFormat, renderFormat } from '../../../formats/render-format.ts'
import { tableOf, wordsOf } from '../model/testing/made-words.ts'
import { WordTable } from '../model/word-table.ts'
import { transcriptOfTable } from './transcript-of-table.ts'

const about = {
  title: 'Tape 14',
  options: {
    ...specDefaultOptions,
    speaker_tracking_format: 'full names',
    transcript_template: 'blank single line spaced',
  },
  created: '2026-11-16T14:02:00Z',
  durationMs: 60_000,
  progressPercent: 100,
} as const

test('the corrected text comes out in every format of the browser, with its speakers', () => {
  const words = wordsOf('Good morning.|Indeed so.', (_, index) => ({ speaker: index < 2 ? 0 : 1, conf: null }))
  const table = WordTable.of(structuredClone(tableOf(words).columns()))
  const transcript = transcriptOfTable(table, ['Ann Lee', 'Bob'], about)
  const latin = new TextDecoder('latin1')
  const made = (format: PlainFormat) =>
    [...renderFormat(transcript, format)].map((chunk) => latin.decode(chunk)).join('')
  expect(made('txt')).toContain('00:00 Ann Lee: Good morning.')
  expect(made('txt')).toContain('00:01 Bob: Indeed so.')
  expect(JSON.parse(made('json'))).toMatchObject([{ word: 'Good' }, { turn: true }, { conf: 1 }, {}])
  for (const format of ['srt', 'vtt', 'sbv', 'md', 'csv'] as const) expect(made(format)).toContain('Indeed so')
  for (const format of ['docx', 'odt'] as const) expect(made(format).slice(0, 2)).toBe('PK')
  expect(made('doc').slice(0, 2)).toBe('\u00d0\u00cf')
})
