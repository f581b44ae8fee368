/** Whether a JSON transcript was complete, known once it has ended. */
export type JsonEnd = 'whole' | 'cut short' | 'not a transcript'

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

/**
 * Incremental parser for a JSON array of objects: returns the records that each piece completes, parsed by JSON.parse.
 * Only brackets and strings are scanned character by character, so pieces may end anywhere, even within a string or an
 * escape sequence.
 */
export class RecordSplitter {
  #pending = ''
  /** how far `#pending` has been scanned */
  #position = 0
  #depth = 0
  #inString = false
  #escaped = false
  #state: 'before' | 'inside' | 'after' | 'broken' | 'refused' = 'before'

  /** Returns the records that this piece completes. Records after something unparsable are lost. */
  push(piece: string): unknown[] {
    this.#pending += piece
    if (this.#state === 'before') this.#open()
    if (this.#state !== 'inside') {
      this.#pending = this.#state === 'before' ? this.#pending : ''
      return []
    }
    const end = this.#lastRecordEnd()
    if (end === 0) return []
    // The comma between records may have arrived with this piece or the previous one.
    const complete = this.#pending.slice(0, end).replace(/^\s*,/, '')
    this.#pending = this.#pending.slice(end)
    this.#position = this.#pending.length
    try {
      return JSON.parse(`[${complete}]`) as unknown[]
    } catch {
      this.#state = 'broken'
      return readOneByOne(complete)
    }
  }

  /** Call after the last piece. */
  end(): JsonEnd {
    if (this.#state === 'after') return 'whole'
    return this.#state === 'before' || this.#state === 'refused' ? 'not a transcript' : 'cut short'
  }

  /** Skips white space, the opening bracket, and a byte order mark, which JSON forbids but some servers send. */
  #open(): void {
    const text = this.#pending.replace(/^[\s\ufeff]+/, '')
    if (text === '') return
    this.#state = text.charCodeAt(0) === openBracket ? 'inside' : 'refused'
    this.#pending = text.slice(1)
  }

  /** Scans the new input and returns where the last complete record ends, 0 if none. */
  #lastRecordEnd(): number {
    const text = this.#pending
    let end = 0
    for (let index = this.#position; index < text.length; index++) {
      const unit = text.charCodeAt(index)
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false
        else if (unit === backslash) this.#escaped = true
        else if (unit === quote) this.#inString = false
      } else if (unit === quote) this.#inString = true
      else if (unit === openBrace || unit === openBracket) this.#depth++
      else if (unit === closeBrace) {
        this.#depth--
        if (this.#depth === 0) end = index + 1
      } else if (unit === closeBracket) {
        this.#depth--
        if (this.#depth < 0) {
          this.#state = 'after'
          break
        }
      }
    }
    this.#position = text.length
    return end
  }
}

/** Parses record by record if JSON.parse rejects the whole; skips unparsable records. */
function readOneByOne(text: string): unknown[] {
  const records: unknown[] = []
  const splitter = /\}\s*,/g
  let from = 0
  while (from < text.length) {
    const next = splitter.exec(text)
    const end = next === null ? text.length : next.index + 1
    try {
      records.push(JSON.parse(text.slice(from, end)))
    } catch {
      // The brace was within a string: try the next one.
      if (next === null) break
      continue
    }
    if (next === null) break
    from = splitter.lastIndex
  }
  return records
}
