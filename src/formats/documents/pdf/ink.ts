import { page } from '../page-measures.ts'
import type { Weight } from './fonts.ts'
import type { Glyphs, Shaped } from './glyphs.ts'
import type { PdfContent, PdfDocument, PdfElement, PdfFont, PdfOutline, PdfReference } from './pdfkit-port.ts'

/** Style of a text: `size` in points, `color` as six hexadecimal digits. */
export type Look = { size: number; weight: Weight; color: string }

/** A positioned text: `x` its left edge, `y` its baseline from the top of the page, `width`; in points. */
export type Placed = { text: string; rightToLeft: boolean; x: number; y: number; width: number; look: Look }

/** Replacement text for screen readers, and its language if it differs from the document's. */
export type Reading = { actual?: string; lang?: string }

/** Output of the typesetter. Drawings belong to the most recently begun element. */
export type Ink = {
  newPage(): void
  begin(tag: string, reading: Reading): void
  end(): void
  text(placed: Placed, shaped: Shaped): void
  /** dots below a doubtful text */
  dots(x: number, y: number, width: number): void
  /** content repeated on every page that is not part of the text */
  artifact(attached: 'Top' | 'Bottom', draw: () => void): void
  /** the total number of pages, known only at the end */
  total(x: number, y: number, look: Look): void
  /** a navigation target: the start of a file, or a place in it */
  bookmark(title: string, y: number, level: 'file' | 'place'): void
}

const number = (value: number) => String(Math.round(value * 100) / 100)

function fill(color: string): string {
  const parts = [0, 2, 4].map((at) => number(Number.parseInt(color.slice(at, at + 2), 16) / 255))
  return `${parts.join(' ')} rg`
}

function utf16(text: string): string {
  return [...`\ufeff${text}`.split('')].map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0')).join('')
}

/** The operators that show a text; `place` sets its origin. */
function shown({ runs }: Shaped, look: Look, place: string): string {
  let operators = `BT ${fill(look.color)} ${place}`
  let [font, rise]: [PdfFont | null, number] = [null, 0]
  for (const run of runs) {
    if (run.font !== font) operators += ` /${run.font.id} ${number(look.size)} Tf`
    if (run.rise !== rise) operators += ` ${number((run.rise * look.size) / 1_000)} Ts`
    const show = `[${run.show}] TJ`
    operators += run.says === null ? ` ${show}` : ` /Span <</ActualText <${utf16(run.says)}>>> BDC ${show} EMC`
    font = run.font
    rise = run.rise
  }
  return `${operators}${rise === 0 ? '' : ' 0 Ts'} ET`
}

/** Writes pages of a tagged PDF. Page content uses PDF coordinates, from the bottom up. */
export class PdfInk implements Ink {
  readonly #document: PdfDocument
  readonly #glyphs: Glyphs
  readonly #root: PdfElement
  #total: { reference: PdfReference; fonts: Record<string, PdfReference>; look: Look } | null = null
  #element: { tag: string; node: PdfElement } | null = null
  #content: PdfContent | null = null
  #file: PdfOutline | null = null
  #pages = 0

  constructor(document: PdfDocument, glyphs: Glyphs) {
    this.#document = document
    this.#glyphs = glyphs
    this.#root = document.struct('Document', {})
    document.addStructure(this.#root)
  }

  newPage(): void {
    this.#endContent()
    this.#document.addPage()
    this.#pages++
    // pdfkit flips the page; this reverts it.
    this.#document.addContent(`1 0 0 -1 0 ${page.height} cm`)
  }

  begin(tag: string, reading: Reading): void {
    this.#element = { tag, node: this.#document.struct(tag, reading) }
    this.#root.add(this.#element.node)
  }

  end(): void {
    this.#endContent()
    this.#element?.node.end()
    this.#element = null
  }

  text({ x, y, look }: Placed, shaped: Shaped): void {
    this.#beginContent()
    const { fonts } = this.#document.page
    for (const { font } of shaped.runs) fonts[font.id] ??= font.ref()
    this.#document.addContent(shown(shaped, look, `1 0 0 1 ${number(x)} ${number(page.height - y)} Tm`))
  }

  dots(x: number, y: number, width: number): void {
    const [from, height] = [number(x), number(page.height - y)]
    this.#beginContent()
    const line = `${from} ${height} m ${number(x + width)} ${height} l S`
    this.#document.addContent(`q 0.71 0.33 0.04 RG 0.9 w 1 J [0 2] 0 d ${line} Q`)
  }

  artifact(attached: 'Top' | 'Bottom', draw: () => void): void {
    const element = this.#element
    this.#endContent()
    this.#element = null
    this.#document.markContent('Artifact', { type: 'Pagination', attached: [attached] })
    draw()
    this.#document.endMarkedContent()
    this.#element = element
  }

  total(x: number, y: number, look: Look): void {
    this.#total ??= this.#form(look)
    this.#document.page.xobjects.Total = this.#total.reference
    this.#document.addContent(`q 1 0 0 1 ${number(x)} ${number(page.height - y)} cm /Total Do Q`)
  }

  bookmark(title: string, y: number, level: 'file' | 'place'): void {
    // pdfkit measures `left` from the right.
    const place = { top: y, left: page.width }
    if (level === 'file') this.#file = this.#document.outline.addItem(title, place)
    else (this.#file ?? this.#document.outline).addItem(title, place)
  }

  /** Ends the document: no drawing after this. */
  finish(): void {
    if (this.#total !== null) {
      const { reference, fonts, look } = this.#total
      const shaped = this.#glyphs.shape(String(this.#pages), look.weight, false)
      for (const { font } of shaped.runs) fonts[font.id] ??= font.ref()
      reference.end(shown(shaped, look, '1 0 0 1 0 0 Tm'))
    }
    this.#root.end()
    this.#document.end()
  }

  /** A form XObject that all pages show and that is written last. */
  #form(look: Look) {
    const fonts: Record<string, PdfReference> = {}
    const shape = { BBox: [0, -look.size, look.size * 6, look.size * 2], Resources: { Font: fonts } }
    return { reference: this.#document.ref({ Type: 'XObject', Subtype: 'Form', ...shape }), fonts, look }
  }

  #beginContent(): void {
    if (this.#element !== null) this.#content ??= this.#document.markStructureContent(this.#element.tag)
  }

  #endContent(): void {
    if (this.#content === null || this.#element === null) return
    this.#document.endMarkedContent()
    this.#element.node.add(this.#content)
    this.#content = null
  }
}
