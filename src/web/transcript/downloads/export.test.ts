import { expect, test } from 'vitest'
import { specDefaultOptions } from '../../../contract/interface/option-values.ts'
import type { ExportFormat } from '../../../formats/format-table.ts'
import { renderFormat } from '../../../formats/render-format.ts'
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

test('the corrected text is rendered in every format available in the browser, with its speakers', async () => {
  const words = wordsOf('Good morning.|Indeed so.', (_, index) => ({ speaker: index < 2 ? 0 : 1, conf: null }))
  const table = WordTable.of(structuredClone(tableOf(words).columns()))
  const transcript = transcriptOfTable(table, ['Ann Lee', 'Bob'], about)
  const latin = new TextDecoder('latin1')
  const pdfKit = () => Promise.reject(new Error('PDFs are made in the browser.'))
  const made = async (format: ExportFormat) =>
    [...(await renderFormat(transcript, format, { pdfKit }))].map((chunk) => latin.decode(chunk)).join('')
  expect(await made('txt')).toContain('00:00 Ann Lee: Good morning.')
  expect(await made('txt')).toContain('00:01 Bob: Indeed so.')
  expect(JSON.parse(await made('json'))).toMatchObject([{ word: 'Good' }, { turn: true }, { conf: 1 }, {}])
  for (const format of ['srt', 'vtt', 'sbv', 'md', 'csv'] as const) expect(await made(format)).toContain('Indeed so')
  for (const format of ['docx', 'odt'] as const) expect((await made(format)).slice(0, 2)).toBe('PK')
  expect((await made('doc')).slice(0, 2)).toBe('\u00d0\u00cf')
})
