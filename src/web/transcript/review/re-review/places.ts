import type { ReReview } from '../../../../contract/account/manual-work.ts'
import { Signal } from '../../../base/state/signal.ts'
import type { Blocks } from '../../model/blocks.ts'
import type { WordSpan } from '../../model/word.ts'
import type { WordTable } from '../../model/word-table.ts'

/** A place that its customer wants to have reviewed once more. Times in seconds of the recording. */
export type Place = { start: number; end: number; text: string; note: string }

/** As many as the interface takes. */
const maxPlaces = 200
/** Longer texts are cut in the list. UTF-16 units. */
const shownText = 90

/** A place of these words; whoever listens hears some of it, also where a word has no length. */
export function toPlace(table: WordTable, { from, to }: WordSpan): Place {
  const start = table.startOf(from)
  const end = Math.max(table.endOf(to - 1), start + 0.1)
  const text = table.slice(from, to).replaceAll(/\s+/g, ' ').trim()
  return { start, end, text: text.length > shownText ? `${text.slice(0, shownText)}…` : text, note: '' }
}

const isSame = (a: Place, b: Place) => a.start < b.end && b.start < a.end

/** The places with one more, in order; where some of it is among them already, those are taken away instead. */
export function toggled(places: readonly Place[], place: Place): readonly Place[] {
  const rest = places.filter((one) => !isSame(one, place))
  if (rest.length < places.length || places.length >= maxPlaces) return rest
  return [...places, place].toSorted((a, b) => a.start - b.start)
}

/** The words of places, block by block, as what is marked in the page is marked in one block. */
export function spansOf(places: readonly Place[], table: WordTable, blocks: Blocks): WordSpan[] {
  const spans: WordSpan[] = []
  let word = 0
  for (const { start, end } of places) {
    while (word < table.count && table.endOf(word) <= start) word += 1
    while (word < table.count && table.startOf(word) < end) {
      const from = word
      const last = blocks.end(blocks.blockOf(word))
      while (word < last && table.startOf(word) < end) word += 1
      spans.push({ from, to: word })
    }
  }
  return spans
}

/** The list as it is sent. */
export function bodyOf(places: readonly Place[]): ReReview {
  return { places: places.map(({ start, end, note }) => ({ start, end, note: note.trim() })) }
}

/** What is marked in one open transcript. */
export class Places {
  readonly list = new Signal<readonly Place[]>([])
  /** the bar for marking is open */
  readonly marking = new Signal(false)

  static readonly #ofTexts = new WeakMap<object, Places>()

  /** The places of an open transcript: the panel and the bar below the text share them. @param desk what it is open on */
  static of(desk: object): Places {
    const places = Places.#ofTexts.get(desk) ?? new Places()
    Places.#ofTexts.set(desk, places)
    return places
  }

  /** Marks a place, or takes that back. @returns whether it is marked now */
  toggle(place: Place): boolean {
    this.list.set(toggled(this.list.get(), place))
    return this.list.get().includes(place)
  }

  change(place: Place, change: Partial<Place> | null): void {
    const list = this.list.get()
    const changed = change === null ? [] : [{ ...place, ...change }]
    this.list.set(list.flatMap((one) => (one === place ? changed : [one])))
  }
}
