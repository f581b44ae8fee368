import type { Signal } from '../../base/state/signal.ts'
import { carrySpan } from '../edit/current-range.ts'
import { nextDoubt } from '../model/doubtful-words.ts'
import type { WordSpan } from '../model/word.ts'
import type { Correcting } from './correcting.ts'
import type { Desk } from './desk.ts'

/** Playback before and after a doubtful word. Seconds. */
const contextSeconds = 1

/** Steps through the doubtful words, plays the sound around each, and confirms or corrects them. */
export class Doubts {
  readonly #desk: Desk
  readonly #correcting: Correcting

  constructor(desk: Desk, correcting: Correcting) {
    this.#desk = desk
    this.#correcting = correcting
    let { table } = desk.text.state.get()
    desk.text.state.subscribe(() => {
      const before = table
      table = desk.text.state.get().table
      const at = this.current.get()
      if (at !== null && table !== before) this.#carry(carrySpan(before, table, at))
    })
  }

  /** The doubtful words at hand; null: none. */
  get current(): Signal<WordSpan | null> {
    return this.#desk.doubt
  }

  /** Keeps the doubt at hand after a change of the text, unless it is none any more. */
  #carry(now: WordSpan | null): void {
    const { table } = this.#desk.text.state.get()
    const isLeft = now !== null && nextDoubt(table, now.from, 1, this.#desk.doubtBelow)
    if (isLeft && isLeft.from < now.to && isLeft.to > now.from) this.current.set(now)
    else this.leave()
  }

  /** Goes to the next doubtful words (1) or the previous ones (-1). */
  step(by: 1 | -1): void {
    const at = this.current.get()
    this.stepFrom(at === null ? (this.#desk.view?.wordAtHand() ?? 0) : by === 1 ? at.to : at.from - 1, by)
  }

  /** Goes to the next doubtful words from this word. */
  stepFrom(word: number, by: 1 | -1 = 1): void {
    const { table } = this.#desk.text.state.get()
    const next = nextDoubt(table, word, by, this.#desk.doubtBelow)
    this.current.set(next)
    this.#desk.view?.highlightSpan(next)
    if (next !== null) this.#desk.view?.scrollToWord(next.from)
    this.#focus(next?.from ?? word)
    this.play()
  }

  /** Moves the focus along, so that the text's keys act here; not out of a dialog or a field. */
  #focus(word: number): void {
    const { table, blocks } = this.#desk.text.state.get()
    if (table.count === 0 || document.activeElement?.closest('[role="dialog"], input, textarea')) return
    const block = blocks.blockOf(Math.max(0, Math.min(word, table.count - 1)))
    this.#desk.view?.elementOf(block)?.focus({ preventScroll: true })
  }

  /** Confirms the words at hand and goes to the next. */
  confirm(): void {
    const at = this.current.get()
    if (at === null) return
    this.#correcting.confirmWords(at.from, at.to)
    this.stepFrom(at.to)
  }

  /** Edits the words at hand, which are selected. Enter also confirms those that stay, and goes to the next. */
  correct(): void {
    const at = this.current.get()
    if (at === null) return
    const onEntered = () => {
      const left = this.current.get()
      if (left !== null) this.#correcting.confirmWords(left.from, left.to)
      this.stepFrom(left?.to ?? at.from)
    }
    const block = this.#desk.text.state.get().blocks.blockOf(at.from)
    this.#correcting.begin(block, at, null, onEntered)
  }

  /** Ends editing, and edits the next doubtful words (1) or the previous ones (-1). */
  typeAtNext(by: 1 | -1): void {
    const word = this.#correcting.wordAtCaret
    this.#correcting.finish()
    if (word === null || this.current.get() !== null) this.step(by)
    else this.stepFrom(by === 1 ? word : word - 2, by)
    this.correct()
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
