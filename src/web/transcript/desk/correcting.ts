import type { Signal } from '../../state/signal.ts'
import { BlockEditor, type Editing } from '../edit/block-editor.ts'
import { changeOfText, changeOfWords, changeToWords, mergeWithPrevious, splitBefore } from '../edit/changes.ts'
import type { Corrections } from '../edit/corrections.ts'
import type { Corrected, Operation, WordChange } from '../edit/operation.ts'
import type { Desk } from './desk.ts'

/** What a person does to the text, turned into steps that are saved and can be undone. */
export class Correcting {
  /** the block being typed in */
  readonly editing: Signal<Editing | null>
  readonly #desk: Desk
  readonly #corrections: Corrections
  readonly #toTools: () => void
  #editor: BlockEditor | null = null

  /** @param toTools moves the focus to the buttons for the turn being typed in */
  constructor(desk: Desk, corrections: Corrections, editing: Signal<Editing | null>, toTools: () => void) {
    this.#desk = desk
    this.#corrections = corrections
    this.editing = editing
    this.#toTools = toTools
  }

  /** False until the whole text is in: a correction needs the word it is made on. */
  get ready(): boolean {
    return this.#corrections.base !== null
  }

  /** Begins to type in a block, at a word where one is given. */
  begin(block: number, word: number | null): void {
    const view = this.#desk.view
    if (view === null || !this.ready) return
    this.#editor?.finish()
    view.focusBlock(block)
    const { table, blocks } = view.shown
    const first = table.offsetOf(blocks.first(block))
    const caret = word === null ? 0 : Math.max(0, table.offsetOf(word) - first)
    this.#editor = new BlockEditor(view, block, caret, {
      onDone: (editing, text) => this.#typed(editing, text),
      onCancel: () => this.#ended(),
      onMove: (editing, by) => this.#move(editing, by),
      onSplit: (editing, text, at) => this.#split(editing, text, at),
      onMerge: (editing, text) => this.#merge(editing, text),
      onLeft: ({ from }) => this.#focusTurn(from),
      onTools: this.#toTools,
    })
    this.editing.set(this.#editor.editing)
  }

  /** Back from the buttons into the text. */
  resume(): void {
    this.#editor?.focus()
  }

  /** The keyboard goes on where the words stand now. */
  #focusTurn(word: number): void {
    const { table, blocks } = this.#desk.text.state.get()
    if (table.count > 0) this.#desk.view?.focusBlock(blocks.blockOf(Math.min(word, table.count - 1)))
  }

  finish(): void {
    this.#editor?.finish()
  }
  cancel(): void {
    this.#editor?.cancel()
  }
  splitAtCaret(): void {
    this.#editor?.split()
  }
  mergeUp(): void {
    this.#editor?.merge()
  }

  #ended(): void {
    this.#editor = null
    this.editing.set(null)
  }

  get #now(): Corrected {
    const { table, names } = this.#desk.text.state.get()
    return { table, names }
  }

  #commit(label: string, changes: readonly (WordChange | null)[], names: Operation['names'] = null): void {
    const real = changes.filter((change) => change !== null)
    if (real.length > 0 || names !== null) void this.#corrections.commit({ label, changes: real, names })
  }

  #typed({ block, from, to }: Editing, text: string): void {
    this.#ended()
    const change = changeOfText(this.#now.table, from, to, text)
    if (change !== null) this.#commit('Typing', [change])
    else this.#desk.view?.restore(block)
  }

  /** To the neighbour; at an end of the text the keyboard stays where it is. */
  #move({ block, from }: Editing, by: 1 | -1): void {
    const next = block + by
    const count = this.#desk.text.state.get().blocks.count
    if (next >= 0 && next < count) this.begin(next, null)
    else this.#focusTurn(from)
  }

  /** Typing and splitting are two steps, so that each can be undone alone. */
  #split(editing: Editing, text: string, at: number): void {
    this.#typed(editing, text)
    this.#commit('Split of a turn', [splitBefore(this.#now.table, editing.from + at)])
    this.#focusTurn(editing.from + at)
  }

  #merge(editing: Editing, text: string): void {
    this.#typed(editing, text)
    const { table } = this.#now
    let end = editing.from
    while (end < table.count && !table.endsTurn(end)) end++
    this.#commit('Merging of turns', [mergeWithPrevious(table, editing.from, Math.min(end + 1, table.count))])
    this.#focusTurn(editing.from)
  }

  /** Gives the turn that holds a word another speaker: one of the names, or a new name. */
  setSpeaker(word: number, name: string): void {
    this.#editor?.finish()
    const { table, names } = this.#now
    const { blocks } = this.#desk.text.state.get()
    if (word >= table.count) return
    const { from, end } = blocks.turnOf(blocks.blockOf(word))
    const known = names.indexOf(name)
    const speaker = known === -1 ? names.length : known
    const after = known === -1 ? { before: names, after: [...names, name] } : null
    this.#commit('Change of speaker', [changeOfWords(table, from, end, () => ({ speaker }))], after)
    this.#focusTurn(from)
  }

  /** Renames a speaker everywhere; to a name that another has already, the two become one. */
  rename(speaker: number, name: string): void {
    const { table, names } = this.#now
    const clean = name.trim().replaceAll(/\s+/g, ' ')
    if (clean === '' || clean === names[speaker]) return
    const other = names.indexOf(clean)
    if (other === -1) {
      const after = names.map((one, index) => (index === speaker ? clean : one))
      this.#commit('Renaming', [], { before: names, after })
      return
    }
    const changes: (WordChange | null)[] = []
    for (let from = 0; from < table.count; ) {
      let to = from + 1
      while (to < table.count && table.speakerOf(to) === table.speakerOf(from)) to++
      if (table.speakerOf(from) === speaker) changes.push(changeOfWords(table, from, to, () => ({ speaker: other })))
      from = to
    }
    this.#commit('Joining of speakers', changes)
  }

  /** A doubtful word is right as it is: from now on it is sure. */
  looksRight(from: number, to: number): void {
    this.#commit('Looks right', [changeOfWords(this.#now.table, from, to, () => ({ conf: 1 }))])
  }

  /**
   * Replaces found places by another text, all as one step.
   * @param places in the table's text, each `length` long, in order
   */
  replace(places: Uint32Array, length: number, by: string): number {
    const { table } = this.#now
    const { blocks } = this.#desk.text.state.get()
    const changes: WordChange[] = []
    for (let hit = 0; hit < places.length; ) {
      const block = blocks.blockOf(table.wordAtOffset(places[hit] ?? 0))
      const from = blocks.first(block)
      const to = blocks.end(block)
      const begin = table.offsetOf(from)
      const text = table.slice(from, to)
      let replaced = ''
      let done = 0
      for (; hit < places.length && (places[hit] ?? 0) < table.offsetOf(to); hit++) {
        replaced += text.slice(done, (places[hit] ?? 0) - begin) + by
        done = (places[hit] ?? 0) - begin + length
      }
      const change = changeOfText(table, from, to, replaced + text.slice(done))
      if (change !== null && (changes.at(-1)?.at ?? -1) + (changes.at(-1)?.removed.length ?? 0) <= change.at)
        changes.push(change)
    }
    this.#commit(places.length === 1 ? 'Replacing' : `Replacing of ${places.length} places`, changes)
    return changes.length
  }

  /** Puts the words of a correction over those that a newer version has in its place. */
  putOver(from: number, to: number, words: readonly { text: string; endsTurn: boolean }[]): Operation | null {
    const change = changeToWords(this.#now.table, from, to, words)
    return change === null ? null : { label: 'Settling a conflict', changes: [change], names: null }
  }
}
