import { describe, expect, it } from 'vitest'
import { columnWidths } from '../../../formats/documents/page-measures.ts'
import { documentParagraphs } from '../../../formats/documents/paragraphs.ts'
import { wordRuns } from '../../../formats/documents/word-runs.ts'
import { type ExportFormat, exportFormats } from '../../../formats/format-table.ts'
import { renderFormat } from '../../../formats/render-format.ts'
import { sampleTranscript, trickyTexts } from '../../../formats/testing/sample-transcripts.ts'
import type { Transcript } from '../../../text/transcript.ts'
import { noSpeechNotice } from '../../../text/transcript.ts'
import { pdfKit } from './pdf-kit.ts'
import { hasProgram, readWith, readWithLibreOffice } from './testing/outside-reader.ts'

const { halfPair: _half, controls: _controls, ...scripts } = trickyTexts
const tricky = sampleTranscript(
  Object.entries(scripts).map(([kind, text]) => [kind === 'hebrew' ? 'דני לוי' : `Ann ${kind}`, text] as const),
)
/** antiword and catdoc predate characters beyond the first 65,536. */
const basicPlane = sampleTranscript(
  Object.entries(trickyTexts)
    .filter(([kind]) => kind !== 'emoji')
    .map(([kind, text]) => [`Ann ${kind}`, text] as const),
)

async function render(transcript: Transcript, format: ExportFormat): Promise<Buffer> {
  return Buffer.concat([...(await renderFormat(transcript, format, { pdfKit }))])
}

/** Words that any reader must find, however it breaks lines. */
function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

function paragraphTexts(transcript: Transcript): string[] {
  const columns = columnWidths(transcript)
  return [...documentParagraphs(transcript)].map((paragraph) => {
    const runs = wordRuns(paragraph, columns)
    return runs.map(({ text }) => text).join('')
  })
}

describe('srt and vtt', () => {
  it.each(['srt', 'vtt'] as const)('%s: ffprobe reads every cue, at its time, with its text', async (format) => {
    const content = (await render(tricky, format)).toString()
    const out = await readWith('ffprobe', ['-v', 'error', '-show_packets', '-of', 'json', '%'], content, format)
    const packets = JSON.parse(out).packets as { pts_time: string; duration_time: string }[]
    const times = [...content.matchAll(/(\d\d):(\d\d):(\d\d)[.,](\d{3}) --> /g)]
    expect(packets.map(({ pts_time }) => Math.round(Number(pts_time) * 1_000))).toEqual(
      times.map(([, h, m, s, ms]) => ((Number(h) * 60 + Number(m)) * 60 + Number(s)) * 1_000 + Number(ms)),
    )
    expect(packets.length).toBe(tricky.turns.length)
  })

  it('srt: ffmpeg shows the exact words, including markup', async () => {
    const content = await render(sampleTranscript([['Ann', trickyTexts.markup]]), 'srt')
    const shown = await readWith('ffmpeg', ['-v', 'error', '-i', '%', '-f', 'webvtt', '-'], content, 'srt')
    const text = shown
      .replaceAll('\u2060', '')
      .replaceAll('\u2774', '{')
      .replaceAll('\u2775', '}')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
    for (const word of wordsOf(trickyTexts.markup)) expect(text).toContain(word)
  })
})

describe('sbv', () => {
  it('is time lines and text to a strict reader', async () => {
    const content = (await render(tricky, 'sbv')).toString()
    const cues = content.trimEnd().split('\n\n')
    for (const cue of cues) expect(cue).toMatch(/^\d+:\d\d:\d\d\.\d{3},\d+:\d\d:\d\d\.\d{3}\n[^\n]+(\n[^\n]+)?$/)
    const text = cues.flatMap((cue) => cue.split('\n').slice(1)).map((line) => line.replace(/^- /, ''))
    const said = tricky.turns.flatMap(({ words }) => words.map(({ word }) => word))
    expect(wordsOf(text.join(' ').replaceAll('\u2060', ''))).toEqual(said)
  })
})

describe('pdf', () => {
  it('gives its text back to pdftotext, missing glyphs included', async () => {
    const text = await readWith('pdftotext', ['%', '-'], await render(tricky, 'pdf'), 'pdf')
    const plain = text.replaceAll(/[\u202a-\u202e]/g, '')
    for (const kind of ['latin', 'greekAndCyrillic', 'cjk', 'emoji', 'markup'] as const) {
      expect(wordsOf(plain).join(' ').normalize('NFC')).toContain(scripts[kind].normalize('NFC'))
    }
    // Lines of mixed direction are in page order; their words are whole.
    for (const word of ['שלום', 'מבחן', '123', 'הטקסט', 'مرحبا', 'رقم']) expect(plain).toContain(word)
  })

  it('orients brackets of right-to-left text correctly for readers', async () => {
    const hebrew = sampleTranscript([['Ann', 'אחת (שתיים) שלוש']], { time_coding: 'off', speaker_tracking: 'off' })
    const text = await readWith('pdftotext', ['%', '-'], await render(hebrew, 'pdf'), 'pdf')
    expect(text.replaceAll(/[\u202a-\u202e]/g, '')).toContain('אחת (שתיים) שלוש')
  })

  it('orders bidirectional words by the Unicode algorithm', async () => {
    const bare = { time_coding: 'off', speaker_tracking: 'off' } as const
    const placed = async (text: string, ...words: string[]) => {
      const boxes = await readWith(
        'pdftotext',
        ['-bbox', '%', '-'],
        await render(sampleTranscript([['A', text]], bare), 'pdf'),
        'pdf',
      )
      // Boxes have their letters in visual order.
      const turned = (word: string) => (/\p{Script=Hebrew}/u.test(word) ? [...word].reverse().join('') : word)
      const left = (word: string) =>
        Number(new RegExp(`xMin="([\\d.]+)"[^>]*>${turned(word)}<`).exec(boxes)?.[1] ?? Number.NaN)
      return words.toSorted((a, b) => left(a) - left(b))
    }
    expect(await placed('אחת 12:30 שתיים abc שלוש', 'אחת', '12:30', 'שתיים', 'abc', 'שלוש')).toEqual(
      ['אחת', '12:30', 'שתיים', 'abc', 'שלוש'].toReversed(),
    )
    expect(await placed('He said שלום עולם twice', 'He', 'said', 'שלום', 'עולם', 'twice')).toEqual([
      'He',
      'said',
      'עולם',
      'שלום',
      'twice',
    ])
  })

  it('is tagged, titled, numbered, and embeds its fonts', async () => {
    const long = sampleTranscript([['Ann', 'word '.repeat(3_000)]])
    const pdf = await render(long, 'pdf')
    const info = await readWith('pdfinfo', ['%'], pdf, 'pdf')
    expect(info).toMatch(/^Title: +Board meeting$/m)
    expect(info).toMatch(/^Tagged: +yes$/m)
    const structure = await readWith('pdfinfo', ['-struct', '%'], pdf, 'pdf')
    expect(wordsOf(structure).filter((role) => ['Document', 'H1', 'P'].includes(role))).toEqual([
      'Document',
      'H1',
      'P',
      'P',
      'P',
    ])
    const fonts = (await readWith('pdffonts', ['%'], pdf, 'pdf')).trim().split('\n').slice(2)
    expect(fonts.length).toBe(2)
    for (const font of fonts) expect(font).toMatch(/yes yes yes/)
    const second = await readWith('pdftotext', ['-f', '2', '-l', '2', '%', '-'], pdf, 'pdf')
    expect(wordsOf(second).slice(0, 2)).toEqual(['Board', 'meeting'])
    const pages = /^Pages: +(\d+)$/m.exec(info)?.[1]
    expect(Number(pages)).toBeGreaterThan(2)
    expect(wordsOf(second).slice(-4)).toEqual(['Page', '2', 'of', pages])
  })

  it('reports missing letters, only if no font has them', async () => {
    const said = async (text: string) =>
      readWith('pdftotext', ['%', '-'], await render(sampleTranscript([['A', text]]), 'pdf'), 'pdf')
    expect(await said(trickyTexts.cjk)).toMatch(/fonts do not have: 会 U\+4F1A, 議 U\+8B70, .* and 3\s+more/s)
    for (const kind of ['latin', 'greekAndCyrillic', 'hebrew', 'arabic'] as const) {
      expect(await said(trickyTexts[kind])).not.toContain('do not have')
    }
  })
})

describe('doc', () => {
  const said = paragraphTexts(basicPlane).flatMap(wordsOf)

  it('is a Word document to antiword, with every word', async () => {
    const text = await readWith('antiword', ['-w', '0', '-m', 'UTF-8.txt', '%'], await render(basicPlane, 'doc'), 'doc')
    expect(wordsOf(text.normalize('NFC'))).toEqual(said.map((word) => word.normalize('NFC')))
  })

  it('is a Word document to catdoc, with every word', async () => {
    const text = await readWith('catdoc', ['-w', '-d', 'utf-8', '%'], await render(basicPlane, 'doc'), 'doc')
    expect(wordsOf(text)).toEqual(said)
  })

  it('stays readable beyond the 7 MB that its first table can list', async () => {
    const words = Array.from({ length: 500 }, (_, index) => `word${index}`).join(' ')
    const long = sampleTranscript(Array.from({ length: 1_000 }, () => ['Ann', words] as const))
    const doc = await render(long, 'doc')
    expect(doc.length).toBeGreaterThan(7_200_000)
    const text = await readWith('catdoc', ['-w', '-d', 'utf-8', '%'], doc, 'doc')
    // Not toEqual: a diff of half a million words is unreadable.
    expect(wordsOf(text).join(' ') === paragraphTexts(long).flatMap(wordsOf).join(' ')).toBe(true)
  })
})

describe.skipIf(!hasProgram('soffice'))('LibreOffice (needs LibreOffice, soffice)', () => {
  it.each(['doc', 'odt', 'docx'] as const)('reads every paragraph of %s', async (format) => {
    const text = await readWithLibreOffice(await render(tricky, format), format)
    expect(text.trimEnd().split('\n')).toEqual(paragraphTexts(tricky).flatMap((paragraph) => paragraph.split('\n')))
  })
})

describe('all formats', () => {
  it('report a recording without speech', async () => {
    const empty = sampleTranscript([])
    expect((await render(empty, 'txt')).toString()).toContain(noSpeechNotice)
    expect((await render(empty, 'md')).toString()).toContain(noSpeechNotice)
    expect(JSON.parse((await render(empty, 'json')).toString())).toEqual([])
    for (const format of ['srt', 'sbv', 'vtt'] as const)
      expect((await render(empty, format)).toString()).toContain('[No speech]')
    expect(await readWith('catdoc', ['-d', 'utf-8', '%'], await render(empty, 'doc'), 'doc')).toContain(noSpeechNotice)
    expect(await readWith('pdftotext', ['%', '-'], await render(empty, 'pdf'), 'pdf')).toContain(noSpeechNotice)
  })

  it('are deterministic', async () => {
    for (const format of exportFormats)
      expect((await render(tricky, format)).equals(await render(tricky, format))).toBe(true)
  })

  it('handle a day of 217,000 words and a turn of five hours', async () => {
    const turn = Array.from({ length: 45 }, (_, index) => `word${index}`).join(' ')
    const day = sampleTranscript(Array.from({ length: 4_823 }, (_, at) => [`Speaker ${(at % 3) + 1}`, turn] as const))
    const monologue = sampleTranscript([['Ann', 'all in one breath '.repeat(11_250)]])
    for (const format of exportFormats) {
      expect((await render(day, format)).length, format).toBeGreaterThan(10_000)
      expect((await render(monologue, format)).length, format).toBeGreaterThan(1_000)
    }
  }, 120_000)
})
