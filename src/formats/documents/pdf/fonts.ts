import type { PdfDocument, PdfFont, PdfKit } from './pdfkit-port.ts'

export type Weight = 'regular' | 'bold'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** Characters without a glyph of their own: joiners, variation and tag characters, direction marks. */
const invisible = /^[\p{Cf}\p{Variation_Selector}]$/u
/** What makes one character of several; without any, characters are code points. */
const joining = /[\p{M}\p{Cf}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Variation_Selector}]/u

/** Text as what readers see as its characters. */
export function charactersOf(text: string): string[] {
  return joining.test(text) ? [...graphemes.segment(text)].map(({ segment }) => segment) : [...text]
}

/** True where every character of a text is in ASCII, which the first face always has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them
export const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

/** True if a font can draw a text. */
export function hasAll(font: PdfFont, text: string): boolean {
  for (const character of text) {
    if (!invisible.test(character) && !font.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)) return false
  }
  return true
}

/** The faces of a document, and which of them has a character. */
export class Fonts {
  readonly #document: PdfDocument
  readonly #opened: Record<Weight, PdfFont[]> = { regular: [], bold: [] }
  readonly #known: Record<Weight, Map<string, PdfFont | null>> = { regular: new Map(), bold: new Map() }
  #count = 0

  private constructor(document: PdfDocument) {
    this.#document = document
  }

  /** Loads the first face, and those after it as long as some character of the texts is in none. */
  static async open(document: PdfDocument, { faces }: PdfKit, texts: Iterable<string>): Promise<Fonts> {
    const fonts = new Fonts(document)
    let missing = [
      ...new Set([...texts].filter((text) => !isAscii(text)).flatMap((text) => charactersOf(text.normalize()))),
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

  /** The font of the first face that has a character; null if none has. */
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
