import { readChord } from '../../base/ui/shortcut-key.ts'
import { wordsOfText } from '../edit/changes.ts'
import { findTextNode } from './block-element.ts'
import type { ReaderView } from './reader-view.ts'

/** A block being edited, with the indexes of its words when editing began. */
export type Editing = {
  block: number
  from: number
  to: number
  /** returns the text typed elsewhere than in the block; only of these words */
  typed?: () => string
}

/** A range of a block's text. */
type Place = { from: number; to: number }

type Handlers = {
  /** save the typed text */
  onDone: (editing: Editing, text: string) => void
  onCancel: (editing: Editing) => void
  /** go to the next block (1) or the previous one (-1); the typed text has been saved */
  onMove: (editing: Editing, by: 1 | -1) => void
  /** save the typed text and start a new turn at this word of it */
  onSplit: (editing: Editing, text: string, wordInBlock: number) => void
  /** save the typed text and merge its turn into the previous one */
  onMerge: (editing: Editing, text: string) => void
  /** a key ended editing: focus the block. `isSaved`: it was Enter */
  onLeft: (editing: Editing, isSaved: boolean) => void
  /** the focus may be elsewhere without ending editing */
  isHeld: () => boolean
  /** focus the toolbar of the turn */
  onTools: () => void
}

type EditorKey = { keys: readonly string[]; does: string; act: (editor: BlockEditor) => unknown }

/** True for elements that can take the focus without ending editing. */
function isEditTool(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-edit-tools], [role="menu"]') !== null
}

/**
 * A new element for the text of a block. A screen reader knows the old one as a paragraph and would not notice that it
 * has become a field: Orca then takes typed letters as its commands.
 */
function fieldInPlaceOf(text: HTMLElement, block: HTMLElement): HTMLElement {
  const field = text.cloneNode() as HTMLElement
  field.append(...text.childNodes)
  const label = block.ariaLabelledByElements
  text.replaceWith(field)
  block.ariaLabelledByElements = label?.map((part) => (part === text ? field : part)) ?? null
  return field
}

/**
 * Edits one block in place: the paragraph itself is contenteditable, so that a keystroke costs no more than in a plain
 * field. Nothing else is computed until the text is saved.
 */
export class BlockEditor {
  readonly editing: Editing
  readonly #view: ReaderView
  readonly #element: HTMLElement
  readonly #field: HTMLElement
  readonly #handlers: Handlers
  readonly #before: string
  readonly #stop = new AbortController()
  #caretAtBlur = 0

  /**
   * @param place initial selection, in UTF-16 units of the block's text; a caret if both are the same
   * @param lang language for the browser's spell checker
   */
  constructor(view: ReaderView, block: number, place: Place, lang: string, handlers: Handlers) {
    const { blocks } = view.shown
    const element = view.elementOf(block)
    const text = element?.querySelector<HTMLElement>('.block-text')
    if (element === null || text == null) throw new Error(`Block ${block} is not in the page.`)
    this.editing = { block, from: blocks.first(block), to: blocks.end(block) }
    this.#view = view
    this.#element = element
    this.#field = fieldInPlaceOf(text, element)
    this.#handlers = handlers
    this.#before = this.#field.textContent
    view.restore(block)
    this.#begin(place, lang)
  }

  #begin(place: Place, lang: string): void {
    const field = this.#field
    this.#element.classList.add('editing')
    field.contentEditable = 'plaintext-only'
    field.role = 'textbox'
    field.ariaMultiLine = 'true'
    field.ariaLabel = 'Text of this turn'
    field.spellcheck = true
    field.lang = lang
    const signal = this.#stop.signal
    field.addEventListener('input', () => this.#view.remeasure(this.editing.block), { signal })
    field.addEventListener('keydown', (event) => this.#onKey(event), { signal })
    const onBlur = ({ relatedTarget }: FocusEvent) => {
      this.#caretAtBlur = this.caret
      if (!isEditTool(relatedTarget) && !this.#handlers.isHeld()) this.finish()
    }
    field.addEventListener('blur', onBlur, { signal })
    this.focus()
    this.#select(place)
    this.#keepUntilUsed(place)
  }

  #select({ from, to }: Place): void {
    const node = findTextNode(this.#element)
    if (node === null) return
    const within = (offset: number) => Math.min(offset, node.length)
    document.getSelection()?.setBaseAndExtent(node, within(from), node, within(to))
  }

  /**
   * Restores the selection before the first key, unless a click has moved it: WebKit applies its own double-click
   * selection afterwards, and the first letter would replace the whole turn.
   */
  #keepUntilUsed(place: Place): void {
    const used = new AbortController()
    const signal = AbortSignal.any([used.signal, this.#stop.signal])
    const onKey = () => {
      used.abort()
      this.#select(place)
    }
    this.#field.addEventListener('keydown', onKey, { signal, capture: true })
    this.#field.addEventListener('pointerdown', () => used.abort(), { signal })
  }

  /** Focuses the text again, with the caret where it was. */
  focus(): void {
    this.#field.focus({ preventScroll: true })
  }

  /** Ends editing, once. @returns the typed text; null if editing had already ended */
  #end(): string | null {
    if (this.#stop.signal.aborted) return null
    this.#stop.abort()
    this.#element.classList.remove('editing')
    for (const name of ['contenteditable', 'role', 'aria-multiline', 'aria-label', 'lang'])
      this.#field.removeAttribute(name)
    return this.#field.textContent
  }

  /** Ends editing and saves the text. */
  finish(): void {
    const text = this.#end()
    if (text !== null) this.#handlers.onDone(this.editing, text)
  }

  /** Ends editing and restores the text. */
  cancel(): void {
    if (this.#end() === null) return
    this.#field.textContent = this.#before
    this.#view.remeasure(this.editing.block)
    this.#handlers.onCancel(this.editing)
  }

  /** Splits the turn at the caret, unless that is where it starts: then typing goes on. */
  split(): void {
    const at = this.wordsBeforeCaret
    const { from } = this.editing
    const isAtStart = at === 0 && (from === 0 || this.#view.shown.table.endsTurn(from - 1))
    if (isAtStart) this.focus()
    const text = isAtStart ? null : this.#end()
    if (text !== null) this.#handlers.onSplit(this.editing, text, at)
  }

  merge(): void {
    const text = this.#end()
    if (text !== null) this.#handlers.onMerge(this.editing, text)
  }

  /** Offset of the caret in the text, or of the start of the selection; where it was if the focus is elsewhere. */
  get caret(): number {
    const selection = document.getSelection()
    const at = selection?.rangeCount ? selection.getRangeAt(0) : null
    if (at === null || !this.#field.contains(at.startContainer)) return this.#caretAtBlur
    const range = document.createRange()
    range.selectNodeContents(this.#field)
    range.setEnd(at.startContainer, at.startOffset)
    return range.toString().length
  }

  /** Number of words before the caret, including one it is in. */
  get wordsBeforeCaret(): number {
    return wordsOfText(this.#field.textContent.slice(0, this.caret)).length
  }

  /** Deletes the word at the caret, so that the browser's own undo can restore it. */
  #deleteWord(): void {
    this.#field.normalize()
    const text = this.#field.textContent
    const { caret } = this
    const from = text.slice(0, caret).search(/\S*$/u)
    const to = caret + text.slice(caret).search(/\s|$/u)
    const isLast = to === text.length
    this.#select({ from: isLast ? Math.max(0, from - 1) : from, to: isLast ? to : to + 1 })
    document.execCommand('delete')
  }

  /** Ends editing as Enter does, or Escape: with the focus, and what follows. */
  leave(isSaved: boolean): void {
    if (isSaved) this.finish()
    else this.cancel()
    this.#handlers.onLeft(this.editing, isSaved)
  }

  #move(by: 1 | -1): void {
    this.finish()
    this.#handlers.onMove(this.editing, by)
  }

  /** The editor's own keys. `act` returns false to leave the key to the browser. */
  static readonly keys: readonly EditorKey[] = [
    { keys: ['Enter', 'Shift+Enter', 'Alt+Enter'], does: 'Save', act: (editor) => editor.leave(true) },
    { keys: ['Escape'], does: 'Cancel', act: (editor) => editor.leave(false) },
    { keys: ['Tab'], does: 'Save, next turn', act: (editor) => editor.#move(1) },
    { keys: ['Shift+Tab'], does: 'Save, previous turn', act: (editor) => editor.#move(-1) },
    { keys: ['Ctrl+Enter'], does: 'Split the turn here; at its end: new turn', act: (editor) => editor.split() },
    { keys: ['Ctrl+Backspace'], does: 'At the start: merge up', act: (editor) => editor.caret === 0 && editor.merge() },
    { keys: ['Alt+Delete'], does: 'Delete the word', act: (editor) => editor.#deleteWord() },
    { keys: ['F6'], does: 'Toolbar', act: (editor) => editor.#handlers.onTools() },
  ]

  #onKey(event: KeyboardEvent): void {
    const chord = event.isComposing ? '' : readChord(event)
    const found = BlockEditor.keys.find(({ keys }) => keys.includes(chord))
    if (found === undefined || found.act(this) === false) return
    event.preventDefault()
    event.stopPropagation()
  }
}
