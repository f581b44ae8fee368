import { mergeChunks } from '../../chunks.ts'
import { titleLine } from '../../template-header.ts'
import type { Transcript } from '../../transcript.ts'
import { isDoubleSpaced } from '../../transcript.ts'
import type { Paragraph } from '../paragraphs.ts'
import { documentParagraphs, pageHeader } from '../paragraphs.ts'
import type { GlyphRun } from './glyphs.ts'
import { Glyphs, missingGlyph, standIn } from './glyphs.ts'
import type { Line, Piece } from './lines.ts'
import { mirroredParts, paragraphLines } from './lines.ts'
import type { PdfContent, PdfDocument, PdfElement, PdfKit } from './pdfkit-port.ts'

/** An A4 page in points, with its margins. */
const page = { width: 595.28, height: 841.89, side: 57, top: 72, bottom: 72 }
const room = page.width - 2 * page.side

/** Size and space of each kind of paragraph in points; `tag` is its role in the structure tree. */
const styles = {
  title: { tag: 'H1', size: 18, after: 4, color: 'black', weight: 'bold' },
  details: { tag: 'P', size: 11, after: 18, color: '#555555', weight: 'regular' },
  turn: { tag: 'P', size: 11, after: 6, color: 'black', weight: 'regular' },
} as const

const missingNote = `${missingGlyph} stands for a character that this file’s font does not have. Copying and screen readers give the character itself.`

/** Text as it is drawn, and its width in points. */
type Drawn = { shown: string; actual: string | null; shaping: { features?: readonly never[] }; width: number }

/** Sets paragraphs onto pages. What is on a page is one piece of content of the element that it belongs to. */
class Typesetter {
  readonly #document: PdfDocument
  readonly #glyphs: Glyphs
  readonly #root: PdfElement
  readonly #header: string | null
  readonly #spacing: number
  #y = Number.POSITIVE_INFINITY
  #pages = 0

  constructor(document: PdfDocument, transcript: Transcript) {
    this.#document = document
    this.#glyphs = new Glyphs(document)
    this.#header = pageHeader(transcript)
    this.#spacing = isDoubleSpaced(transcript.options) ? 2 : 1
    this.#root = document.struct('Document')
    document.addStructure(this.#root)
  }

  get wasGlyphMissing(): boolean {
    return this.#glyphs.wasMissing
  }

  /** Sets one paragraph; yields after each line, so that a paragraph of hours is never whole in memory. */
  *paragraph(paragraph: Paragraph): Generator<void> {
    const { tag, size, after, weight } = styles[paragraph.style]
    const shown =
      weight === 'bold' ? { ...paragraph, runs: paragraph.runs.map((run) => ({ ...run, bold: true })) } : paragraph
    const lineHeight = size * 1.3 * (paragraph.style === 'turn' ? this.#spacing : 1)
    const element = this.#document.struct(tag)
    this.#root.add(element)
    let content: PdfContent | null = null
    for (const line of paragraphLines(shown, room, size, this.#glyphs)) {
      if (this.#y + lineHeight > page.height - page.bottom) {
        if (content !== null) this.#endContent(element, content)
        content = null
        this.#addPage()
      }
      content ??= this.#document.markStructureContent(tag)
      this.#document.fillColor(styles[paragraph.style].color)
      this.#line(line, size, paragraph.rightToLeft)
      this.#y += lineHeight
      yield
    }
    if (content !== null) this.#endContent(element, content)
    element.end()
    this.#y += after
  }

  end(): void {
    this.#root.end()
    this.#document.end()
  }

  #endContent(element: PdfElement, content: PdfContent): void {
    this.#document.endMarkedContent()
    element.add(content)
  }

  /** A new page with its header and number, which are not part of the text. */
  #addPage(): void {
    this.#document.addPage()
    this.#pages++
    this.#y = page.top
    if (this.#header !== null) this.#margin(this.#header, page.top / 2, 'Top')
    this.#margin(String(this.#pages), page.height - page.bottom / 2, 'Bottom')
  }

  #margin(text: string, y: number, attached: 'Top' | 'Bottom'): void {
    const size = 9
    const run = { text, bold: false }
    // One line, however long the title is.
    const [line] = paragraphLines({ style: 'turn', runs: [run], rightToLeft: false }, room, size, this.#glyphs)
    if (line === undefined) return
    this.#document.markContent('Artifact', { type: 'Pagination', attached: [attached] })
    this.#document.fillColor('#555555')
    this.#draw(line, page.width / 2 - this.#width(line, size) / 2, y - size / 2, size)
    this.#document.endMarkedContent()
  }

  #line(line: Line, size: number, rightToLeft: boolean): void {
    const x = rightToLeft ? page.width - page.side - this.#width(line, size) : page.side
    this.#draw(line, x, this.#y, size)
  }

  #width(line: Line, size: number): number {
    return line.pieces.reduce(
      (sum, piece) => sum + this.#drawn(piece, size).reduce((all, { width }) => all + width, 0),
      0,
    )
  }

  /** What is drawn for a piece, from left to right; `actual` is what it says where that is something else. */
  #drawn({ text, weight, rightToLeft }: Piece, size: number): Drawn[] {
    this.#glyphs.use(weight, size)
    if (!rightToLeft) return this.#glyphs.runs(text).map((run) => this.#drawnRun(run, run.text, {}))
    // `features`, even none, make the whole run one for the shaper, which turns it round.
    const drawn = mirroredParts(text).flatMap((part) =>
      this.#glyphs
        .runs(part.shown)
        .map((run) => this.#drawnRun(run, part.text === part.shown ? run.text : part.text, { features: [] })),
    )
    return drawn.reverse()
  }

  #drawnRun({ text, isDrawable }: GlyphRun, says: string, shaping: Drawn['shaping']): Drawn {
    const shown = isDrawable ? text : standIn(text)
    return { shown, actual: shown === says ? null : says, shaping, width: this.#document.widthOfString(shown, shaping) }
  }

  /**
   * Draws text that stands for other text. pdfkit turns the page over, and back for each text; poppler places the other
   * text by how the page lies and by the font where the mark ends, so both must be there as they are for the text.
   */
  #standingFor(actual: string, size: number, draw: () => void): void {
    const turnOver = () => void this.#document.transform(1, 0, 0, -1, 0, page.height)
    this.#document.save()
    turnOver()
    this.#document.addContent(`/${this.#document._font.id} ${size} Tf`)
    this.#document.markContent('Span', { actual })
    this.#document.save()
    turnOver()
    draw()
    this.#document.restore()
    this.#document.endMarkedContent()
    this.#document.restore()
  }

  #draw(line: Line, from: number, y: number, size: number): void {
    let x = from
    for (const piece of line.pieces) {
      for (const { shown, actual, shaping, width } of this.#drawn(piece, size)) {
        const draw = () => void this.#document.text(shown, x, y, { lineBreak: false, ...shaping })
        if (actual === null) draw()
        else this.#standingFor(actual, size, draw)
        x += width
      }
    }
  }
}

/**
 * A document that passes on each part of the file at once; as a stream it would buffer all until the next event loop
 * turn.
 */
function openDocument(
  transcript: Transcript,
  { PDFDocument, regular, bold }: PdfKit,
  take: (chunk: Uint8Array | null) => void,
): PdfDocument {
  class HandingDocument extends PDFDocument {
    override push(chunk: Uint8Array | null): boolean {
      take(chunk)
      return true
    }
  }
  const created = new Date(transcript.created)
  const document = new HandingDocument({
    size: 'A4',
    margin: 0,
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang: 'en',
    autoFirstPage: false,
    font: '',
    info: {
      Title: titleLine(transcript),
      Creator: 'Parley',
      ...(Number.isNaN(created.getTime()) ? {} : { CreationDate: created }),
    },
  })
  document.registerFont('regular', regular)
  document.registerFont('bold', bold)
  return document
}

/**
 * PDF 1.7, tagged (a heading, a paragraph a turn), with embedded subsets of the fonts, header and page number on each
 * page, right-to-left text in its order. Pages are yielded as they become full. A character that the fonts do not have
 * is shown as a box and keeps its text for copying, search and screen readers, and a note at the end says so.
 */
export function* renderPdf(transcript: Transcript, kit: PdfKit): Generator<Uint8Array> {
  const ready: Uint8Array[] = []
  let isEnded = false
  const document = openDocument(transcript, kit, (chunk) => {
    if (chunk === null) isEnded = true
    else ready.push(chunk)
  })
  yield* mergeChunks(setPages(document, transcript, ready))
  if (!isEnded) throw new Error('the PDF has no end')
}

/** Sets all paragraphs and yields what is ready after each line. */
function* setPages(document: PdfDocument, transcript: Transcript, ready: Uint8Array[]): Generator<Uint8Array> {
  const typesetter = new Typesetter(document, transcript)
  for (const paragraph of documentParagraphs(transcript)) {
    for (const _ of typesetter.paragraph(paragraph)) yield* ready.splice(0)
  }
  if (typesetter.wasGlyphMissing) {
    const note: Paragraph = { style: 'details', runs: [{ text: missingNote, bold: false }], rightToLeft: false }
    for (const _ of typesetter.paragraph(note)) yield* ready.splice(0)
  }
  typesetter.end()
  yield* ready.splice(0)
}
