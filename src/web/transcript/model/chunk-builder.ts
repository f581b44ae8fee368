import type { WordChunk } from './word.ts'

/** A record as received; its values are untrusted. */
type RawRecord = { [key: string]: unknown }

function seconds(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null
}

/** 0 to 1, NaN if unknown. */
function confidence(value: unknown): number {
  const number = seconds(value)
  return number === null ? Number.NaN : Math.min(1, number)
}

type Columns = Record<Exclude<keyof WordChunk, 'text'>, number[]> & { texts: string[] }

function noWords(): Columns {
  return { texts: [], lengths: [], starts: [], ends: [], confs: [], turnConfs: [], turnEnds: [] }
}

/**
 * Collects word records into columns. Tolerates bad records: a missing or negative time defaults to that of the
 * previous word, a missing confidence is unknown; entries that are not records with a `word` are skipped and counted.
 */
export class ChunkBuilder {
  /** number of entries that were not word records */
  skipped = 0
  #collected = noWords()
  #lastEnd = 0

  get count(): number {
    return this.#collected.lengths.length
  }

  add(record: unknown): void {
    if (typeof record !== 'object' || record === null) {
      this.skipped++
      return
    }
    const raw = record as RawRecord
    if (typeof raw.word !== 'string') {
      this.skipped++
      return
    }
    const start = seconds(raw.start) ?? this.#lastEnd
    const end = Math.max(start, seconds(raw.end) ?? start + (seconds(raw.duration) ?? 0))
    const endsTurn = raw.turn !== undefined
    this.#lastEnd = end
    const { texts, lengths, starts, ends, confs, turnConfs, turnEnds } = this.#collected
    texts.push(raw.word, endsTurn ? '\n' : ' ')
    lengths.push(raw.word.length)
    starts.push(start)
    ends.push(end)
    confs.push(confidence(raw.conf))
    turnConfs.push(confidence(raw.turn_conf))
    turnEnds.push(endsTurn ? 1 : 0)
  }

  /** Returns the collected words and resets. */
  flush(): WordChunk {
    const { texts, lengths, starts, ends, confs, turnConfs, turnEnds } = this.#collected
    this.#collected = noWords()
    return {
      text: texts.join(''),
      lengths: Uint32Array.from(lengths),
      starts: Float64Array.from(starts),
      ends: Float64Array.from(ends),
      confs: Float32Array.from(confs),
      turnConfs: Float32Array.from(turnConfs),
      turnEnds: Uint8Array.from(turnEnds),
    }
  }
}
