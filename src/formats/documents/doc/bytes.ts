/** A growing little-endian byte buffer. */
export class Bytes {
  #view = new DataView(new ArrayBuffer(1_024))
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Pads with zeros up to a length. */
  padTo(length: number): this {
    this.#reserve(Math.max(0, length - this.#length))
    this.#length = Math.max(this.#length, length)
    return this
  }

  u8(...values: readonly number[]): this {
    return this.append(Uint8Array.from(values))
  }

  u16(...values: readonly number[]): this {
    // Reserves first: that may replace the view.
    const at = this.#reserve(values.length * 2)
    for (const [index, value] of values.entries()) this.#view.setUint16(at + index * 2, value, true)
    return this
  }

  u32(...values: readonly number[]): this {
    const at = this.#reserve(values.length * 4)
    for (const [index, value] of values.entries()) this.#view.setUint32(at + index * 4, value, true)
    return this
  }

  /** UTF-16 code units. */
  utf16(text: string): this {
    const at = this.#reserve(text.length * 2)
    for (let index = 0; index < text.length; index++) this.#view.setUint16(at + index * 2, text.charCodeAt(index), true)
    return this
  }

  append(bytes: Uint8Array): this {
    const at = this.#reserve(bytes.length)
    new Uint8Array(this.#view.buffer).set(bytes, at)
    return this
  }

  setU16(at: number, value: number): this {
    this.#view.setUint16(at, value, true)
    return this
  }

  setU32(at: number, value: number): this {
    this.#view.setUint32(at, value, true)
    return this
  }

  /** A copy of the bytes written. */
  toUint8Array(): Uint8Array {
    return new Uint8Array(this.#view.buffer.slice(0, this.#length))
  }

  #reserve(bytes: number): number {
    const at = this.#length
    this.#length += bytes
    if (this.#length > this.#view.byteLength) {
      const grown = new Uint8Array(Math.max(this.#length, this.#view.byteLength * 2))
      grown.set(new Uint8Array(this.#view.buffer))
      this.#view = new DataView(grown.buffer)
    }
    return at
  }
}

/** Rounds a length up to a multiple of `unit`. */
export function roundUp(length: number, unit: number): number {
  return Math.ceil(length / unit) * unit
}
