import * as z from 'zod/mini'
import { Finder, lowerBound } from '../model/find.ts'
import type { WordTable } from '../model/word-table.ts'

/** A transcript as it is kept to be found again: what was read and corrected here, with where and when each word stands. */
export type KeptTranscript = {
  name: string
  /** as in WordTable */
  text: string
  offsets: Uint32Array
  starts: Float64Array
  /** the service's number of each word, which links name; of the word before for one that was typed here */
  numbers: Uint32Array
}

/** Words found in a kept transcript, with what stands around them. */
export type KeptHit = {
  file: string
  name: string
  /** the how manieth place of all in this transcript, from 0 */
  place: number
  /** how often it stands in this transcript */
  count: number
  /** words as the service numbers them, `to` exclusive */
  from: number
  to: number
  seconds: number
  before: string
  found: string
  after: string
}

/** What is kept of a table: its own columns are copied, not shared. */
export function keptOf(name: string, table: WordTable): KeptTranscript {
  const numbers = new Uint32Array(table.count)
  let last = 0
  for (let word = 0; word < table.count; word++) {
    const origin = table.origins[word] ?? -1
    if (origin >= 0) last = origin
    numbers[word] = last
  }
  const { count, text } = table
  return { name, text, offsets: table.offsets.slice(0, count + 1), starts: table.starts.slice(0, count), numbers }
}

const packed = z.object({
  format: z.literal(1),
  name: z.string(),
  text: z.string(),
  /** UTF-16 units of each word without its separator */
  lengths: z.array(z.int()),
  /** milliseconds from the word before */
  starts: z.array(z.number()),
  /** from the number of the word before */
  numbers: z.array(z.number()),
})

/** Each value as its distance from the one before: small numbers, which deflate well. */
function steps(values: ArrayLike<number>): number[] {
  return Array.from(values, (value, index) => value - (index === 0 ? 0 : (values[index - 1] ?? 0)))
}

function sums(distances: readonly number[], extra = 0): number[] {
  let sum = 0
  return distances.map((distance) => (sum += distance + extra))
}

async function through(bytes: BufferSource, transform: CompressionStream | DecompressionStream): Promise<ArrayBuffer> {
  return await new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer()
}

/** The bytes that are kept. */
export async function pack({ name, text, offsets, starts, numbers }: KeptTranscript): Promise<Uint8Array<ArrayBuffer>> {
  const lengths = steps(offsets)
    .slice(1)
    .map((length) => length - 1)
  const milliseconds = Float64Array.from(starts, (seconds) => Math.round(seconds * 1_000))
  const whole = { format: 1, name, text, lengths, starts: steps(milliseconds), numbers: steps(numbers) }
  const plain = new TextEncoder().encode(JSON.stringify(whole))
  return new Uint8Array(await through(plain, new CompressionStream('deflate-raw')))
}

/** @throws where the bytes are not of this form */
export async function unpack(bytes: ArrayBuffer): Promise<KeptTranscript> {
  const plain = await through(bytes, new DecompressionStream('deflate-raw'))
  const { name, text, lengths, starts, numbers } = packed.parse(JSON.parse(new TextDecoder().decode(plain)))
  return {
    name,
    text,
    offsets: Uint32Array.from([0, ...sums(lengths, 1)]),
    starts: Float64Array.from(sums(starts), (milliseconds) => milliseconds / 1_000),
    numbers: Uint32Array.from(sums(numbers)),
  }
}

/** How much stands around what was found, on each side. UTF-16 units. */
const around = 48

const onOneLine = (text: string) => text.replaceAll('\n', ' ')

/** Looks words up in one kept transcript, again and again. */
export class KeptReader {
  readonly #file: string
  readonly #kept: KeptTranscript
  readonly #finder: Finder

  constructor(file: string, kept: KeptTranscript) {
    this.#file = file
    this.#kept = kept
    this.#finder = new Finder(kept)
  }

  /** The first places where the words stand, whatever their case. */
  find(query: string, most: number): KeptHit[] {
    const places = this.#finder.find(query, { matchCase: false, wholeWord: false })
    return Array.from(places.subarray(0, most), (at, place) => ({
      ...this.#hit(at, query.length),
      place,
      count: places.length,
    }))
  }

  #hit(at: number, length: number): Omit<KeptHit, 'place' | 'count'> {
    const { name, text, offsets, starts, numbers } = this.#kept
    const first = lowerBound(offsets, at + 1) - 1
    const last = lowerBound(offsets, at + length) - 1
    const from = Math.max(0, at - around)
    const to = Math.min(text.length, at + length + around)
    return {
      file: this.#file,
      name,
      from: numbers[first] ?? 0,
      to: (numbers[last] ?? 0) + 1,
      seconds: starts[first] ?? 0,
      // Cut at words; turns run on.
      before: onOneLine(text.slice(from, at).replace(from === 0 ? /^/ : /^\S*\s/, '')),
      found: text.slice(at, at + length),
      after: onOneLine(text.slice(at + length, to).replace(/\s\S*$/, '')),
    }
  }
}
