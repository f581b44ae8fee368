import type { ReReview } from '../../../../contract/account/manual-work.ts'
import { Signal } from '../../../base/state/signal.ts'
import type { Blocks } from '../../model/blocks.ts'
import type { WordSpan } from '../../model/word.ts'
import type { WordTable } from '../../model/word-table.ts'

/** A place that the customer wants re-reviewed. Times in seconds of the recording. */
export type Place = { start: number; end: number; text: string; note: string }

/** The API's limit. */
const maxPlaces = 200
/** Longer texts are truncated in the list. UTF-16 units. */
const shownText = 90

/** The place of these words, long enough to be audible even if a word has no length. */
export function toPlace(table: WordTable, { from, to }: WordSpan): Place {
  const start = table.startOf(from)
  const end = Math.max(table.endOf(to - 1), start + 0.1)
  const text = table.slice(from, to).replaceAll(/\s+/g, ' ').trim()
  return { start, end, text: text.length > shownText ? `${text.slice(0, shownText)}…` : text, note: '' }
}

const isSame = (a: Place, b: Place) => a.start < b.end && b.start < a.end

/** Adds a place, in order; if it overlaps existing ones, removes those instead. */
export function toggled(places: readonly Place[], place: Place): readonly Place[] {
  const rest = places.filter((one) => !isSame(one, place))
  if (rest.length < places.length || places.length >= maxPlaces) return rest
  return [...places, place].toSorted((a, b) => a.start - b.start)
}

/** The words of places, split by block, as marks cannot span blocks. */
export function findSpans(places: readonly Place[], table: WordTable, blocks: Blocks): WordSpan[] {
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

/** The request body. */
export function makeBody(places: readonly Place[]): ReReview {
  return { places: places.map(({ start, end, note }) => ({ start, end, note: note.trim() })) }
}

/** The places marked in one open transcript. */
export class Places {
  readonly list = new Signal<readonly Place[]>([])
  /** the bar for marking is open */
  readonly marking = new Signal(false)

  static readonly #ofTexts = new WeakMap<object, Places>()

  /** The places of an open transcript, shared by the panel and the bar below the text. @param desk its desk */
  static of(desk: object): Places {
    const places = Places.#ofTexts.get(desk) ?? new Places()
    Places.#ofTexts.set(desk, places)
    return places
  }

  /** Marks or unmarks a place. @returns whether it is marked now */
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
