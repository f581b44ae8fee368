import type { PdfDocument } from './pdfkit-port.ts'

/** Shown for a character that the font does not have. */
export const missingGlyph = '□'

export type Weight = 'regular' | 'bold'

/** A stretch of text that the font can draw, or cannot. */
export type GlyphRun = { text: string; isDrawable: boolean }

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** Characters without a glyph of their own: joiners, variation and tag characters, direction marks. */
const invisible = /^[\p{Cf}\p{Variation_Selector}]$/u

/** What the fonts can draw and how wide text is in them; both cached, since words recur. */
export class Glyphs {
  readonly #document: PdfDocument
  readonly #drawable: Record<Weight, Map<number, boolean>> = { regular: new Map(), bold: new Map() }
  readonly #widths = new Map<string, number>()
  #weight: Weight | null = null
  #size = 0
  /** true once any text had a character that the font does not have */
  wasMissing = false

  constructor(document: PdfDocument) {
    this.#document = document
  }

  /** Makes a font the one in use. */
  use(weight: Weight, size: number): void {
    if (this.#weight !== weight) this.#document.font(weight)
    if (this.#size !== size) this.#document.fontSize(size)
    this.#weight = weight
    this.#size = size
  }

  /** Text split by what the font in use can draw; what readers see as one character stays whole. */
  runs(text: string): GlyphRun[] {
    if (this.#hasAll(text)) return [{ text, isDrawable: true }]
    const runs: GlyphRun[] = []
    for (const { segment } of graphemes.segment(text)) {
      const isDrawable = this.#hasAll(segment)
      const last = runs.at(-1)
      if (last?.isDrawable === isDrawable) last.text += segment
      else runs.push({ text: segment, isDrawable })
    }
    this.wasMissing = true
    return runs
  }

  /** The width of a word and the font's size together, in points; missing glyphs as they will be shown. */
  width(text: string, weight: Weight, size: number): number {
    const key = `${weight} ${size} ${text}`
    const known = this.#widths.get(key)
    if (known !== undefined) return known
    this.use(weight, size)
    const shown = this.runs(text).map((run) => (run.isDrawable ? run.text : standIn(run.text)))
    const width = this.#document.widthOfString(shown.join(''))
    this.#widths.set(key, width)
    return width
  }

  #hasAll(text: string): boolean {
    for (const character of text) if (!this.#has(character)) return false
    return true
  }

  #has(character: string): boolean {
    const codePoint = character.codePointAt(0) ?? 0
    const known = this.#drawable[this.#weight ?? 'regular']
    const drawable = known.get(codePoint) ?? this.#look(character, codePoint)
    known.set(codePoint, drawable)
    return drawable
  }

  #look(character: string, codePoint: number): boolean {
    return invisible.test(character) || this.#document._font.font.hasGlyphForCodePoint(codePoint)
  }
}

/** One box for each character, as a reader counts them. */
export function standIn(text: string): string {
  return [...graphemes.segment(text)].map(() => missingGlyph).join('')
}
