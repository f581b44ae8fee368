import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import { speakerName, type Transcript } from '../../../text/transcript.ts'
import { refineText } from '../../platform/refine-text.ts'
import { maxPhraseTokens } from './query.ts'

/**
 * The unit of search: what one person says without interruption, or a part of it. A part that is not the end of its
 * turn is followed by the beginning of the next one (only `own` words are its own), so that no phrase is cut.
 */
export type Passage = {
  /** '' if unknown */
  speaker: string
  words: readonly string[]
  own: number
  /** the service's number of each word; for a typed word, that of the one before */
  numbers: readonly number[]
  /** when each word begins, tenths of a second */
  starts: readonly number[]
}

/** The passages of a file that are stored together. */
export type Block = readonly Passage[]

/** A longer turn is cut at the end of a sentence, or at the latest at twice this length. Words. */
const cutFrom = 60
const endsSentence = /[.?!…。？！؟][”"»’)]?$/u
/** Size of a block in the service's words: its boundaries do not move when others are corrected. */
const blockWords = 256
const blockCharacters = 8_000

/** The service's number of each word of a corrected transcript. */
function numberWords(transcript: Transcript, patches: CorrectionSet['patches']): number[] {
  const count = transcript.turns.reduce((sum, { words }) => sum + words.length, 0)
  const numbers: number[] = []
  let next = 0
  for (const { from, to, words } of patches) {
    for (; next < from; next++) numbers.push(next)
    for (let index = 0; index < words.length; index++) numbers.push(Math.max(0, Math.min(from + index, to - 1)))
    next = to
  }
  while (numbers.length < count) numbers.push(next++)
  return numbers
}

/** Words are separated by spaces. */
const withoutSpaces = (word: string) => (/^[!-~]*$/.test(word) ? word : refineText(word).replaceAll(/\s/gu, '\u00a0'))

/** Cuts a transcript. @param patches corrections already applied to it */
export function splitPassages(transcript: Transcript, patches: CorrectionSet['patches'] = []): Passage[] {
  const numbers = numberWords(transcript, patches)
  const passages: Passage[] = []
  let done = 0
  for (const turn of transcript.turns) {
    const speaker = speakerName(transcript, turn) ?? ''
    const words = turn.words.map(({ word }) => withoutSpaces(word))
    const starts = turn.words.map(({ start }) => Math.round(start * 10))
    for (let from = 0; from < words.length; ) {
      const to = endOfPart(words, from)
      const reach = Math.min(words.length, to === words.length ? to : to + maxPhraseTokens - 1)
      passages.push({
        speaker,
        words: words.slice(from, reach),
        own: to - from,
        numbers: numbers.slice(done + from, done + reach),
        starts: starts.slice(from, reach),
      })
      from = to
    }
    done += words.length
  }
  return passages
}

function endOfPart(words: readonly string[], from: number): number {
  if (words.length - from <= cutFrom * 2) return words.length
  for (let to = from + cutFrom; to < from + cutFrom * 2; to++) {
    if (endsSentence.test(words[to - 1] ?? '')) return to
  }
  return from + cutFrom * 2
}

/** Groups passages into blocks; there is always one. */
export function groupBlocks(passages: readonly Passage[]): Block[] {
  const blocks: Passage[][] = [[]]
  let place = 0
  let characters = 0
  for (const passage of passages) {
    const next = Math.floor((passage.numbers[0] ?? 0) / blockWords)
    characters += passage.words.reduce((sum, word) => sum + word.length, 0)
    if (next !== place || characters > blockCharacters) {
      if (blocks.at(-1)?.length !== 0) blocks.push([])
      place = next
      characters = 0
    }
    blocks.at(-1)?.push(passage)
  }
  return blocks
}

/** Delta encoding of whole numbers, which compresses well. */
function encodeSteps(values: readonly number[]): string {
  let steps = ''
  let before = 0
  for (const value of values) {
    steps += steps === '' ? value : `,${value - before}`
    before = value
  }
  return steps
}

/** A block as it is stored. */
export function packBlock(block: Block): Buffer {
  const packed = block.map(({ speaker, words, own, numbers, starts }) => {
    const [first = 0] = numbers
    // A run, as all are unless words were typed, is stored as its first number.
    const isRun = numbers.every((number, index) => number === first + index)
    return [
      speaker,
      own,
      isRun ? first : encodeSteps(numbers).split(',').map(Number),
      encodeSteps(starts),
      words.join(' '),
    ]
  })
  const bytes = Buffer.from(JSON.stringify(packed))
  // Usually enough for the packed bytes: less memory than the default.
  return zstdCompressSync(bytes, { pledgedSrcSize: bytes.length, chunkSize: 4_096 })
}

/** The text of a packed block, with every word and speaker verbatim, in order. @throws if the bytes are damaged */
export function unpackText(bytes: Uint8Array): string {
  return zstdDecompressSync(bytes).toString()
}

/** The reverse of `packBlock`. @param text of `unpackText` @throws if it is damaged */
export function unpackBlock(text: string): Block {
  const packed = JSON.parse(text) as [string, number, number | number[], string, string][]
  return packed.map(([speaker, own, numbers, starts, text]) => {
    const words = text.split(' ')
    return {
      speaker,
      own,
      words,
      numbers: typeof numbers === 'number' ? words.map((_, index) => numbers + index) : sums(numbers),
      starts: sums(starts.split(',').map(Number)),
    }
  })
}

function sums(steps: readonly number[]): number[] {
  let sum = 0
  return steps.map((step) => (sum += step))
}
