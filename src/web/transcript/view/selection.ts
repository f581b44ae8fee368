import { textNodeOf } from './block-element.ts'
import type { ShownText, WordSpan } from './shown-text.ts'

/** The block whose element holds a node, or null. */
export function blockOfNode(node: Node | null): { block: number; element: HTMLElement } | null {
  const element = (node instanceof Element ? node : node?.parentElement)?.closest<HTMLElement>('[data-block]')
  return element == null ? null : { block: Number(element.dataset.block), element }
}

/** A place in the page as a place in the transcript's text, or null where it is not within the text. */
function textOffset(shown: ShownText, node: Node | null, offset: number, atEnd: boolean): number | null {
  const found = blockOfNode(node)
  if (found === null) return null
  const first = shown.table.offsetOf(shown.blocks.first(found.block))
  const last = shown.table.textEndOf(shown.blocks.end(found.block) - 1)
  const text = textNodeOf(found.element)
  if (node === text) return first + offset
  // Beside the text: the heading stands before it, the end of the element after it.
  const inText = text?.parentElement
  if (inText != null && (node === inText || inText.contains(node))) return offset === 0 ? first : last
  return atEnd && node === found.element && offset > 1 ? last : first
}

/** The word under a point of the window, or null. */
export function wordAtPoint(shown: ShownText, x: number, y: number): number | null {
  const place = caretAt(x, y)
  if (place === null) return null
  const found = blockOfNode(place.node)
  if (found === null || place.node !== textNodeOf(found.element)) return null
  const offset = shown.table.offsetOf(shown.blocks.first(found.block)) + place.offset
  const word = shown.table.wordAtOffset(offset)
  return isOver(place.node as Text, shown, found.block, word, x, y)
    ? word
    : nextIfOver(place.node as Text, shown, found.block, word, x, y)
}

function caretAt(x: number, y: number): { node: Node; offset: number } | null {
  if ('caretPositionFromPoint' in document) {
    const position = document.caretPositionFromPoint(x, y)
    return position === null ? null : { node: position.offsetNode, offset: position.offset }
  }
  // Safari before 26.2 knows only the older name.
  const older = document as unknown as { caretRangeFromPoint?: (x: number, y: number) => Range | null }
  const range = older.caretRangeFromPoint?.(x, y) ?? null
  return range === null ? null : { node: range.startContainer, offset: range.startOffset }
}

function isOver(node: Text, shown: ShownText, block: number, word: number, x: number, y: number): boolean {
  const begin = shown.table.offsetOf(shown.blocks.first(block))
  const range = document.createRange()
  range.setStart(node, Math.min(node.length, shown.table.offsetOf(word) - begin))
  range.setEnd(node, Math.min(node.length, shown.table.textEndOf(word) - begin))
  // A few pixels of grace: the gap between two words belongs to the nearer one.
  return [...range.getClientRects()].some(
    (rect) => x >= rect.left - 4 && x <= rect.right + 4 && y >= rect.top - 2 && y <= rect.bottom + 2,
  )
}

function nextIfOver(node: Text, shown: ShownText, block: number, word: number, x: number, y: number): number | null {
  const next = word + 1
  return next < shown.blocks.end(block) && isOver(node, shown, block, next, x, y) ? next : null
}

/** Where a selection ends that ends between two turns, or after all of them. */
function besideOffset({ table, blocks }: ShownText, node: Node, offset: number): number {
  const last = node instanceof Element ? blockOfNode(node.children[offset - 1] ?? null) : null
  return table.textEndOf((last === null ? table.count : blocks.end(last.block)) - 1)
}

/** The words that the page's selection touches, or null where nothing of the transcript is selected. */
export function selectedWords(shown: ShownText): WordSpan | null {
  const selection = document.getSelection()
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0)
  const begin = textOffset(shown, range.startContainer, range.startOffset, false)
  const end = textOffset(shown, range.endContainer, range.endOffset, true)
  if (begin === null && end === null) return null
  // A drag that ends beside the text, above or below it, takes all of the text on its way.
  const from = begin ?? 0
  const to = end ?? besideOffset(shown, range.endContainer, range.endOffset)
  if (to <= from) return null
  const { table } = shown
  const first = table.wordAtOffset(from)
  // A selection that begins in the blank after a word begins with the next one.
  const begins = from >= table.textEndOf(first) ? first + 1 : first
  return { from: begins, to: Math.max(begins, table.wordAtOffset(to - 1)) + 1 }
}

/** The blocks at the two ends of the page's selection; they must stay in the page while it lasts. */
export function selectionEnds(): number[] {
  const selection = document.getSelection()
  if (selection === null || selection.isCollapsed) return []
  const ends = [blockOfNode(selection.anchorNode), blockOfNode(selection.focusNode)]
  return ends.flatMap((end) => (end === null ? [] : [end.block]))
}

/** Plain text of a stretch of words as it is copied: whole characters of the selection, turns with their speakers. */
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
    lines.push(name === undefined || single ? text : `${name}: ${text}`)
    word = end
  }
  return lines.join('\n')
}
