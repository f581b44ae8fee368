import { shortcutKey } from '../../base/ui/shortcut-key.ts'
import type { WordSpan } from '../model/word.ts'
import { blockOfNode, type CaretPlace, caretInBlock, selectedSpan, textOfSpan, wordAtPoint } from './selection.ts'
import { isHidden, type ShownText } from './shown-text.ts'

export type ReaderHandlers = {
  shown: () => ShownText | null
  /** a plain click in the text, on or next to a word */
  onClick: (at: CaretPlace, word: number | null) => void
  /** Shift-Enter on a block: play from its first word */
  onPlay: (word: number) => void
  /** a double click, or Enter on a block: edit it, with the caret at the word that was hit, if any */
  onEdit: (block: number, word: number | null) => void
  /** a speaker's name is pressed, or the menu key on a turn: open the menu of its speaker */
  onSpeaker: (block: number, anchor: HTMLElement) => void
  /** the reader scrolls, by any means */
  onScroll: () => void
  /** Enter is another's: that of the doubtful word being looked at, in this block or none */
  leavesEnter: (block: number | null) => boolean
  /** focus another block and scroll it into view; null: the first in view */
  onFocusBlock: (block: number | null) => void
}

const scrollKeys = new Set(['PageUp', 'PageDown', 'Home', 'End'])

/** True while a block is being edited: keys and clicks then belong to the editor. */
const isEditing = (target: EventTarget | null) => target instanceof Element && target.closest('.editing') !== null

/** Handles pointer and keyboard events in the reading column. Returns a function that stops listening. */
export function listenToReader(scroller: HTMLElement, handlers: ReaderHandlers): () => void {
  // Ctrl-A selects the whole transcript, although the DOM only holds the blocks in view.
  let isAllSelected = false
  const stop = new AbortController()
  const on = <Type extends keyof HTMLElementEventMap>(
    type: Type,
    listener: (event: HTMLElementEventMap[Type]) => void,
    passive = false,
  ) => scroller.addEventListener(type, listener, { signal: stop.signal, passive })

  on('click', (event) => onClick(event, handlers))
  on('contextmenu', (event) => onContextMenu(event, handlers))
  on('focusin', ({ target }) => tabToName(scroller, target))
  on('dblclick', (event) => onDoubleClick(event, handlers))
  on('wheel', () => handlers.onScroll(), true)
  on('touchmove', () => handlers.onScroll(), true)
  on('pointerdown', (event) => {
    isAllSelected = false
    // A press on the scroll bar targets the scroller itself, to the right of its content.
    if (event.target === scroller && event.offsetX >= scroller.clientWidth) handlers.onScroll()
  })
  on('copy', (event) => onCopy(event, handlers, isAllSelected))
  on('keydown', (event) => {
    if (isEditing(event.target)) return
    const name = nameAt(event.target)
    if (name !== null && /^(Enter| )$/.test(event.key)) {
      event.preventDefault()
      openSpeaker(name, handlers)
      return
    }
    if (shortcutKey(event) === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      document.getSelection()?.selectAllChildren(scroller)
      isAllSelected = true
      return
    }
    if (!event.ctrlKey && !event.metaKey) isAllSelected = false
    if (scrollKeys.has(event.key)) handlers.onScroll()
    onBlockKey(event, handlers)
  })
  return () => stop.abort()
}

/** The button with a speaker's name that is or contains an element. */
const nameAt = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('.block-name') : null

function openSpeaker(anchor: HTMLElement, { onSpeaker }: ReaderHandlers): void {
  const found = blockOfNode(anchor)
  if (found !== null) onSpeaker(found.block, anchor)
}

/** The menu of a turn's speaker: by a right click on the name, or the menu key on the turn. */
function onContextMenu(event: MouseEvent, handlers: ReaderHandlers): void {
  const { target } = event
  const isTurn = event.button !== 2 && target instanceof HTMLElement && target.matches('[data-block]')
  const name = nameAt(target) ?? (isTurn ? (target.querySelector<HTMLElement>('.block-name') ?? target) : null)
  if (name === null || (event.shiftKey && event.button === 2)) return
  event.preventDefault()
  openSpeaker(name, handlers)
}

/** Tab leads from a turn to its speaker's name. */
function tabToName(scroller: HTMLElement, target: EventTarget | null): void {
  for (const name of scroller.querySelectorAll<HTMLElement>('.block-name[tabindex="0"]')) name.tabIndex = -1
  const name = target instanceof Element ? target.closest('[data-block]')?.querySelector('.block-name') : null
  if (name instanceof HTMLElement) name.tabIndex = 0
}

function onClick(event: MouseEvent, handlers: ReaderHandlers): void {
  const { shown, onClick } = handlers
  const text = shown()
  if (text === null || isEditing(event.target) || event.button !== 0 || event.detail > 1) return
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  const name = nameAt(event.target)
  if (name !== null) {
    openSpeaker(name, handlers)
    return
  }
  if (document.getSelection()?.isCollapsed === false) return
  const at = caretInBlock(event.clientX, event.clientY)
  if (at !== null) onClick(at, wordAtPoint(text, event.clientX, event.clientY))
}

function onDoubleClick(event: MouseEvent, { shown, onEdit }: ReaderHandlers): void {
  const text = shown()
  const found = blockOfNode(event.target as Node)
  if (text === null || found === null || isEditing(event.target) || nameAt(event.target) !== null) return
  onEdit(found.block, wordAtPoint(text, event.clientX, event.clientY))
}

function onCopy(event: ClipboardEvent, { shown }: ReaderHandlers, isAllSelected: boolean): void {
  const text = shown()
  if (text === null || isEditing(event.target)) return
  const span: WordSpan | null = isAllSelected ? { from: 0, to: text.table.count } : selectedSpan(text)
  if (span === null) return
  // Within one block the browser copies exactly the selected letters; across blocks, some may not be in the DOM.
  const { blocks } = text
  if (!isAllSelected && blocks.blockOf(span.from) === blocks.blockOf(span.to - 1)) return
  event.preventDefault()
  event.clipboardData?.setData('text/plain', textOfSpan(text, span))
}

/** Arrows move between blocks, with Ctrl between turns; Enter edits the focused block, Shift-Enter plays from it. */
function onBlockKey(event: KeyboardEvent, handlers: ReaderHandlers): void {
  const { shown, onPlay, onEdit, onFocusBlock, onScroll } = handlers
  const text = shown()
  if (text === null || event.altKey) return
  const found = event.target instanceof HTMLElement ? blockOfNode(event.target) : null
  const byTurn = event.ctrlKey || event.metaKey
  if (event.key === 'Enter' && !byTurn && !event.shiftKey && handlers.leavesEnter(found?.block ?? null)) return
  if (found === null) {
    if (event.key === 'Enter') onFocusBlock(null)
    return
  }
  if (event.key === 'Enter' && !byTurn) {
    event.preventDefault()
    if (event.shiftKey) onPlay(text.blocks.first(found.block))
    else onEdit(found.block, null)
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const by = event.key === 'ArrowDown' ? 1 : -1
  let next = found.block + by
  const isPassed = (block: number) => isHidden(text, block) || (byTurn && !text.blocks.startsTurn(block))
  while (next >= 0 && next < text.blocks.count && isPassed(next)) next += by
  if (next < 0 || next >= text.blocks.count) return
  event.preventDefault()
  onScroll()
  onFocusBlock(next)
}
