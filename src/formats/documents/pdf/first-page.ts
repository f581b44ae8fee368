import { missingLines, splitParts, type Transcript } from '../../../text/transcript.ts'
import { titleLine } from '../../template-header.ts'
import { page } from '../page-measures.ts'
import { documentParagraphs } from '../paragraphs.ts'
import { Fonts } from './fonts.ts'
import { Glyphs } from './glyphs.ts'
import type { Ink, Look, Placed } from './ink.ts'
import type { PdfKit } from './pdfkit-port.ts'
import { Typesetter } from './typesetter.ts'

/**
 * A text on a page. `x`: its left edge, `y`: its baseline from the top, `width`: its width in the PDF (SVG's
 * `textLength`), `size`: font size; all in points. `color`: six hexadecimal digits. `doubtful`: underlined with dots.
 */
type PageText = Omit<Placed, 'look'> & Omit<Look, 'weight'> & { bold: boolean; doubtful: boolean }

/** A page in points, with its texts in reading order, including running head and page number. */
export type PageDrawing = { width: number; height: number; texts: readonly PageText[] }

/** Exceeds the words of any page. */
const wordsOfPage = 4_000

/** Draws the first page and detects when a second one would begin. */
class DrawingInk implements Ink {
  readonly texts: PageText[] = []
  pages = 0
  #total: PageText | null = null

  newPage(): void {
    this.pages++
  }

  text({ look, ...placed }: Placed): void {
    if (this.pages !== 1) return
    const { size, color, weight } = look
    this.texts.push({ ...placed, size, color, bold: weight === 'bold', doubtful: false })
  }

  dots(): void {
    const last = this.texts.at(-1)
    if (last !== undefined && this.pages === 1) last.doubtful = true
  }

  artifact(_attached: 'Top' | 'Bottom', draw: () => void): void {
    draw()
  }

  begin(): void {
    // A drawing has no structure.
  }

  end(): void {
    // Same here.
  }

  bookmark(): void {
    // One page needs none.
  }

  total(x: number, y: number, { size, color }: Look): void {
    if (this.pages !== 1) return
    this.#total = { text: '1', rightToLeft: false, x, y, size, color, bold: false, width: size / 2, doubtful: false }
    this.texts.push(this.#total)
  }

  /** Once a second page has begun, the total is unknown. */
  finish(): void {
    if (this.#total !== null && this.pages > 1) this.#total.text = '…'
  }
}

/**
 * The first page of a transcript's PDF as a drawing, by the same typesetter; it stops there, so that a day costs no
 * more than a minute. Fonts: Source Serif 4 in 400 and 600, and DejaVu Sans for letters that it lacks. The number of
 * pages is `…` if there is more than one.
 */
export async function firstPage(transcript: Transcript, kit: PdfKit): Promise<PageDrawing> {
  // The document only opens the fonts; it is never written.
  const document = new kit.PDFDocument({ autoFirstPage: false, font: '' })
  const glyphs = new Glyphs(await Fonts.open(document, kit, collectTexts(transcript, wordsOfPage)))
  const ink = new DrawingInk()
  const typesetter = new Typesetter(ink, glyphs, transcript)
  setting: for (const paragraph of documentParagraphs(transcript)) {
    for (const _ of typesetter.paragraph(paragraph)) if (ink.pages > 1) break setting
  }
  ink.finish()
  return { width: page.width, height: page.height, texts: ink.texts }
}

/** Every text in a document, each word once; for a long one, up to a number of words. */
export function collectTexts(transcript: Transcript, upTo = Number.POSITIVE_INFINITY): Set<string> {
  const texts = new Set(missingLines(transcript))
  let count = 0
  for (const part of splitParts(transcript)) {
    for (const text of [titleLine(part), ...part.speakers]) texts.add(text)
    for (const { words } of part.turns) {
      for (const { word } of words) texts.add(word)
      count += words.length
      if (count > upTo) return texts
    }
  }
  return texts
}
