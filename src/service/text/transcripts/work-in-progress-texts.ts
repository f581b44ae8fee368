import { buffer } from 'node:stream/consumers'
import type { FileRow } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { countPieces, donePieces } from './done-pieces.ts'
import { toStoredWords } from './part-text.ts'
import { renderInThread } from './render-thread.ts'
import { type Rendering, render } from './rendering.ts'
import { describeFile } from './rendering-input.ts'
import { readVoiceNames, separateVoices } from './separate-voices.ts'
import { readStoredWords } from './stored-words.ts'
import { stepsDone, typedText } from './typed-parts.ts'

/** Longer texts, in characters, are rendered in a thread, so that other requests do not wait. */
const maxCharactersHere = 300_000
/** Size of the LRU cache of texts; a day's text is a megabyte. */
const maxCachedTexts = 30

type CachedText = { key: string; text: Promise<Buffer> }

/** How far a typist has typed at this progress: the recognizer may be far ahead. */
function untilSeconds(file: FileRow, transcriptType: string): number {
  return transcriptType === 'manual' ? (file.duration_ms * file.progress_percent) / 100_000 : Number.POSITIVE_INFINITY
}

/** The words of an unfinished file so far: for a manual order, the typed ones. */
export async function wordsSoFar({ db }: Pick<Platform, 'db'>, file: FileRow) {
  const typed = await typedText(db, file.id)
  if (typed !== null) {
    return { pieces: [JSON.stringify(toStoredWords(typed))], untilSeconds: Number.POSITIVE_INFINITY }
  }
  const pieces = await Array.fromAsync(donePieces(db, file.id), ({ words_json }) => words_json)
  const voices = readVoiceNames(file)
  if (voices !== null) {
    const words = separateVoices(file, voices, pieces.flatMap(readStoredWords))
    return { pieces: [JSON.stringify(words)], untilSeconds: Number.POSITIVE_INFINITY }
  }
  return { pieces, untilSeconds: untilSeconds(file, describeFile(file).options.transcript_type) }
}

async function make(platform: Platform, file: FileRow): Promise<Buffer> {
  const words = await wordsSoFar(platform, file)
  const { pieces } = words
  const rendering: Rendering = { about: describeFile(file), words, format: 'work-in-progress' }
  const characters = pieces.reduce((sum, { length }) => sum + length, 0)
  return buffer(characters > maxCharactersHere ? renderInThread(rendering) : render(rendering))
}

/** The work-in-progress texts (spec 2.5) of one platform, cached until there are more words. */
export class WorkInProgressTexts {
  readonly #platform: Platform
  readonly #cache = new Map<string, CachedText>()

  constructor(platform: Platform) {
    this.#platform = platform
  }

  /** The finished pieces of a file as text; for a manual order as much as its progress says is typed. */
  async textOf(file: FileRow): Promise<Buffer> {
    const { db } = this.#platform
    const key = `${file.version} ${await countPieces(db, file.id)} ${await stepsDone(db, file.id)}`
    const cached = this.#cache.get(file.id)
    this.#cache.delete(file.id)
    const text = cached?.key === key ? cached.text : make(this.#platform, file)
    this.#cache.set(file.id, { key, text })
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size <= maxCachedTexts) break
      this.#cache.delete(oldest)
    }
    // A failure is not cached.
    text.catch(() => this.#cache.delete(file.id))
    return text
  }
}
