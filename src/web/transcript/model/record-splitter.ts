/** What the text of a JSON transcript turned out to be, once it has ended. */
export type JsonEnd = 'whole' | 'cut short' | 'not a transcript'

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

/**
 * Splits a JSON array of objects that comes in pieces: after each piece, the records that are complete so far, read by
 * the engine's own JSON.parse. Only brackets and strings are looked at, character by character, so a piece may end
 * anywhere, also within a string or an escape.
 */
export class RecordSplitter {
  #pending = ''
  /** how far `#pending` was looked at */
  #position = 0
  #depth = 0
  #inString = false
  #escaped = false
  #state: 'before' | 'inside' | 'after' | 'broken' | 'refused' = 'before'

  /** The complete records that this piece brought. Those after something unreadable are lost. */
  push(piece: string): unknown[] {
    this.#pending += piece
    if (this.#state === 'before') this.#open()
    if (this.#state !== 'inside') {
      this.#pending = this.#state === 'before' ? this.#pending : ''
      return []
    }
    const end = this.#lastRecordEnd()
    if (end === 0) return []
    // The comma before may have come with this piece or with the last one.
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

  /** @returns what it was, once the last piece is in */
  end(): JsonEnd {
    if (this.#state === 'after') return 'whole'
    return this.#state === 'before' || this.#state === 'refused' ? 'not a transcript' : 'cut short'
  }

  /** Steps over white space and the opening bracket; a BOM is no white space to JSON, but harmless here. */
  #open(): void {
    const text = this.#pending.replace(/^[\s\ufeff]+/, '')
    if (text === '') return
    this.#state = text.charCodeAt(0) === openBracket ? 'inside' : 'refused'
    this.#pending = text.slice(1)
  }

  /** Looks at what is new and returns where the last complete record ends, 0 for none. */
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

/** Records before the first unreadable one, for a stretch that JSON.parse refuses as a whole. */
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
      // A brace within a string: try again with the next one. What never parses is left out.
      if (next === null) break
      continue
    }
    if (next === null) break
    from = splitter.lastIndex
  }
  return records
}
