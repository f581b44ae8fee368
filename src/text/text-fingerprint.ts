/**
 * Identifies a text with its times: FNV-1a over its words, each followed by a line break at the end of a turn, else a
 * space, and over their starts in milliseconds, 32 bits each. Not cryptographic.
 */
export class TextFingerprint {
  #text = 0x811c9dc5
  #times = 0x811c9dc5

  /** @param text words with their separators @param starts seconds of each word */
  add(text: string, starts: Iterable<number>): void {
    let ofText = this.#text
    for (let index = 0; index < text.length; index++) {
      ofText = Math.imul(ofText ^ text.charCodeAt(index), 0x01000193)
    }
    let ofTimes = this.#times
    for (const start of starts) ofTimes = Math.imul(ofTimes ^ Math.round(start * 1_000), 0x01000193)
    this.#text = ofText
    this.#times = ofTimes
  }

  toString(): string {
    return [this.#text, this.#times].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
  }
}
