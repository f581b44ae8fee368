import { Finder, type FindOptions, hitFrom } from '../../../text/finder.ts'
import { Signal } from '../../base/state/signal.ts'
import type { TranscriptText } from '../model/transcript-text.ts'
import type { ReaderView } from '../view/reader-view.ts'

export type FindState = FindOptions & {
  query: string
  /** number of matches */
  count: number
  /** index of the current match, -1 if there is none */
  current: number
}

/** Find in the transcript: the query, its matches and the current one. */
export class FindInText {
  readonly state = new Signal<FindState>({ query: '', count: 0, current: -1, matchCase: false, wholeWord: false })
  readonly #text: TranscriptText
  readonly #view: () => ReaderView | null
  #cached: { table: object; count: number; finder: Finder } | null = null
  #places: Uint32Array = new Uint32Array(0)

  constructor(text: TranscriptText, view: () => ReaderView | null) {
    this.#text = text
    this.#view = view
  }

  get #finderOfText(): Finder {
    const { table } = this.#text.state.get()
    if (this.#cached?.table !== table || this.#cached.count !== table.count) {
      this.#cached = { table, count: table.count, finder: new Finder(table) }
    }
    return this.#cached.finder
  }

  /** Case-folds the text in advance, so that the first keystroke is as fast as the others. */
  prepare(): void {
    this.#finderOfText.prepare()
  }

  /** Changes the query or its options and goes to the first match after the reading position. */
  search(change: Partial<FindOptions & { query: string }>): void {
    const wanted = { ...this.state.get(), ...change }
    this.#places = this.#finderOfText.find(wanted.query, wanted)
    const view = this.#view()
    const top = view === null ? 0 : this.#text.state.get().table.offsetOf(view.topWord())
    this.#show({ ...wanted, count: this.#places.length, current: hitFrom(this.#places, top) }, true)
  }

  /** Searches again after the text has changed, without scrolling. */
  refresh(): void {
    const state = this.state.get()
    if (state.query === '') return
    this.#places = this.#finderOfText.find(state.query, state)
    this.#show(
      { ...state, count: this.#places.length, current: Math.min(state.current, this.#places.length - 1) },
      false,
    )
  }

  /** Goes to the next match (1) or the previous one (-1), wrapping around. */
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
