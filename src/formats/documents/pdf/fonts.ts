import type { PdfDocument, PdfFont, PdfKit } from './pdfkit-port.ts'

export type Weight = 'regular' | 'bold'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** Characters without a glyph: joiners, variation and tag characters, direction marks. */
const invisible = /^[\p{Cf}\p{Variation_Selector}]$/u
/** Characters that combine with others into one grapheme; without any, graphemes are code points. */
const joining = /[\p{M}\p{Cf}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Variation_Selector}]/u

/** Splits text into graphemes. */
export function splitGraphemes(text: string): string[] {
  return joining.test(text) ? [...graphemes.segment(text)].map(({ segment }) => segment) : [...text]
}

/** True if a text is pure ASCII, which the first face always covers. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them
export const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

/** True if a font can draw a text. */
export function hasAll(font: PdfFont, text: string): boolean {
  for (const character of text) {
    if (!invisible.test(character) && !font.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)) return false
  }
  return true
}

/** The faces of a document, and which of them covers a character. */
export class Fonts {
  readonly #document: PdfDocument
  readonly #opened: Record<Weight, PdfFont[]> = { regular: [], bold: [] }
  readonly #known: Record<Weight, Map<string, PdfFont | null>> = { regular: new Map(), bold: new Map() }
  #count = 0

  private constructor(document: PdfDocument) {
    this.#document = document
  }

  /** Loads the first face, and further ones until all characters of the texts are covered. */
  static async open(document: PdfDocument, { faces }: PdfKit, texts: Iterable<string>): Promise<Fonts> {
    const fonts = new Fonts(document)
    let missing = [
      ...new Set([...texts].filter((text) => !isAscii(text)).flatMap((text) => splitGraphemes(text.normalize()))),
    ]
    for (const load of faces) {
      const { regular, bold } = await load()
      document.registerFont(`regular${fonts.#count}`, regular).registerFont(`bold${fonts.#count}`, bold)
      fonts.#count++
      missing = missing.filter((character) => !hasAll(fonts.#font('regular', fonts.#count - 1), character))
      if (missing.length === 0) break
    }
    return fonts
  }

  /** The font of the first face that covers a character; null if none does. */
  of(character: string, weight: Weight): PdfFont | null {
    const known = this.#known[weight].get(character)
    if (known !== undefined) return known
    let found: PdfFont | null = null
    for (let index = 0; index < this.#count && found === null; index++) {
      const font = this.#font(weight, index)
      if (hasAll(font, character)) found = font
    }
    this.#known[weight].set(character, found)
    return found
  }

  #font(weight: Weight, index: number): PdfFont {
    const opened = this.#opened[weight][index]
    if (opened !== undefined) return opened
    this.#document.font(`${weight}${index}`)
    this.#opened[weight][index] = this.#document._font
    return this.#document._font
  }
}
