import bidiFactory from 'bidi-js'
import { type Fonts, hasAll, isAscii, splitGraphemes, type Weight } from './fonts.ts'
import type { PdfFont } from './pdfkit-port.ts'

/** Replaces a character that no font covers. */
export const missingGlyph = '□'

/**
 * Glyphs of one font at one height. `show` is the content of a TJ operator; `rise` lifts marks, in thousandths of the
 * size; `says` is the actual text if the glyphs do not map to it.
 */
type GlyphRun = { font: PdfFont; show: string; rise: number; says: string | null }

/** Shaped text, from left to right; `width` in thousandths of the size. */
export type Shaped = { width: number; runs: readonly GlyphRun[] }

const bidi = bidiFactory()
const letter = /\p{L}/u

/** Appends a run, merging it into the last one if possible. */
function addRun(runs: GlyphRun[], run: GlyphRun): void {
  const last = runs.at(-1)
  if (last?.font !== run.font || last.rise !== run.rise || last.says !== null || run.says !== null)
    runs.push({ ...run })
  else if (last.show.endsWith('>') && run.show.startsWith('<')) last.show = last.show.slice(0, -1) + run.show.slice(1)
  else last.show += run.show
}

/** The operators of a text in one font: hexadecimal glyphs, with numbers that adjust the position of the next. */
function encoded(font: PdfFont, text: string, says: string | null, features?: readonly never[]): Shaped {
  const [hex, positions] = font.encode(text, features)
  const runs: GlyphRun[] = []
  let width = 0
  for (const [index, { xAdvance, advanceWidth, xOffset, yOffset }] of positions.entries()) {
    const before = xOffset === 0 ? '' : `${Math.round(-xOffset)} `
    const after = Math.round(advanceWidth + xOffset - xAdvance)
    const show = `${before}<${hex[index]}>${after === 0 ? '' : after}`
    const last = runs.at(-1)
    const rise = Math.round(yOffset)
    if (says !== null && last?.rise === rise) last.show += show
    else addRun(runs, { font, show, rise, says: runs.length === 0 || says === null ? says : '' })
    width += xAdvance
  }
  return { width, runs }
}

/** Shapes text with the fonts of a document; words are cached, since they recur. */
export class Glyphs {
  readonly #fonts: Fonts
  readonly #shaped: Record<Weight, Map<string, Shaped>> = { regular: new Map(), bold: new Map() }
  /** every character that no font covers, in order of first occurrence */
  readonly missing = new Set<string>()

  constructor(fonts: Fonts) {
    this.#fonts = fonts
  }

  /** The width of a word, in points. */
  width(word: string, weight: Weight, size: number): number {
    return (this.#word(word, weight).width * size) / 1_000
  }

  /** Shapes a text of one direction. */
  shape(text: string, weight: Weight, rightToLeft: boolean): Shaped {
    const runs: GlyphRun[] = []
    let width = 0
    for (const part of rightToLeft ? this.#turned(text, weight) : this.#words(text, weight)) {
      for (const run of part.runs) addRun(runs, run)
      width += part.width
    }
    return { width, runs }
  }

  *#words(text: string, weight: Weight): Generator<Shaped> {
    for (const [index, word] of text.split(' ').entries()) {
      if (index > 0) yield this.#word(' ', weight)
      if (word !== '') yield this.#word(word, weight)
    }
  }

  #word(word: string, weight: Weight): Shaped {
    const known = this.#shaped[weight].get(word)
    if (known !== undefined) return known
    const parts = this.#byFont(isAscii(word) ? word : word.normalize(), weight).map(([text, font]) =>
      font === null ? this.#box(text, weight) : encoded(font, text, null),
    )
    const runs: GlyphRun[] = []
    for (const part of parts) for (const run of part.runs) addRun(runs, run)
    const shaped = { width: parts.reduce((sum, { width }) => sum + width, 0), runs }
    this.#shaped[weight].set(word, shaped)
    return shaped
  }

  /**
   * Text from right to left, its last part first. An empty list of features makes the shaper treat each part as one
   * run.
   */
  #turned(text: string, weight: Weight): Shaped[] {
    const parts = mirroredParts(text.normalize()).flatMap(({ says, shown }) =>
      this.#byFont(shown, weight).map(([run, font]) =>
        font === null ? this.#box(run, weight) : encoded(font, run, says === shown ? null : says, []),
      ),
    )
    return parts.reverse()
  }

  /** Splits text into runs by font; non-letters stay in the previous character's font if it covers them. */
  #byFont(text: string, weight: Weight): [text: string, font: PdfFont | null][] {
    const runs: [string, PdfFont | null][] = []
    for (const character of splitGraphemes(text)) {
      const last = runs.at(-1)
      const before = last?.[1] ?? null
      const stays = before !== null && !letter.test(character) && hasAll(before, character)
      const font = stays ? before : this.#fonts.of(character, weight)
      if (last !== undefined && last[1] === font) last[0] += character
      else runs.push([character, font])
      if (font === null) this.missing.add(character)
    }
    return runs
  }

  /** A box for each character of a text that no font covers, with the text as its actual text. */
  #box(text: string, weight: Weight): Shaped {
    const boxes = missingGlyph.repeat(splitGraphemes(text).length)
    const font = this.#fonts.of(missingGlyph, weight) ?? this.#fonts.of('?', weight)
    if (font === null) throw new Error('the fonts have no sign for a missing letter')
    return encoded(
      font,
      font === this.#fonts.of(missingGlyph, weight) ? boxes : boxes.replaceAll(missingGlyph, '?'),
      text,
    )
  }
}

/**
 * Splits right-to-left text at brackets and the like, which are mirrored there (rule L4): the actual text, and the text
 * to draw.
 */
function mirroredParts(text: string): { says: string; shown: string }[] {
  const parts: { says: string; shown: string }[] = []
  let isOpen = false
  for (const character of text) {
    const mirrored = bidi.getMirroredCharacter(character)
    const last = parts.at(-1)
    if (mirrored === null && isOpen && last !== undefined) {
      last.says += character
      last.shown += character
    } else parts.push({ says: character, shown: mirrored ?? character })
    isOpen = mirrored === null
  }
  return parts
}
