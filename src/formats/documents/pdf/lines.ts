import bidiFactory from 'bidi-js'
import type { Paragraph } from '../paragraphs.ts'
import type { Glyphs, Weight } from './glyphs.ts'

/** Text of one weight and direction; the pieces of a line stand in the order of their places, left to right. */
export type Piece = { text: string; weight: Weight; rightToLeft: boolean }
export type Line = { pieces: Piece[] }

const bidi = bidiFactory()
const rightToLeftLetter = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** A part of the paragraph that is not broken: its place in the text, its weight, and its level of direction. */
type Span = { start: number; end: number; weight: Weight }

function spansOf({ runs }: Paragraph): Span[] {
  let start = 0
  return runs.map(({ text, bold }) => {
    const span = { start, end: start + text.length, weight: bold ? ('bold' as const) : ('regular' as const) }
    start = span.end
    return span
  })
}

/** Places where the text of a paragraph is cut into lines: the end of each line, blanks between belong to none. */
function* lineRanges(
  text: string,
  spans: readonly Span[],
  room: number,
  width: (text: string, weight: Weight) => number,
): Generator<[start: number, end: number]> {
  let [lineStart, lineEnd, used] = [0, 0, 0]
  for (const { start, end, part, weight } of words(text, spans)) {
    const isGlued = start === lineEnd
    const gap = isGlued ? 0 : width(' ', weight)
    const wide = width(part, weight)
    if (lineEnd > lineStart && used + gap + wide > room) {
      yield [lineStart, lineEnd]
      ;[lineStart, used] = [start, 0]
    } else used += gap
    if (used === 0 && wide > room) {
      // Longer than a line: cut between characters.
      let at = start
      for (const { segment } of graphemes.segment(part)) {
        const one = width(segment, weight)
        if (used > 0 && used + one > room) {
          yield [lineStart, at]
          ;[lineStart, used] = [at, 0]
        }
        at += segment.length
        used += one
      }
    } else used += wide
    lineEnd = end
  }
  if (lineEnd > lineStart) yield [lineStart, lineEnd]
}

/** Ideographs and kana may be parted from each other anywhere; everything else at blanks. */
const wordOrIdeograph =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^ \p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu

function* words(text: string, spans: readonly Span[]): Generator<Span & { part: string }> {
  for (const { start, end, weight } of spans) {
    for (const match of text.slice(start, end).matchAll(wordOrIdeograph)) {
      const at = start + match.index
      yield { start: at, end: at + match[0].length, weight, part: match[0] }
    }
  }
}

/** A range cut where the weight or the level changes, in the order of the text. */
function logicalPieces(range: [number, number], spans: readonly Span[], levels: Uint8Array | null, text: string) {
  const pieces: (Piece & { level: number })[] = []
  for (const { start, end, weight } of spans) {
    let at = Math.max(start, range[0])
    const stop = Math.min(end, range[1])
    while (at < stop) {
      const level = levels?.[at] ?? 0
      let next = at + 1
      while (next < stop && (levels?.[next] ?? 0) === level) next++
      const rightToLeft = level % 2 === 1
      pieces.push({ text: text.slice(at, next), weight, rightToLeft, level })
      at = next
    }
  }
  return pieces
}

/** Rule L2 of the Unicode bidirectional algorithm (UAX #9) on whole pieces: from the highest level down, turn round. */
function visualOrder<Item extends { level: number }>(items: readonly Item[]): Item[] {
  const order = [...items]
  const highest = Math.max(0, ...items.map(({ level }) => level))
  for (let level = highest; level > 0; level--) {
    for (let start = 0; start < order.length; start++) {
      let end = start
      while ((order[end]?.level ?? -1) >= level) end++
      if (end > start) order.splice(start, end - start, ...order.slice(start, end).reverse())
      start = Math.max(start, end)
    }
  }
  return order
}

/**
 * Text from right to left, cut at brackets and the like, which are mirrored there (rule L4): what it says,
 * and what is drawn for it.
 */
export function mirroredParts(text: string): { text: string; shown: string }[] {
  const parts: { text: string; shown: string }[] = []
  let isOpen = false
  for (const character of text) {
    const mirrored = bidi.getMirroredCharacter(character)
    const last = parts.at(-1)
    if (mirrored === null && isOpen && last !== undefined) {
      last.text += character
      last.shown += character
    } else parts.push({ text: character, shown: mirrored ?? character })
    isOpen = mirrored === null
  }
  return parts
}

/** The lines of a paragraph, set in a width, each with its pieces from left to right. */
export function* paragraphLines(paragraph: Paragraph, room: number, size: number, glyphs: Glyphs): Generator<Line> {
  const text = paragraph.runs.map((run) => run.text).join('')
  const spans = spansOf(paragraph)
  const base = paragraph.rightToLeft ? 'rtl' : 'ltr'
  const isMixed = paragraph.rightToLeft || rightToLeftLetter.test(text)
  const levels = isMixed ? bidi.getEmbeddingLevels(text, base).levels : null
  const width = (part: string, weight: Weight) => glyphs.width(part, weight, size)
  for (const range of lineRanges(text, spans, room, width)) {
    yield { pieces: visualOrder(logicalPieces(range, spans, levels, text)) }
  }
}
