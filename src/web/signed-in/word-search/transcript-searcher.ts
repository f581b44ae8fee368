import { Finder } from '../../../text/finder.ts'
import { lowerBound } from '../../../text/lower-bound.ts'
import type { StoredTranscript } from './stored-transcript.ts'

/** Words found in a stored transcript, with the text around them. */
export type WordHit = {
  file: string
  name: string
  /** index of this hit among all in this transcript, from 0 */
  index: number
  /** number of hits in this transcript */
  count: number
  /** words by the service's numbers, `to` exclusive */
  from: number
  to: number
  seconds: number
  before: string
  found: string
  after: string
}

/** Text shown on each side of a hit. UTF-16 units. */
const contextLength = 48

const onOneLine = (text: string) => text.replaceAll('\n', ' ')

/** Searches one stored transcript any number of times. */
export class TranscriptSearcher {
  readonly #file: string
  readonly #transcript: StoredTranscript
  readonly #finder: Finder

  constructor(file: string, transcript: StoredTranscript) {
    this.#file = file
    this.#transcript = transcript
    this.#finder = new Finder(transcript)
  }

  /** The first `limit` hits, whatever their case. */
  search(query: string, limit: number): WordHit[] {
    const places = this.#finder.find(query, { matchCase: false, wholeWord: false })
    return Array.from(places.subarray(0, limit), (at, index) => ({
      ...this.#hitAt(at, query.length),
      index,
      count: places.length,
    }))
  }

  #hitAt(at: number, length: number): Omit<WordHit, 'index' | 'count'> {
    const { name, text, offsets, starts, numbers } = this.#transcript
    const first = lowerBound(offsets, at + 1) - 1
    const last = lowerBound(offsets, at + length) - 1
    const from = Math.max(0, at - contextLength)
    const to = Math.min(text.length, at + length + contextLength)
    return {
      file: this.#file,
      name,
      from: numbers[first] ?? 0,
      to: (numbers[last] ?? 0) + 1,
      seconds: starts[first] ?? 0,
      // Cut between words; the context may reach into other turns.
      before: onOneLine(text.slice(from, at).replace(from === 0 ? /^/ : /^\S*\s/, '')),
      found: text.slice(at, at + length),
      after: onOneLine(text.slice(at + length, to).replace(/\s\S*$/, '')),
    }
  }
}
