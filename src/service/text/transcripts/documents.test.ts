import { describe, expect, it } from 'vitest'
import { columnWidths } from '../../../formats/documents/page-measures.ts'
import { documentParagraphs } from '../../../formats/documents/paragraphs.ts'
import { collectTexts, firstPage } from '../../../formats/documents/pdf/first-page.ts'
import { Fonts } from '../../../formats/documents/pdf/fonts.ts'
import { Glyphs } from '../../../formats/documents/pdf/glyphs.ts'
import type { Ink } from '../../../formats/documents/pdf/ink.ts'
import { Typesetter } from '../../../formats/documents/pdf/typesetter.ts'
import { wordRuns } from '../../../formats/documents/word-runs.ts'
import type { ExportFormat } from '../../../formats/format-table.ts'
import { renderFormat } from '../../../formats/render-format.ts'
import { sampleTranscript } from '../../../formats/testing/sample-transcripts.ts'
import { splitParts, type Transcript } from '../../../text/transcript.ts'
import { pdfKit } from './pdf-kit.ts'
import { hasProgram, printedByLibreOffice, readWith, readWithLibreOffice } from './testing/outside-reader.ts'

const full = { speaker_tracking_format: 'full names' } as const
const longName = 'Professor Dr. Anneliese von Hohenzollern of the Standing Committee on Waters'
const sentence = 'You could hear the river from every kitchen, and people forget that. '

const many = (count: number, text: (index: number) => string) =>
  sampleTranscript(
    Array.from({ length: count }, (_, index) => [`Speaker ${(index % 200) + 1}`, text(index)] as const),
    full,
  )

/** Two files of several pages, the second with a name that needs more room, and one that is missing. */
const several: Transcript = {
  ...many(30, () => sentence.repeat(4)),
  title: 'First talk',
  more: [
    { ...sampleTranscript([[longName, sentence.repeat(300)]], full), title: 'Second <talk>' },
    { ...sampleTranscript([]), title: 'Silent talk' },
  ],
  missing: ['Broken talk (f00d): The service answered 500.'],
}

const corpus: Readonly<Record<string, Transcript>> = {
  'two hundred speakers': many(260, (index) => sentence.repeat((index % 5) + 1)),
  'turns of one word': many(300, () => 'Yes.'),
  'a word of ninety letters': sampleTranscript([['Ann', `so ${'x'.repeat(90)} it was`]], full),
  'names of several lines': sampleTranscript(
    [
      [longName, sentence.repeat(4)],
      ['Bob', 'No.'],
      [longName, 'No.'],
    ],
    full,
  ),
  'a damaged recording': { ...many(3, () => sentence), durationMs: 3_600_000, readableMs: 3_432_500 },
  'several files': several,
  silence: sampleTranscript([]),
  'times within': { ...many(20, () => sentence.repeat(3)), timesEvery: 15, doubtfulBelow: 0.95 },
  'initials, double spaced, hours long': sampleTranscript(
    Array.from({ length: 300 }, (_, at) => [`Ann ${'ABC'[at % 3]}ole`, sentence.repeat(6)] as const),
    { transcript_template: 'service double line spaced' },
  ),
}

async function render(transcript: Transcript, format: ExportFormat): Promise<Buffer> {
  return Buffer.concat([...(await renderFormat(transcript, format, { pdfKit }))])
}

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '' && !/^[=-]+$/.test(word))

/** The words of a transcript, including times and names, in reading order. */
function saidIn(transcript: Transcript): string[] {
  const columns = columnWidths(transcript)
  const paragraphs = [...documentParagraphs(transcript)]
  return paragraphs.flatMap((paragraph) =>
    wordsOf(
      wordRuns(paragraph, columns)
        .map(({ text }) => text)
        .join(''),
    ),
  )
}

/** The words of a PDF in the order of its tags, without page headers and numbers. */
async function wordsOfTags(pdf: Buffer): Promise<string[]> {
  const tags = await readWith('pdf2txt', ['-t', 'tag', '%'], pdf, 'pdf')
  const body = tags.replaceAll(/<Artifact.*?<\/Artifact>/gs, '').replaceAll(/<[^>]*>/g, '')
  return wordsOf(
    body.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  )
}

async function wordsByPoppler(pdf: Buffer, transcript: Transcript): Promise<string[]> {
  const pages = (await readWith('pdftotext', ['-raw', '%', '-'], pdf, 'pdf')).split('\f')
  const titles = splitParts(transcript).map(({ title }) => title)
  // Date and length are below the title itself.
  const isRunningHead = (line: string, next = '') => titles.includes(line) && !/^2026-|^\d+ \w+ 2026/.test(next)
  const lines = pages.flatMap((page, index) =>
    page
      .split('\n')
      .filter((line, at, all) => !/^Page \d+ of \d+$/.test(line) && !(index > 0 && isRunningHead(line, all[at + 1]))),
  )
  return wordsOf(lines.join('\n'))
}

const readers = {
  odt: (content: Buffer) => readWith('odt2txt', ['--width=-1', '%'], content, 'odt'),
  docx: (content: Buffer) => readWith('docx2txt', ['%', '-'], content, 'docx'),
} as const

/** Not toEqual: a diff of thousands of words is unreadable. */
function expectSame(read: readonly string[], said: readonly string[]): void {
  const at = said.findIndex((word, index) => read[index] !== word)
  expect({ at, read: read.slice(at, at + 5), count: read.length }, 'read').toEqual({
    at: -1,
    read: read.slice(-1, 4),
    count: said.length,
  })
}

describe.each(Object.keys(corpus))('documents of %s', (name) => {
  const transcript = corpus[name] as Transcript

  it('a PDF is valid for qpdf, and gives every word and time to poppler', async () => {
    const pdf = await render(transcript, 'pdf')
    expect(await readWith('qpdf', ['--check', '%'], pdf, 'pdf')).toContain('No syntax or stream encoding errors')
    if (name === 'a word of ninety letters') return
    expectSame(await wordsByPoppler(pdf, transcript), saidIn(transcript))
  })

  it.skipIf(!hasProgram('pdf2txt'))('its tags give them in order to pdfminer (needs pdf2txt)', async () => {
    const read = await wordsOfTags(await render(transcript, 'pdf'))
    // A word longer than a line is cut.
    if (name === 'a word of ninety letters') expect(read.join('')).toBe(saidIn(transcript).join(''))
    else expectSame(read, saidIn(transcript))
  })

  it.skipIf(!hasProgram('odt2txt') || !hasProgram('docx2txt'))(
    'ODT and DOCX give them to others (needs odt2txt and docx2txt)',
    async () => {
      for (const format of ['odt', 'docx'] as const) {
        const text = await readers[format](await render(transcript, format))
        expectSame(wordsOf(text.replaceAll("'", '’')), saidIn(transcript))
      }
    },
  )
})

describe.skipIf(!hasProgram('soffice'))('LibreOffice (needs LibreOffice, soffice)', () => {
  it.each(['odt', 'docx', 'doc'] as const)('reads every word and time of a long %s', async (format) => {
    const transcript = corpus['two hundred speakers'] as Transcript
    expectSame(wordsOf(await readWithLibreOffice(await render(transcript, format), format)), saidIn(transcript))
  })
})

describe('one document of several files', () => {
  const textOfPages = async (pdf: Uint8Array) =>
    (await readWith('pdftotext', ['-layout', '%', '-'], pdf, 'pdf'))
      .split('\f')
      .slice(0, -1)
      .map((page) => page.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()])))

  /**
   * Each file begins on a page without a running head; later pages have its own; page numbers cover the whole document.
   */
  function expectPages(pages: readonly string[][]): void {
    const heads = pages.map(([first = '', second = '']) => `${first}${/2026/.test(second) ? ' begins' : ''}`)
    const first = heads.filter((head) => head === 'First talk').length
    const second = heads.filter((head) => head === 'Second <talk>').length
    expect([first > 0, second > 0]).toEqual([true, true])
    expect(heads).toEqual([
      'First talk begins',
      ...Array(first).fill('First talk'),
      'Second <talk> begins',
      ...Array(second).fill('Second <talk>'),
      'Silent talk begins',
    ])
    expect(pages.map((lines) => lines.at(-1))).toEqual(pages.map((_, at) => `Page ${at + 1} of ${pages.length}`))
    expect(pages.at(-1)?.join(' ')).toContain('Broken talk (f00d): The service answered 500.')
  }

  it('starts each on a new page in a PDF, and names missing files', async () => {
    expectPages(await textOfPages(await render(several, 'pdf')))
  })

  it.skipIf(!hasProgram('dumppdf'))('has a bookmark for each in a PDF, minutes below it (needs dumppdf)', async () => {
    const hours = {
      ...several,
      more: [{ ...many(120, () => sentence.repeat(4)), durationMs: 3_600_000, title: 'Long' }],
    }
    const outline = await readWith('dumppdf', ['-T', '%'], await render(hours, 'pdf'), 'pdf')
    const places = [...outline.matchAll(/level="(\d)" title="([^"]*)"/g)].map(([, level, title]) => `${level} ${title}`)
    expect(places.slice(0, 4)).toEqual(['1 First talk', '2 0 min', '2 5 min', '1 Long'])
  })

  it.skipIf(!hasProgram('soffice')).each(['odt', 'docx', 'doc'] as const)(
    'has the same pages in LibreOffice as %s (needs LibreOffice, soffice)',
    async (format) => expectPages(await textOfPages(await printedByLibreOffice(await render(several, format), format))),
  )
})

/** How many lines each paragraph has on each of its pages. */
async function linesOnPages(transcript: Transcript): Promise<number[][]> {
  const kit = await pdfKit()
  const document = new kit.PDFDocument({ autoFirstPage: false, font: '' })
  const glyphs = new Glyphs(await Fonts.open(document, kit, collectTexts(transcript)))
  const paragraphs: Map<number, Set<number>>[] = []
  let [page, isArtifact] = [0, false]
  const ink: Ink = {
    newPage: () => void page++,
    begin: () => void paragraphs.push(new Map()),
    text: ({ y }) => {
      if (!isArtifact) paragraphs.at(-1)?.set(page, (paragraphs.at(-1)?.get(page) ?? new Set()).add(Math.round(y)))
    },
    artifact: (_attached, draw) => {
      isArtifact = true
      draw()
      isArtifact = false
    },
    end: () => {},
    dots: () => {},
    total: () => {},
    bookmark: () => {},
  }
  const typesetter = new Typesetter(ink, glyphs, transcript)
  for (const paragraph of documentParagraphs(transcript)) for (const _ of typesetter.paragraph(paragraph));
  return paragraphs.map((pages) => [...pages.values()].map((lines) => lines.size))
}

describe('a page', () => {
  it('has at least two lines of a turn that continues on the next', async () => {
    let split = 0
    for (const [name, transcript] of Object.entries(corpus)) {
      for (const lines of await linesOnPages(transcript)) {
        if (lines.length === 1) continue
        split++
        expect(Math.min(...lines), `${name}: ${lines}`).toBeGreaterThanOrEqual(2)
      }
    }
    expect(split).toBeGreaterThan(20)
  })

  it('has time and name on the right of right-to-left text, and on the left of other text', async () => {
    const said = [
      ['Ann', 'It was quiet there.'],
      ['דני לוי', 'שלום, זה מבחן 123 של הטקסט.'],
    ] as const
    const { texts } = await firstPage(sampleTranscript(said, full), await pdfKit())
    const at = (start: string) => texts.findLast(({ text }) => text.startsWith(start))?.x ?? Number.NaN
    expect(at('00:00')).toBeLessThan(at('Ann'))
    expect(at('Ann')).toBeLessThan(at('It was'))
    const hebrew = texts.filter(({ text, size }) => size === 11 && /\p{Script=Hebrew}/u.test(text))
    expect(hebrew.length).toBeGreaterThan(0)
    for (const { x, width } of hebrew) expect(x + width).toBeLessThan(at('דני לוי'))
    expect(at('דני לוי')).toBeLessThan(at('00:02'))
  })

  it('sets letters in the serif, and in another font only if that lacks them', async () => {
    const fonts = async (text: string) => {
      const listed = await readWith(
        'pdffonts',
        ['%'],
        await render(sampleTranscript([['A', text]], full), 'pdf'),
        'pdf',
      )
      return new Set(listed.match(/SourceSerif4|DejaVuSans/g))
    }
    for (const text of ['Łódź, señor', 'Ελληνικά', 'Русский', 'Việt']) {
      expect(await fonts(text)).toEqual(new Set(['SourceSerif4']))
    }
    expect(await fonts('It is שלום')).toEqual(new Set(['SourceSerif4', 'DejaVuSans']))
  })
})

describe('long documents', () => {
  const hours = { ...many(400, () => sentence.repeat(4)), durationMs: 7_200_000 }
  const starts = hours.turns.flatMap(({ words }) => words.slice(0, 1).map(({ start }) => start))
  const marks = new Set(starts.map((start) => `${Math.floor(start / 300) * 5} min`))

  it.skipIf(!hasProgram('dumppdf'))('have a bookmark every five minutes (needs dumppdf)', async () => {
    const outline = await readWith('dumppdf', ['-T', '%'], await render(hours, 'pdf'), 'pdf')
    expect([...outline.matchAll(/title="([^"]*)"/g)].map(([, title]) => title)).toEqual([...marks])
  })

  it('give readers the turns as headings, and keep one name from the first turn to the last', async () => {
    const paragraphs = [...documentParagraphs(hours)]
    expect(paragraphs.filter(({ mark }) => mark !== null).length).toBe(marks.size)
    const names = paragraphs.filter(({ style }) => style === 'turn').map(({ speaker }) => speaker)
    expect(names[0]).toBe('Speaker 1')
    expect(names[200]).toBe('Speaker 1')
  })
})
