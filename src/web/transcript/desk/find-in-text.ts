import { Signal } from '../../state/signal.ts'
import { Finder, type FindOptions, hitFrom } from '../../word-search/finder.ts'
import type { TranscriptText } from '../model/transcript-text.ts'
import type { ReaderView } from '../view/reader-view.ts'

export type FindState = FindOptions & { query: string; count: number /** -1 where there are none */; current: number }

/** Find in the transcript: what is looked for, what was found, and which hit the reader is at. */
export class FindInText {
  readonly state = new Signal<FindState>({ query: '', count: 0, current: -1, matchCase: false, wholeWord: false })
  readonly #text: TranscriptText
  readonly #view: () => ReaderView | null
  #finder: { table: object; count: number; finder: Finder } | null = null
  #places: Uint32Array = new Uint32Array(0)

  constructor(text: TranscriptText, view: () => ReaderView | null) {
    this.#text = text
    this.#view = view
  }

  get #current(): Finder {
    const { table } = this.#text.state.get()
    if (this.#finder?.table !== table || this.#finder.count !== table.count) {
      this.#finder = { table, count: table.count, finder: new Finder(table) }
    }
    return this.#finder.finder
  }

  /** Makes the first keystroke as quick as the others. */
  prepare(): void {
    this.#current.prepare()
  }

  /** Looks for something else, and shows the first hit from the top of what is in sight. */
  search(change: Partial<FindOptions & { query: string }>): void {
    const wanted = { ...this.state.get(), ...change }
    this.#places = this.#current.find(wanted.query, wanted)
    const view = this.#view()
    const top = view === null ? 0 : this.#text.state.get().table.offsetOf(view.topWord())
    this.#show({ ...wanted, count: this.#places.length, current: hitFrom(this.#places, top) }, true)
  }

  /** Looks again after the text has changed, without moving. */
  again(): void {
    const state = this.state.get()
    if (state.query === '') return
    this.#places = this.#current.find(state.query, state)
    this.#show(
      { ...state, count: this.#places.length, current: Math.min(state.current, this.#places.length - 1) },
      false,
    )
  }

  /** To the next hit, or the one before with -1; from the last to the first. */
  step(by: 1 | -1): void {
    const state = this.state.get()
    if (state.count === 0) return
    this.#show({ ...state, current: (state.current + by + state.count) % state.count }, true)
  }

  clear(): void {
    this.#places = new Uint32Array(0)
    this.state.set({ ...this.state.get(), query: '', count: 0, current: -1 })
    this.#view()?.setHits(null)
  }

  get places(): Uint32Array {
    return this.#places
  }

  #show(state: FindState, scroll: boolean): void {
    this.state.set(state)
    const view = this.#view()
    view?.setHits({ places: this.#places, length: state.query.length, current: state.current })
    if (!scroll || state.current < 0) return
    const word = this.#text.state.get().table.wordAtOffset(this.#places[state.current] ?? 0)
    view?.scrollToWord(word)
  }
}
