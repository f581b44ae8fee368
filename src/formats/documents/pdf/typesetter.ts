import type { Transcript } from '../../../text/transcript.ts'
import { titleLine } from '../../template-header.ts'
import { isRightToLeft, rightToLeftLetter } from '../../text-direction.ts'
import type { TextPart } from '../../text-parts.ts'
import { type Columns, columnWidths, grey, lineHeight, lineSpacing, page, styles } from '../page-measures.ts'
import { type Paragraph, pageHeader } from '../paragraphs.ts'
import type { Glyphs } from './glyphs.ts'
import type { Ink, Look, Reading } from './ink.ts'
import { type Line, textLines } from './lines.ts'

const black = '000000'
const looks: Record<Paragraph['style'] | 'speaker' | 'time' | 'small', Look> = {
  title: { size: styles.title.size, weight: 'bold', color: black },
  details: { size: styles.details.size, weight: 'regular', color: grey },
  lastDetails: { size: styles.lastDetails.size, weight: 'regular', color: grey },
  turn: { size: styles.turn.size, weight: 'regular', color: black },
  note: { size: styles.note.size, weight: 'regular', color: grey },
  speaker: { size: styles.speaker.size, weight: 'bold', color: black },
  time: { size: styles.time.size, weight: 'regular', color: grey },
  small: { size: styles.small.size, weight: 'regular', color: grey },
}
const tags = { title: 'H1', details: 'P', lastDetails: 'P', turn: 'P', note: 'P' } as const

/** Maximum lines of a name in the margin. */
const nameLines = 8
const bottom = page.height - page.bottom

/** A horizontal range of the page, in points from the left. */
type Box = { left: number; right: number }
type MarginLine = { text: string; box: Box; look: Look; down: number }

/** Lays out paragraphs on pages: line breaks and positions. */
export class Typesetter {
  readonly #ink: Ink
  readonly #glyphs: Glyphs
  readonly #spacing: number
  readonly #columns: Columns
  readonly #isOfSeveral: boolean
  #header: string | null = null
  #y = Number.POSITIVE_INFINITY
  #pages = 0
  /** the page on which the current file begins */
  #firstPage = 1

  constructor(ink: Ink, glyphs: Glyphs, transcript: Transcript) {
    this.#ink = ink
    this.#glyphs = glyphs
    this.#isOfSeveral = transcript.more !== undefined
    this.#spacing = lineSpacing(transcript)
    this.#columns = columnWidths(transcript)
  }

  /**
   * Sets one paragraph; yields after each line, so that a paragraph of hours is never entirely in memory. A page has at
   * least two lines of a paragraph that continues, and the complete name next to it.
   */
  *paragraph(paragraph: Paragraph): Generator<void> {
    const { style, rightToLeft, begins } = paragraph
    if (begins !== null) this.#beginFile(begins)
    const look = looks[style]
    const box = this.#textBox(paragraph)
    const step = look.size * lineHeight * (style === 'turn' ? this.#spacing : 1)
    const width = (word: string) => this.#glyphs.width(word, look.weight, look.size)
    const lines = new Ahead(textLines(paragraph, box.right - box.left, width))
    const margin = this.#marginLines(paragraph)
    const beside = Math.max(0, ...margin.map(({ down }) => down + look.size * lineHeight))

    const together = lines.has(3) ? 2 : lines.has(2) ? 3 : lines.has(1) ? 2 : 1
    this.#need(Math.max(together * step, beside))
    this.#ink.begin(tags[style], describeReading(paragraph))
    if (begins !== null && this.#isOfSeveral) this.#ink.bookmark(titleLine(begins), this.#y - 4, 'file')
    if (paragraph.mark !== null) this.#ink.bookmark(paragraph.mark, this.#y - 4, 'place')
    for (const line of margin) this.#word(line, this.#y + line.down + look.size, rightToLeft)
    const endOfMargin = this.#y + beside
    for (let index = 0; lines.has(0); index++) {
      // Avoids a single last line on the next page.
      const isLastButOne = index > 1 && lines.has(1) && !lines.has(2)
      this.#need(isLastButOne ? 2 * step : step)
      this.#line(lines.next(), box, look, rightToLeft)
      this.#y += step
      yield
    }
    this.#ink.end()
    if (this.#y < endOfMargin && this.#y > page.top) this.#y = endOfMargin
    this.#y += styles[style].after
  }

  /** Starts the next line on a new page, without a running head. */
  #beginFile(transcript: Transcript): void {
    this.#header = pageHeader(transcript)
    this.#firstPage = this.#pages + 1
    this.#y = Number.POSITIVE_INFINITY
  }

  #textBox({ style, rightToLeft }: Paragraph): Box {
    const indent = style === 'turn' ? this.#columns.time + this.#columns.name : 0
    return rightToLeft
      ? { left: page.side, right: page.width - page.side - indent }
      : { left: page.side + indent, right: page.width - page.side }
  }

  /** Time and name next to the text; a long name wraps. */
  #marginLines({ style, time, speaker, rightToLeft }: Paragraph): MarginLine[] {
    if (style !== 'turn') return []
    const { columns, glyphs } = { columns: this.#columns, glyphs: this.#glyphs }
    const box = (from: number, to: number): Box =>
      rightToLeft
        ? { left: page.width - page.side - to, right: page.width - page.side - from }
        : { left: page.side + from, right: page.side + to }
    const lines: MarginLine[] = []
    if (time !== null) lines.push({ text: time, box: box(0, columns.time), look: looks.time, down: 0 })
    if (speaker === null) return lines
    const name = box(columns.time, columns.time + columns.name)
    const width = (word: string) => glyphs.width(word, looks.speaker.weight, looks.speaker.size)
    const parts: TextPart[] = [{ text: speaker, kind: 'said' }]
    const broken = [...textLines({ parts, rightToLeft: false }, columns.name - 10, width)]
    for (const [index, pieces] of broken.slice(0, nameLines).entries()) {
      const isCut = index === nameLines - 1 && broken.length > nameLines
      const text = pieces.map((piece) => piece.text).join('') + (isCut ? '…' : '')
      lines.push({ text, box: name, look: looks.speaker, down: index * looks.speaker.size * 1.25 })
    }
    return lines
  }

  /** Begins a new page if less room than that remains. */
  #need(height: number): void {
    if (this.#y + height <= bottom + 0.01 || this.#y === page.top) return
    this.#ink.newPage()
    this.#pages++
    this.#y = page.top
    if (this.#header !== null && this.#pages > this.#firstPage) this.#runningHead(this.#header)
    this.#pageNumber()
  }

  #runningHead(header: string): void {
    const look = looks.small
    const width = (word: string) => this.#glyphs.width(word, look.weight, look.size)
    const parts: TextPart[] = [{ text: header, kind: 'said' }]
    const room = page.width - 2 * page.side
    // A single line, however long the title is.
    const [line] = textLines({ parts, rightToLeft: false }, room, width)
    if (line === undefined) return
    const left = (page.width - this.#width(line, look)) / 2
    this.#ink.artifact('Top', () => void this.#pieces(line, left, page.top / 2 + 3, look))
  }

  #pageNumber(): void {
    const look = looks.small
    const text = `Page ${this.#pages} of`
    const width = this.#textWidth(`${text} ${this.#pages}`, look, false)
    const [left, y] = [(page.width - width) / 2, page.height - page.bottom / 2 + 3]
    this.#ink.artifact('Bottom', () => {
      const right = this.#pieces([{ text, kind: 'said', rightToLeft: false }], left, y, look)
      this.#ink.total(right + this.#textWidth(' ', look, false), y, look)
    })
  }

  #line(line: Line, { left, right }: Box, look: Look, rightToLeft: boolean): void {
    this.#pieces(line, rightToLeft ? right - this.#width(line, look) : left, this.#y + look.size, look)
  }

  #word({ text, box, look }: MarginLine, y: number, rightToLeft: boolean): void {
    const parts: TextPart[] = [{ text, kind: 'said' }]
    const [line] = textLines({ parts, rightToLeft: false }, Number.POSITIVE_INFINITY, () => 0)
    if (line !== undefined) this.#pieces(line, rightToLeft ? box.right - this.#width(line, look) : box.left, y, look)
  }

  #textWidth(text: string, { weight, size }: Look, rightToLeft: boolean): number {
    return (this.#glyphs.shape(text, weight, rightToLeft).width * size) / 1_000
  }

  #width(line: Line, look: Look): number {
    return line.reduce((sum, { text, rightToLeft }) => sum + this.#textWidth(text, look, rightToLeft), 0)
  }

  /** Draws pieces from `x` on; returns the end position. */
  #pieces(line: Line, from: number, y: number, look: Look): number {
    let x = from
    for (const [index, { text, kind, rightToLeft }] of line.entries()) {
      const width = this.#textWidth(text, look, rightToLeft)
      // A trailing blank separates the line from the next when programs extract text.
      const shown = index === line.length - 1 && !rightToLeft ? `${text} ` : text
      const shaped = this.#glyphs.shape(shown, look.weight, rightToLeft)
      const own = kind === 'time' ? { ...look, color: grey } : look
      this.#ink.text({ text, width, rightToLeft, x, y, look: own }, shaped)
      if (kind === 'doubtful') this.#ink.dots(x, y + look.size * 0.2, width)
      x += width
    }
    return x
  }
}

/** Replacement text for screen readers if a paragraph has right-to-left letters, as these are drawn from the left. */
function describeReading({ time, speaker, parts }: Paragraph): Reading {
  const text = parts.map((part) => part.text).join(' ')
  const letter = rightToLeftLetter.exec(`${speaker ?? ''}${text}`)?.[0]
  if (letter === undefined) return {}
  const actual = [time, speaker, text].filter((part) => part !== null).join(' ')
  const lang = /\p{Script=Hebrew}/u.test(letter) ? 'he' : 'ar'
  return isRightToLeft(text) ? { actual, lang } : { actual }
}

/** An iterator with lookahead; it pulls no more items than were looked at. */
class Ahead<Item> {
  readonly #source: Iterator<Item>
  readonly #waiting: Item[] = []

  constructor(source: Iterable<Item>) {
    this.#source = source[Symbol.iterator]()
  }

  /** True if at least `count` items follow the next one. */
  has(count: number): boolean {
    while (this.#waiting.length <= count) {
      const { done, value } = this.#source.next()
      if (done === true) return false
      this.#waiting.push(value)
    }
    return true
  }

  /** @throws if there is none: call `has(0)` first */
  next(): Item {
    if (!this.has(0)) throw new Error('there is no next item')
    return this.#waiting.shift() as Item
  }
}
