import { Signal } from '../../state/signal.ts'
import type { WordTable } from '../model/word-table.ts'
import type { WordSpan } from '../view/shown-text.ts'
import type { Desk } from './desk.ts'
import { readingSettings } from './reading-settings.ts'

/** How much is played around a doubtful word, before and after it. Seconds. */
const aroundSeconds = 1

/** The next run of doubtful words from a word on (1) or before it (-1), around the end; null where none are left. */
export function nextDoubt(table: WordTable, from: number, by: 1 | -1, below: number): WordSpan | null {
  const isDoubtful = (word: number) => table.confOf(word) < below
  for (let step = 0; step < table.count; step++) {
    const word = (from + by * step + table.count * 2) % table.count
    if (!isDoubtful(word)) continue
    let first = word
    while (first > 0 && isDoubtful(first - 1)) first--
    let end = word + 1
    while (end < table.count && isDoubtful(end)) end++
    return { from: first, to: end }
  }
  return null
}

/** The queue of doubtful words: goes from one to the next and plays the sound around it. */
export class Doubts {
  readonly current = new Signal<WordSpan | null>(null)
  readonly #desk: Desk

  constructor(desk: Desk) {
    this.#desk = desk
  }

  step(by: 1 | -1): void {
    const { table } = this.#desk.text.state.get()
    const { current } = this
    const at = current.get()
    const top = this.#desk.view?.topWord() ?? 0
    const from = at === null ? top : by === 1 ? at.to : at.from - 1
    const next = nextDoubt(table, from, by, readingSettings.get().doubtBelow)
    current.set(next)
    this.#desk.view?.highlightSpan(next)
    if (next === null) return
    this.#desk.view?.scrollToWord(next.from)
    this.play()
  }

  /** Plays a second before and a second after. */
  play(): void {
    const at = this.current.get()
    if (at === null || this.#desk.playback.state.get().status === 'none') return
    const { table } = this.#desk.text.state.get()
    const from = table.startOf(at.from) - aroundSeconds
    this.#desk.playback.playStretch(from, table.endOf(at.to - 1) + aroundSeconds)
  }

  leave(): void {
    this.current.set(null)
    this.#desk.view?.highlightSpan(null)
  }
}
