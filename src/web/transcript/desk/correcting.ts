import { hitsBefore } from '../../../text/finder.ts'
import { Signal } from '../../base/state/signal.ts'
import {
  addTurnAfter,
  changeOfText,
  changeOfWords,
  changeToWords,
  emptyTurn,
  mergeWithPrevious,
  splitBefore,
} from '../edit/changes.ts'
import type { Corrections } from '../edit/corrections.ts'
import type { Corrected, Operation, WordChange } from '../edit/operation.ts'
import type { WordSpan } from '../model/word.ts'
import { BlockEditor, type Editing } from '../view/block-editor.ts'
import type { Desk } from './desk.ts'

/** Turns user edits of the text into operations, which are saved and can be undone. */
export class Correcting {
  /** the block being edited */
  readonly editing: Signal<Editing | null>
  /** a word of the turn whose speaker is being named, in a dialog; null: none */
  readonly naming = new Signal<number | null>(null)
  readonly #desk: Desk
  readonly #corrections: Corrections
  readonly #lang: string
  readonly #toTools: () => void
  #editor: BlockEditor | null = null
  #onEntered: (() => void) | null = null
  #isHeld = false
  /** nothing is typed yet in the turn being edited: left so, it goes again */
  #isEmptyTurn = false
  #stopWaiting: (() => void) | null = null

  /**
   * @param lang language for the browser's spell checker (BCP 47)
   * @param toTools moves the focus to the toolbar of the turn being edited
   */
  constructor(
    desk: Desk,
    corrections: Corrections,
    editing: Signal<Editing | null>,
    lang: string,
    toTools: () => void,
  ) {
    this.#desk = desk
    this.#corrections = corrections
    this.editing = editing
    this.#lang = lang
    this.#toTools = toTools
  }

  /** False until the whole text is loaded: nothing can be corrected before that. */
  get ready(): boolean {
    return this.#corrections.base !== null
  }

  /**
   * Starts editing a block. If a word is given, or several of the block, typing replaces them.
   * @param caret caret position if no word is given, in UTF-16 units of the block's text; null: at the start
   * @param onEntered called after Enter has saved the text; by default the block gets the focus
   */
  begin(
    block: number,
    word: number | WordSpan | null,
    caret: number | null = null,
    onEntered: (() => void) | null = null,
  ): void {
    const view = this.#desk.view
    if (view === null) return
    if (!this.ready) this.#beginOnceReady(() => this.begin(block, word, caret, onEntered))
    if (!this.ready || !this.#corrections.mayChange()) return
    this.#editor?.finish()
    // A clicked block is already in view: it must not move under the pointer.
    if ((word === null && caret === null) || view.elementOf(block) === null) view.focusBlock(block)
    const { table, blocks } = view.shown
    const first = table.offsetOf(blocks.first(block))
    const { from, to } = typeof word === 'number' ? { from: word, to: word + 1 } : (word ?? { from: -1, to: -1 })
    const place =
      word === null
        ? { from: caret ?? 0, to: caret ?? 0 }
        : { from: table.offsetOf(from) - first, to: table.textEndOf(Math.min(to, blocks.end(block)) - 1) - first }
    this.#onEntered = onEntered
    this.#editor = new BlockEditor(view, block, place, this.#lang, {
      onDone: (editing, text) => this.#saveText(editing, text),
      onCancel: (editing) => {
        if (this.#isEmptyTurn) return this.#saveText(editing, '')
        this.#endEditing()
        view.restore(block)
      },
      onMove: (editing, by) => this.#move(editing, by),
      onSplit: (editing, text, at) => this.#split(editing, text, at),
      onMerge: (editing, text) => this.#merge(editing, text),
      onLeft: ({ from }, isSaved) => {
        if (isSaved && onEntered !== null) onEntered()
        else this.#focusBlockOf(from)
      },
      isHeld: () => this.#isHeld,
      onTools: this.#toTools,
    })
    this.#isEmptyTurn = false
    this.editing.set(this.#editor.editing)
  }

  /** Starts typing in a turn without words: `emptyTurn` is selected, so that typing replaces it. */
  beginEmpty(word: number, onEntered: (() => void) | null = null): void {
    this.begin(this.#blockOf(word), word, null, onEntered)
    this.#isEmptyTurn = this.#editor !== null
  }

  /** What was opened before the whole text is loaded opens then, unless the focus has gone elsewhere. */
  #beginOnceReady(begin: () => void): void {
    const { activeElement } = document
    this.#stopWaiting?.()
    const stop = this.#corrections.state.subscribe(() => {
      if (!this.ready) return
      stop()
      if (document.activeElement === activeElement || activeElement?.isConnected === false) begin()
    })
    this.#stopWaiting = stop
  }

  /** Lets a dialog or another field take the focus without ending editing, until `resume`. */
  hold(): void {
    this.#isHeld = true
  }

  /** Moves the focus from the toolbar or a dialog back to the text. */
  resume(): void {
    this.#isHeld = false
    this.#editor?.focus()
  }

  /** Asks for the name of the speaker of a word's turn. */
  nameSpeaker(word: number): void {
    this.hold()
    this.naming.set(word)
  }

  /** The first word after the caret; null if nothing is being edited. */
  get wordAtCaret(): number | null {
    return this.#editor && this.#editor.editing.from + this.#editor.wordsBeforeCaret
  }

  /** Focuses the block that now contains this word. */
  #focusBlockOf(word: number): void {
    const { table, blocks } = this.#desk.text.state.get()
    if (table.count > 0) this.#desk.view?.focusBlock(blocks.blockOf(Math.min(word, table.count - 1)))
  }

  finish(): void {
    this.#editor?.finish()
  }
  /** Ends typing as Enter does, or Escape. */
  leave(isSaved: boolean): void {
    this.#editor?.leave(isSaved)
  }
  splitAtCaret(): void {
    this.#editor?.split()
  }
  mergeUp(): void {
    this.#editor?.merge()
  }

  #endEditing(): void {
    this.#editor = null
    this.#isEmptyTurn = false
    this.editing.set(null)
  }

  get #current(): Corrected {
    const { table, names } = this.#desk.text.state.get()
    return { table, names }
  }

  /** Saves changes to the current text as one step. @returns false if the text is locked */
  change(label: string, changes: readonly WordChange[]): boolean {
    const { table } = this.#current
    this.#commit(label, changes)
    return this.#current.table !== table
  }

  #commit(label: string, changes: readonly (WordChange | null)[], names: Operation['names'] = null): void {
    const real = changes.filter((change) => change !== null)
    if (real.length > 0 || names !== null) void this.#corrections.commit({ label, changes: real, names })
  }

  #blockOf(word: number): number {
    return this.#desk.text.state.get().blocks.blockOf(word)
  }

  #saveText({ block, from, to }: Editing, text: string): void {
    const typed = this.#isEmptyTurn && text.trim() === emptyTurn ? '' : text
    this.#endEditing()
    const change = changeOfText(this.#current.table, from, to, typed, this.#desk.voiced)
    if (change !== null) this.#commit('Typing', [change])
    else this.#desk.view?.restore(block)
  }

  /** Starts editing the next block; at either end of the text, only focuses the last one. */
  #move({ block, from }: Editing, by: 1 | -1): void {
    const next = block + by
    const count = this.#desk.text.state.get().blocks.count
    if (next >= 0 && next < count) this.begin(next, null)
    else this.#focusBlockOf(from)
  }

  /**
   * Goes on typing in a new turn, which is empty if the caret was at the end of one. Typing and splitting are two steps,
   * so that each can be undone separately. The doubt that was being corrected is not settled by that.
   */
  #split(editing: Editing, text: string, at: number): void {
    const left = this.#desk.text.state.get().table.count - editing.to
    this.#saveText(editing, text)
    const { table } = this.#current
    const word = editing.from + at
    if (word > 0 && word === table.count - left && (left === 0 || table.endsTurn(word - 1))) {
      if (this.change('New turn', [addTurnAfter(table, word - 1, this.#desk.endsAt)])) this.beginEmpty(word)
      return
    }
    this.#commit('Split turn', [splitBefore(table, word)])
    if (word < table.count) this.begin(this.#blockOf(word), null, 0)
  }

  #merge(editing: Editing, text: string): void {
    this.#saveText(editing, text)
    const { table } = this.#current
    let end = editing.from
    while (end < table.count && !table.endsTurn(end)) end++
    this.#commit('Merge turns', [mergeWithPrevious(table, editing.from, Math.min(end + 1, table.count))])
    this.#focusBlockOf(editing.from)
  }

  /** Assigns a word's turn to an existing speaker or a new name. A turn being edited stays so, with its caret. */
  setSpeaker(word: number, name: string): void {
    const [caret, onEntered] = [this.#editor?.caret ?? null, this.#onEntered]
    const wasEmpty = this.#isEmptyTurn
    this.#isHeld = false
    this.#isEmptyTurn = false
    this.#editor?.finish()
    const { table, names } = this.#current
    const { blocks } = this.#desk.text.state.get()
    if (word >= table.count) return
    const { from, end } = blocks.turnOf(blocks.blockOf(word))
    const known = names.indexOf(name)
    const speaker = known === -1 ? names.length : known
    const after = known === -1 ? { before: names, after: [...names, name] } : null
    this.#commit('Change speaker', [changeOfWords(table, from, end, () => ({ speaker }))], after)
    if (caret === null) this.#focusBlockOf(word)
    else if (wasEmpty && table.wordText(word) === emptyTurn) this.beginEmpty(word, onEntered)
    else this.begin(this.#desk.text.state.get().blocks.blockOf(word), null, caret, onEntered)
  }

  /** Renames a speaker everywhere; if another speaker has that name, the two are merged. */
  rename(speaker: number, name: string): void {
    const { table, names } = this.#current
    const clean = name.trim().replaceAll(/\s+/g, ' ')
    if (clean === '' || clean === names[speaker]) return
    const other = names.indexOf(clean)
    if (other === -1) {
      const after = names.map((one, index) => (index === speaker ? clean : one))
      this.#commit('Rename speaker', [], { before: names, after })
      return
    }
    const changes: (WordChange | null)[] = []
    for (let from = 0; from < table.count; ) {
      let to = from + 1
      while (to < table.count && table.speakerOf(to) === table.speakerOf(from)) to++
      if (table.speakerOf(from) === speaker) changes.push(changeOfWords(table, from, to, () => ({ speaker: other })))
      from = to
    }
    this.#commit('Merge speakers', changes)
  }

  /** Confirms doubtful words: sets their confidence to 1. */
  confirmWords(from: number, to: number): void {
    this.#commit('Looks right', [changeOfWords(this.#current.table, from, to, () => ({ conf: 1 }))])
  }

  /**
   * Replaces matches with another text, as a single operation.
   * @param places sorted offsets in the table's text, each `length` UTF-16 units long
   */
  replace(places: Uint32Array, length: number, by: string): void {
    const { table } = this.#current
    const { blocks } = this.#desk.text.state.get()
    const changes: WordChange[] = []
    let changedTo = 0
    for (let hit = 0; hit < places.length; ) {
      const block = blocks.blockOf(table.wordAtOffset(places[hit] ?? 0))
      const [from, to] = [blocks.first(block), blocks.end(block)]
      const nextHit = hitsBefore(places, table.offsetOf(to))
      const inBlock = places.subarray(hit, nextHit).map((place) => place - table.offsetOf(from))
      hit = nextHit
      const change = changeOfText(table, from, to, replaceAt(table.slice(from, to), inBlock, length, by))
      // Emptying a turn also changes the preceding word, which may belong to the last change.
      if (change === null || change.at < changedTo) continue
      changes.push(change)
      changedTo = change.at + change.removed.length
    }
    this.#commit(places.length === 1 ? 'Replace' : `Replace ${places.length} matches`, changes)
  }

  /** The operation that replaces words of a newer version with a correction's words; null if they are the same. */
  replaceWords(from: number, to: number, words: readonly { text: string; endsTurn: boolean }[]): Operation | null {
    const change = changeToWords(this.#current.table, from, to, words, this.#desk.voiced)
    return change === null ? null : { label: 'Resolve conflict', changes: [change], names: null }
  }
}

/** Returns the text with `length` units replaced at each of these sorted offsets. */
function replaceAt(text: string, offsets: Uint32Array, length: number, by: string): string {
  let replaced = ''
  let done = 0
  for (const offset of offsets) {
    replaced += text.slice(done, offset) + by
    done = offset + length
  }
  return replaced + text.slice(done)
}
