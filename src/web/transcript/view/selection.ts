import type { WordSpan } from '../model/word.ts'
import { findTextNode } from './block-element.ts'
import { isHidden, type ShownText } from './shown-text.ts'
import { wordRange } from './word-ranges.ts'

/** The block whose element contains a node, or null. */
export function blockOfNode(node: Node | null): { block: number; element: HTMLElement } | null {
  const element = (node instanceof Element ? node : node?.parentElement)?.closest<HTMLElement>('[data-block]')
  return element == null ? null : { block: Number(element.dataset.block), element }
}

/** Maps a DOM position to an offset in the transcript's text; null if it is outside all blocks. */
function textOffset(shown: ShownText, node: Node | null, offset: number, atEnd: boolean): number | null {
  const found = blockOfNode(node)
  if (found === null) return null
  const first = shown.table.offsetOf(shown.blocks.first(found.block))
  const last = shown.table.textEndOf(shown.blocks.end(found.block) - 1)
  const text = findTextNode(found.element)
  if (node === text) return first + offset
  // Outside the text node: the heading counts as before the text, the end of the element as after it.
  const inText = text?.parentElement
  if (inText != null && (node === inText || inText.contains(node))) return offset === 0 ? first : last
  return atEnd && node === found.element && offset > 1 ? last : first
}

/** A position in the text of a block, in UTF-16 units. */
export type CaretPlace = { block: number; offset: number }

/** The text position nearest to a point of the viewport; null outside all texts. */
export function caretInBlock(x: number, y: number): (CaretPlace & { node: Text }) | null {
  const caret = caretAt(x, y)
  const found = blockOfNode(caret?.node ?? null)
  if (caret === null || found === null || caret.node !== findTextNode(found.element)) return null
  return { block: found.block, offset: caret.offset, node: caret.node as Text }
}

/** The word at a point of the viewport, or null. */
export function wordAtPoint({ table, blocks }: ShownText, x: number, y: number): number | null {
  const caret = caretInBlock(x, y)
  if (caret === null) return null
  const first = blocks.first(caret.block)
  const word = table.wordAtOffset(table.offsetOf(first) + caret.offset)
  // Over the left half of a word's first letter, the caret belongs to the previous word.
  const candidates = [word, word + 1].filter((one) => one < blocks.end(caret.block))
  return candidates.find((one) => isNear(wordRange(table, caret.node, first, one, one + 1), x, y)) ?? null
}

function caretAt(x: number, y: number): { node: Node; offset: number } | null {
  if ('caretPositionFromPoint' in document) {
    const position = document.caretPositionFromPoint(x, y)
    return position === null ? null : { node: position.offsetNode, offset: position.offset }
  }
  // Safari before 26.2 only supports the older name.
  const older = document as unknown as { caretRangeFromPoint?: (x: number, y: number) => Range | null }
  const range = older.caretRangeFromPoint?.(x, y) ?? null
  return range === null ? null : { node: range.startContainer, offset: range.startOffset }
}

/** With a tolerance of a few pixels: a click in the gap between two words selects the nearer one. */
function isNear(range: Range, x: number, y: number): boolean {
  return [...range.getClientRects()].some(
    (rect) => x >= rect.left - 4 && x <= rect.right + 4 && y >= rect.top - 2 && y <= rect.bottom + 2,
  )
}

/** Offset in the text for a selection that ends between two turns, or after the last. */
function offsetBetweenBlocks({ table, blocks }: ShownText, node: Node, offset: number): number {
  const last = node instanceof Element ? blockOfNode(node.children[offset - 1] ?? null) : null
  return table.textEndOf((last === null ? table.count : blocks.end(last.block)) - 1)
}

/** The words that the page's selection covers, up to the first that is not shown; null if there are none. */
export function selectedWords(shown: ShownText): WordSpan | null {
  const span = selectedSpan(shown)
  if (span === null || shown.only === null) return span
  const { blocks } = shown
  let block = blocks.blockOf(span.from)
  while (block < blocks.count && !isHidden(shown, block)) block++
  const to = Math.min(span.to, blocks.first(block))
  return to > span.from ? { from: span.from, to } : null
}

/**
 * The words touched by the page's selection, those between them included that are not shown; null if nothing in the
 * transcript is selected.
 */
export function selectedSpan(shown: ShownText): WordSpan | null {
  const selection = document.getSelection()
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0)
  const begin = textOffset(shown, range.startContainer, range.startOffset, false)
  const end = textOffset(shown, range.endContainer, range.endOffset, true)
  if (begin === null && end === null) return null
  // A drag that starts or ends outside the blocks selects all text on its way.
  const from = begin ?? 0
  const to = end ?? offsetBetweenBlocks(shown, range.endContainer, range.endOffset)
  if (to <= from) return null
  const { table } = shown
  const first = table.wordAtOffset(from)
  // A selection that begins in the space after a word starts with the next one.
  const begins = from >= table.textEndOf(first) ? first + 1 : first
  return { from: begins, to: Math.max(begins, table.wordAtOffset(to - 1)) + 1 }
}

/** The blocks at the two ends of the page's selection. Without their elements, the browser would drop the selection. */
export function blocksAtSelectionEnds(): number[] {
  const selection = document.getSelection()
  if (selection === null || selection.isCollapsed) return []
  const ends = [blockOfNode(selection.anchorNode), blockOfNode(selection.focusNode)]
  return ends.flatMap((end) => (end === null ? [] : [end.block]))
}

/** The words of a span that are shown, as plain text for the clipboard; of several turns, each with its speaker. */
export function textOfSpan(shown: ShownText, { from, to }: WordSpan): string {
  const { table, blocks, names } = shown
  const lines: string[] = []
  let word = from
  while (word < to) {
    const block = blocks.blockOf(word)
    const turn = blocks.turnOf(block)
    const end = Math.min(to, turn.end)
    const name = names[table.speakerOf(turn.from)]
    const single = from >= turn.from && to <= turn.end
    const text = table.slice(word, end)
    if (!isHidden(shown, block)) lines.push(name === undefined || single ? text : `${name}: ${text}`)
    word = end
  }
  return lines.join('\n')
}
