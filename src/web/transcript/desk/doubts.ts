import { Signal } from '../../base/state/signal.ts'
import { carrySpan } from '../edit/current-range.ts'
import { nextDoubt } from '../model/doubtful-words.ts'
import type { WordSpan } from '../model/word.ts'
import type { Desk } from './desk.ts'

/** Playback before and after a doubtful word. Seconds. */
const contextSeconds = 1

/** Steps through the doubtful words and plays the sound around each. */
export class Doubts {
  readonly current = new Signal<WordSpan | null>(null)
  readonly #desk: Desk

  constructor(desk: Desk) {
    this.#desk = desk
    let { table } = desk.text.state.get()
    desk.text.state.subscribe(() => {
      const before = table
      table = desk.text.state.get().table
      const at = this.current.get()
      if (at !== null && table !== before) this.current.set(carrySpan(before, table, at))
    })
  }

  /** Goes to the next doubtful words (1) or the previous ones (-1). */
  step(by: 1 | -1): void {
    const at = this.current.get()
    const top = this.#desk.view?.topWord() ?? 0
    this.stepFrom(at === null ? top : by === 1 ? at.to : at.from - 1, by)
  }

  /** Goes to the next doubtful words from this word. */
  stepFrom(word: number, by: 1 | -1 = 1): void {
    const { table } = this.#desk.text.state.get()
    const next = nextDoubt(table, word, by, this.#desk.doubtBelow)
    this.current.set(next)
    this.#desk.view?.highlightSpan(next)
    if (next === null) return
    this.#desk.view?.scrollToWord(next.from)
    this.play()
  }

  /** Plays the words with a second of context on each side. */
  play(): void {
    const at = this.current.get()
    if (at === null || this.#desk.playback.state.get().status === 'none') return
    const { table } = this.#desk.text.state.get()
    const from = table.startOf(at.from) - contextSeconds
    this.#desk.playback.playStretch(from, table.endOf(at.to - 1) + contextSeconds)
  }

  leave(): void {
    this.current.set(null)
    this.#desk.view?.highlightSpan(null)
  }
}
