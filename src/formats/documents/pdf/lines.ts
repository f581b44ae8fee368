import bidiFactory from 'bidi-js'
import { rightToLeftLetter } from '../../text-direction.ts'
import type { TextPart } from '../../text-parts.ts'

/** Text of one kind and direction. */
type Piece = { text: string; kind: TextPart['kind']; rightToLeft: boolean }
/** The pieces of a line in visual order, left to right. */
export type Line = readonly Piece[]

const bidi = bidiFactory()
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** A part of the text: its range, and its kind. */
type Span = { start: number; end: number; kind: TextPart['kind'] }

function findSpans(parts: readonly TextPart[]): Span[] {
  let at = 0
  return parts.flatMap(({ text, kind }, index) => {
    const start = at + (index > 0 ? 1 : 0)
    const blank: Span[] = index > 0 ? [{ start: at, end: start, kind: 'said' }] : []
    at = start + text.length
    return [...blank, { start, end: at, kind }]
  })
}

/** Breaks the text of a paragraph into lines: yields the range of each, without blanks in between. */
function* lineRanges(
  text: string,
  spans: readonly Span[],
  room: number,
  width: (text: string) => number,
): Generator<[start: number, end: number]> {
  let [lineStart, lineEnd, used] = [0, 0, 0]
  for (const { start, end, part } of words(text, spans)) {
    const isGlued = start === lineEnd
    const gap = isGlued ? 0 : width(' ')
    const wide = width(part)
    if (lineEnd > lineStart && used + gap + wide > room) {
      yield [lineStart, lineEnd]
      ;[lineStart, used] = [start, 0]
    } else used += gap
    if (used === 0 && wide > room) {
      let at = start
      for (const segment of cutUp(part, room, width)) {
        const one = width(segment)
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

/** Splits a word longer than a line: after hyphens if that suffices, else between characters. */
function cutUp(word: string, room: number, width: (text: string) => number): string[] {
  const parts = word.split(/(?<=[-–])/u)
  if (parts.every((part) => width(part) <= room)) return parts
  return [...graphemes.segment(word)].map(({ segment }) => segment)
}

/** Ideographs and kana may break anywhere between each other; everything else at blanks. */
const wordOrIdeograph =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^ \p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu

function* words(text: string, spans: readonly Span[]): Generator<{ start: number; end: number; part: string }> {
  for (const { start, end } of spans) {
    for (const match of text.slice(start, end).matchAll(wordOrIdeograph)) {
      const at = start + match.index
      yield { start: at, end: at + match[0].length, part: match[0] }
    }
  }
}

/** Splits a range at changes of kind or level, in logical order. */
function logicalPieces(range: [number, number], spans: readonly Span[], levels: Uint8Array | null, text: string) {
  const pieces: (Piece & { level: number })[] = []
  for (const { start, end, kind } of spans) {
    let at = Math.max(start, range[0])
    const stop = Math.min(end, range[1])
    while (at < stop) {
      const level = levels?.[at] ?? 0
      let next = at + 1
      while (next < stop && (levels?.[next] ?? 0) === level) next++
      const rightToLeft = level % 2 === 1
      pieces.push({ text: text.slice(at, next), kind, rightToLeft, level })
      at = next
    }
  }
  return pieces
}

/** Rule L2 of the Unicode bidirectional algorithm (UAX #9) on whole pieces: reverses from the highest level down. */
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

/** A text to set: its parts are joined by blanks, and `rightToLeft` is the base direction. */
export type SetText = { parts: readonly TextPart[]; rightToLeft: boolean }

/** Breaks a text into lines of a given width, each with its pieces from left to right. */
export function* textLines(
  { parts, rightToLeft }: SetText,
  room: number,
  width: (word: string) => number,
): Generator<Line> {
  const text = parts.map((part) => part.text).join(' ')
  const spans = findSpans(parts)
  const isMixed = rightToLeft || rightToLeftLetter.test(text)
  const levels = isMixed ? bidi.getEmbeddingLevels(text, rightToLeft ? 'rtl' : 'ltr').levels : null
  for (const range of lineRanges(text, spans, room, width)) {
    yield visualOrder(logicalPieces(range, spans, levels, text))
  }
}
