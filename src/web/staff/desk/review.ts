import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import type { ReworkPlace } from '../../../contract/work/parts.ts'
import { differentPlaces } from '../../../text/correction-set.ts'
import type { HeldPart } from '../../base/api/work.ts'
import { Signal } from '../../base/state/signal.ts'
import { later } from '../../base/ui/later.tsx'
import type { OpenDesk } from '../../transcript/desk/open-desk.ts'
import { currentRange } from '../../transcript/edit/current-range.ts'
import type { WordSpan } from '../../transcript/model/word.ts'
import { blockOfNode, selectedWords } from '../../transcript/view/selection.ts'
import { KeptInTab } from './kept-in-tab.ts'
import { WordHighlight } from './word-highlight.ts'

/** Words that differ from the text before the step before. */
export type Change = { span: WordSpan; earlier: string; now: string }

const comparing = later(() => import('../../transcript/versions/compare-versions.ts'))

/** Time after a change of the text until it is compared again. Milliseconds. */
const compareAfterMs = 200

/** What the step before and this one changed, highlighted in the text. */
export class ChangesBefore {
  readonly list = new Signal<readonly Change[]>([])
  readonly #open: OpenDesk
  readonly #before: CorrectionSet | null
  readonly #highlight: WordHighlight
  #timer = 0
  #at = -1

  /** @param before corrections before the step before; null: nothing is compared */
  constructor(open: OpenDesk, before: CorrectionSet | null) {
    this.#open = open
    this.#before = before
    this.#highlight = new WordHighlight('changed-before', open.desk)
  }

  /** Follows the text. Returns a function that stops. */
  start(): () => void {
    if (this.#before === null) return () => undefined
    const later = () => {
      window.clearTimeout(this.#timer)
      this.#timer = window.setTimeout(() => void this.#compare(), compareAfterMs)
    }
    const stops = [this.#highlight.start(), this.#open.desk.text.state.subscribe(later)]
    return () => {
      window.clearTimeout(this.#timer)
      for (const stop of stops) stop()
    }
  }

  async #compare(): Promise<void> {
    const { compareVersions, isOnlySurer } = await comparing.load()
    const { corrections, desk } = this.#open
    const [now, { base }] = [corrections.current(), corrections]
    if (this.#before === null || now === null || base === null) return
    const { table } = desk.text.state.get()
    const places = differentPlaces(this.#before, now)
    const { differences } = compareVersions(base.table, this.#before, now)
    const before = this.#before
    const list = places.flatMap((place, index) => {
      const { earlier = '', now: text = '' } = differences[index] ?? {}
      // Among hundreds of doubts that are right the changes could not be found.
      if (isOnlySurer(base.table, before, now, place)) return []
      return [{ span: currentRange(table, place, base.table.count), earlier, now: text }]
    })
    this.list.set(list)
    this.#highlight.show(list.map(({ span }) => span))
  }

  /** Goes to the next change (1) or the previous one (-1). */
  step(by: 1 | -1): void {
    const { length } = this.list.get()
    if (length > 0) this.goTo((this.#at + by + length + (this.#at === -1 && by === -1 ? 1 : 0)) % length)
  }

  goTo(index: number): void {
    const change = this.list.get()[index]
    if (change === undefined) return
    this.#at = index
    goToWords(this.#open, change.span)
  }
}

/** Scrolls to words and focuses their turn. */
function goToWords({ desk: { view, text } }: OpenDesk, { from, to }: WordSpan): void {
  const { table, blocks } = text.state.get()
  if (view === null || table.count === 0) return
  const word = Math.min(from, table.count - 1)
  view.scrollToWord(word)
  view.highlightSpan({ from: word, to: Math.max(to, word + 1) })
  view.elementOf(blocks.blockOf(word))?.focus({ preventScroll: true })
}

/** Words marked by a reviewer for a part that is sent back, or by the one before who sent it back. */
export class ReworkPlaces {
  readonly list: Signal<readonly ReworkPlace[]>
  readonly #open: OpenDesk
  readonly #start: number
  readonly #kept: KeptInTab
  readonly #highlight: WordHighlight

  /** @param given the places of the rework @param start second of the recording at which the desk's sound begins */
  constructor(open: OpenDesk, held: HeldPart, { given, start }: { given: readonly ReworkPlace[]; start: number }) {
    this.#open = open
    this.#start = start
    this.#kept = new KeptInTab('places', held)
    this.#highlight = new WordHighlight('to-rework', open.desk)
    const kept = this.#kept.lines.map((line): ReworkPlace => JSON.parse(line))
    this.list = new Signal<readonly ReworkPlace[]>([...given, ...kept])
  }

  start(): () => void {
    const show = () => this.#highlight.show(this.list.get().map((place) => this.#wordsOf(place)))
    const stops = [this.#highlight.start(), this.list.subscribe(show), this.#open.desk.text.state.subscribe(show)]
    show()
    return () => {
      for (const stop of stops) stop()
    }
  }

  #wordsOf({ start, end }: ReworkPlace): WordSpan {
    const { table } = this.#open.desk.text.state.get()
    const isBefore = (word: number, seconds: number) => table.startOf(word) + this.#start < seconds - 0.0005
    let from = 0
    while (from < table.count && isBefore(from, start)) from++
    let to = from
    while (to < table.count && isBefore(to, end)) to++
    return { from, to }
  }

  goTo(place: ReworkPlace): void {
    goToWords(this.#open, this.#wordsOf(place))
  }

  /** Marks the selected words, else the doubt at hand, else the focused turn. */
  mark(): void {
    const { desk } = this.#open
    const { table, blocks } = desk.text.state.get()
    const block = blockOfNode(document.activeElement)?.block
    const turn = block === undefined ? null : { from: blocks.first(block), to: blocks.end(block) }
    const words = (desk.view && selectedWords(desk.view.shown)) ?? desk.doubt.get() ?? turn
    if (words === null) return
    const seconds = (at: number) => Math.round((at + this.#start) * 1_000) / 1_000
    const [start, end] = [seconds(table.startOf(words.from)), seconds(table.endOf(words.to - 1))]
    this.#set([...this.list.get(), { start, end, text: table.slice(words.from, words.to).slice(0, 200) }])
    document.getSelection()?.removeAllRanges()
  }

  remove(place: ReworkPlace): void {
    this.#set(this.list.get().filter((one) => one !== place))
  }

  #set(list: readonly ReworkPlace[]): void {
    this.#kept.set(list.map((place) => JSON.stringify(place)))
    this.list.set(list)
  }
}
