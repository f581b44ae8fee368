import { buffer } from 'node:stream/consumers'
import type { FileRow } from '../db/schema.ts'
import type { Platform } from '../platform.ts'
import { aboutOf } from './about.ts'
import { renderInThread } from './render-thread.ts'
import { type Rendering, render } from './rendering.ts'
import { countPieces, wordsSoFar } from './words-so-far.ts'

/** Words of more than this many characters are put together beside, where nobody waits for it. */
const mostHere = 300_000
/** Texts that are kept, those read last; a day's text is a megabyte. */
const maxCachedTexts = 30

type CachedText = { key: string; text: Promise<Buffer> }

/** What of the recording a typist can have written at this progress; the recogniser may be far ahead of the typing. */
function untilSeconds(file: FileRow, transcriptType: string): number {
  return transcriptType === 'manual' ? (file.duration_ms * file.progress_percent) / 100_000 : Number.POSITIVE_INFINITY
}

async function make(platform: Platform, file: FileRow): Promise<Buffer> {
  const about = aboutOf(file)
  const pieces = await wordsSoFar(platform.db, file.id)
  const words = { pieces, untilSeconds: untilSeconds(file, about.options.transcript_type) }
  const rendering: Rendering = { about, words, format: 'work-in-progress' }
  const characters = pieces.reduce((sum, { length }) => sum + length, 0)
  return buffer(characters > mostHere ? renderInThread(rendering) : render(rendering))
}

/** The work-in-progress texts (spec 2.5) of one platform: each is made once for what there is, however often it is asked. */
export class WorkInProgressTexts {
  readonly #platform: Platform
  readonly #kept = new Map<string, CachedText>()

  constructor(platform: Platform) {
    this.#platform = platform
  }

  /** The finished pieces of a file as text, of which a manual order shows as much as its progress says is typed. */
  async textOf(file: FileRow): Promise<Buffer> {
    const key = `${file.version} ${await countPieces(this.#platform.db, file.id)}`
    const kept = this.#kept.get(file.id)
    this.#kept.delete(file.id)
    const text = kept?.key === key ? kept.text : make(this.#platform, file)
    this.#kept.set(file.id, { key, text })
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= maxCachedTexts) break
      this.#kept.delete(oldest)
    }
    // What failed is made anew for the next who asks.
    text.catch(() => this.#kept.delete(file.id))
    return text
  }
}
