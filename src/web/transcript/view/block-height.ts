import type { ShownText } from './shown-text.ts'

/** From this width on speakers stand beside the text (the container query in transcript.css). Pixels. */
const wideFrom = 704

/**
 * Height of a block by its letters in a column of this width, in pixels: close enough that the scroll bar hardly changes
 * while measuring.
 */
export function blockHeight({ table, blocks }: ShownText, block: number, width: number): number {
  const letters = table.offsetOf(blocks.end(block)) - table.offsetOf(blocks.first(block))
  const isWide = width >= wideFrom
  const lettersPerLine = isWide ? 66 : Math.max(12, (width - 32) / 8.2)
  const lines = Math.ceil(letters / lettersPerLine)
  const gap = blocks.startsTurn(block + 1) ? 24 : 10
  return isWide ? lines * 29 + gap : lines * 28 + gap + (blocks.startsTurn(block) ? 20 : 0)
}
