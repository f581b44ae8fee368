import { blockOfNode, selectedWords, textOfSpan, wordAtPoint } from './selection.ts'
import type { ShownText, WordSpan } from './shown-text.ts'

type Handlers = {
  shown: () => ShownText | null
  /** a plain click on a word, or Shift-Enter on a turn: play from it */
  onWord: (word: number) => void
  /** a double click, or Enter on a turn: correct it, at this word where one was hit */
  onEdit: (block: number, word: number | null) => void
  /** the reader moves the text himself */
  onScroll: () => void
  /** moves the focus to another block and brings it into sight; null for the first in sight */
  onFocusBlock: (block: number | null) => void
}

const scrollKeys = new Set(['PageUp', 'PageDown', 'Home', 'End'])

/** True while the text is typed in: then keys and clicks are the editor's. */
const isEditing = (target: EventTarget | null) => target instanceof Element && target.closest('.editing') !== null

/** Everything a reader does within the column, by pointer and keys. Returns a function that stops listening. */
export function listenToReader(scroller: HTMLElement, handlers: Handlers): () => void {
  let whole = false
  const stop = new AbortController()
  const on = <Type extends keyof HTMLElementEventMap>(
    type: Type,
    listener: (event: HTMLElementEventMap[Type]) => void,
    passive = false,
  ) => scroller.addEventListener(type, listener, { signal: stop.signal, passive })

  on('click', (event) => {
    const shown = handlers.shown()
    if (shown === null || isEditing(event.target) || event.button !== 0 || event.detail > 1) return
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    if (document.getSelection()?.isCollapsed === false) return
    const word = wordAtPoint(shown, event.clientX, event.clientY)
    if (word !== null) handlers.onWord(word)
  })
  on('dblclick', (event) => {
    const shown = handlers.shown()
    const found = blockOfNode(event.target as Node)
    if (shown === null || found === null || isEditing(event.target)) return
    handlers.onEdit(found.block, wordAtPoint(shown, event.clientX, event.clientY))
  })
  on('wheel', () => handlers.onScroll(), true)
  on('touchmove', () => handlers.onScroll(), true)
  on('pointerdown', (event) => {
    whole = false
    // A press on the scroll bar lands on the scroller itself, right of its content.
    if (event.target === scroller && event.offsetX >= scroller.clientWidth) handlers.onScroll()
  })
  on('copy', (event) => {
    const shown = handlers.shown()
    if (shown === null || isEditing(event.target)) return
    const span: WordSpan | null = whole ? { from: 0, to: shown.table.count } : selectedWords(shown)
    // Within one block the browser copies the very letters; beyond it, also those that are not in the page just now.
    if (span === null || (!whole && shown.blocks.blockOf(span.from) === shown.blocks.blockOf(span.to - 1))) return
    event.preventDefault()
    event.clipboardData?.setData('text/plain', textOfSpan(shown, span))
  })
  on('keydown', (event) => {
    if (isEditing(event.target)) return
    if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      document.getSelection()?.selectAllChildren(scroller)
      whole = true
      return
    }
    if (!event.ctrlKey && !event.metaKey) whole = false
    if (scrollKeys.has(event.key)) handlers.onScroll()
    onBlockKey(event, handlers)
  })
  return () => stop.abort()
}

/** Arrows move between paragraphs, with Ctrl between turns; Enter corrects the focused one, with Shift plays from it. */
function onBlockKey(event: KeyboardEvent, { shown, onWord, onEdit, onFocusBlock, onScroll }: Handlers): void {
  const text = shown()
  if (text === null || event.altKey) return
  const found = event.target instanceof HTMLElement ? blockOfNode(event.target) : null
  if (found === null) {
    if (event.key === 'Enter') onFocusBlock(null)
    return
  }
  const byTurn = event.ctrlKey || event.metaKey
  if (event.key === 'Enter' && !byTurn) {
    event.preventDefault()
    if (event.shiftKey) onWord(text.blocks.first(found.block))
    else onEdit(found.block, null)
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const by = event.key === 'ArrowDown' ? 1 : -1
  let next = found.block + by
  while (byTurn && next > 0 && next < text.blocks.count && !text.blocks.startsTurn(next)) next += by
  if (next < 0 || next >= text.blocks.count) return
  event.preventDefault()
  onScroll()
  onFocusBlock(next)
}
