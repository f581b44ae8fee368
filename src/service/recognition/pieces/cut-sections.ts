import { longestSectionMs } from '../../../contract/interface/limits.ts'
import { cutPieces } from './cut-pieces.ts'

/** About ten minutes of a recording between silences, in its milliseconds: the unit of one recognition job. */
export type Section = { section: number; startMs: number; endMs: number }

/** Beyond this length, a section ends at the first pause long enough to lose no context. */
const earliestEndMs = 480_000
const longPauseMs = 1_500
const samplesPerMs = 16

/** Buffer of audio not assigned to a section yet. */
class Unassigned {
  readonly #chunks: Int16Array[] = []
  #samples = 0

  get samples(): number {
    return this.#samples
  }

  async *keeping(pcm: AsyncIterable<Int16Array>): AsyncGenerator<Int16Array> {
    for await (const chunk of pcm) {
      this.#chunks.push(chunk)
      this.#samples += chunk.length
      yield chunk
    }
  }

  take(samples: number): Int16Array[] {
    const taken: Int16Array[] = []
    for (let left = samples; left > 0; ) {
      const chunk = this.#chunks.shift()
      if (chunk === undefined) break
      if (chunk.length > left) this.#chunks.unshift(chunk.subarray(left))
      taken.push(chunk.subarray(0, left))
      left -= chunk.length
    }
    this.#samples -= samples
    return taken
  }
}

/**
 * Groups a recording's pieces into sections, so that no word is cut. Deterministic. Memory: one section.
 * @param pcm 16 kHz mono
 * @param longestMs may be exceeded by a piece
 */
export async function* cutSections(
  pcm: AsyncIterable<Int16Array>,
  { longestMs = longestSectionMs, earliestMs = earliestEndMs } = {},
): AsyncGenerator<Section & { pcm: Int16Array[]; isLast: boolean }> {
  const sound = new Unassigned()
  let section = 0
  let startMs = 0
  let before = { endMs: 0, resumeMs: 0 }
  for await (const piece of cutPieces(sound.keeping(pcm))) {
    const lengthMs = before.resumeMs - startMs
    const isPause = piece.startMs - before.endMs >= longPauseMs
    if (lengthMs >= longestMs || (lengthMs >= earliestMs && isPause)) {
      const endMs = before.resumeMs
      yield { section, startMs, endMs, pcm: sound.take(lengthMs * samplesPerMs), isLast: false }
      section += 1
      startMs = endMs
    }
    before = piece
  }
  const samples = sound.samples
  if (samples === 0) return
  const endMs = startMs + Math.floor(samples / samplesPerMs)
  yield { section, startMs, endMs, pcm: sound.take(samples), isLast: true }
}
