import { Bytes } from './bytes.ts'

/** The end of each run of text (in characters from the start of the document) and its formatting. */
export type FormattedRuns<Kind extends string> = { ends: number[]; kinds: Kind[] }

/** Formatted disk pages and, for their table, the position of each page's first character and of the end. */
export type FormattedPages = { pages: Uint8Array[]; starts: number[] }

const pageBytes = 512

type PageKind = {
  /** bytes per run besides its position: an offset, and for paragraphs a height that readers ignore */
  bytesPerRun: number
  /** formatting as the page stores it; empty for none */
  stored: (properties: Uint8Array) => Uint8Array
}

/** [MS-DOC] 2.9.33 ChpxFkp: the length, then the modifiers. */
const characterPage: PageKind = {
  bytesPerRun: 1,
  stored: (properties) =>
    properties.length === 0 ? properties : new Bytes().u8(properties.length).append(properties).toUint8Array(),
}

/** [MS-DOC] 2.9.175 PapxFkp: half the length, then the style's place and the modifiers, padded to whole words. */
const paragraphPage: PageKind = {
  bytesPerRun: 13,
  stored(properties) {
    const { length } = properties
    const bytes = length % 2 === 1 ? new Bytes().u8((length + 1) / 2) : new Bytes().u8(0, length / 2)
    return bytes.append(properties).toUint8Array()
  },
}

/** One page of 512 bytes: positions, offsets, and at its end the formatting, deduplicated, and the number of runs. */
class Page<Kind extends string> {
  readonly #places: number[]
  readonly #offsets: number[] = []
  readonly #known = new Map<Kind, number>()
  readonly #bytes = new Uint8Array(pageBytes)
  readonly #kind: PageKind
  #free = pageBytes - 1

  constructor(kind: PageKind, start: number) {
    this.#kind = kind
    this.#places = [start]
  }

  /** Adds a run; returns false if the page is full. */
  add(end: number, kind: Kind, properties: Uint8Array): boolean {
    const stored = this.#known.has(kind) ? new Uint8Array() : this.#kind.stored(properties)
    const at = (this.#free - stored.length) & ~1
    const runs = this.#offsets.length + 1
    if ((runs + 1) * 4 + runs * this.#kind.bytesPerRun > at) return false
    if (stored.length > 0) {
      this.#bytes.set(stored, at)
      this.#free = at
      this.#known.set(kind, at / 2)
    }
    this.#places.push(end)
    this.#offsets.push(this.#known.get(kind) ?? 0)
    return true
  }

  toUint8Array(): Uint8Array {
    const runs = this.#offsets.length
    const head = new Bytes().u32(...this.#places)
    for (const [index, offset] of this.#offsets.entries()) {
      head.u8(offset).padTo((runs + 1) * 4 + (index + 1) * this.#kind.bytesPerRun)
    }
    this.#bytes.set(head.toUint8Array())
    this.#bytes[pageBytes - 1] = runs
    return this.#bytes
  }
}

const pageKinds = { characters: characterPage, paragraphs: paragraphPage }

/**
 * The formatting pages of characters, or of paragraphs, with one run per paragraph including its mark. `byteOf`: the
 * position of a character in the stream.
 */
export function formattedPages<Kind extends string>(
  of: keyof typeof pageKinds,
  { ends, kinds }: FormattedRuns<Kind>,
  properties: Record<Kind, Uint8Array>,
  byteOf: (character: number) => number,
): FormattedPages {
  const kind = pageKinds[of]
  const pages: Uint8Array[] = []
  const starts = [byteOf(0)]
  let end = byteOf(0)
  let page = new Page<Kind>(kind, end)
  for (const [index, runKind] of kinds.entries()) {
    const runEnd = byteOf(ends[index] ?? 0)
    if (!page.add(runEnd, runKind, properties[runKind])) {
      pages.push(page.toUint8Array())
      starts.push(end)
      page = new Page<Kind>(kind, end)
      page.add(runEnd, runKind, properties[runKind])
    }
    end = runEnd
  }
  pages.push(page.toUint8Array())
  starts.push(end)
  return { pages, starts }
}
