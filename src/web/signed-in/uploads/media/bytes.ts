import { leastReadableShare } from '../../../../contract/interface/truncated.ts'

/** Random access to a recording: a Blob in the browser, a buffer in tests. */
export type ByteSource = {
  readonly size: number
  /** up to `length` bytes from `start`; fewer at the end */
  read(start: number, length: number): Promise<DataView>
}

/** Facts from a container's header. Null: not stated there. */
export type MediaFacts = {
  readonly durationMs: number | null
  readonly hasSound: boolean | null
  /** if there are several */
  readonly tracks?: readonly SoundTrack[]
}

/** A sound track as its recording describes it; title and language are empty if it does not. */
export type SoundTrack = { readonly title: string; readonly language: string; readonly isDefault: boolean }

/** Names that programs write, and that say nothing. */
const meaningless = /handler|core media|^und$/i

export function soundTrack(title: string, language: string, isDefault: boolean): SoundTrack {
  const clean = (text: string) => (meaningless.test(text) ? '' : text.replaceAll(/\p{Cc}/gu, '').trim())
  return { title: clean(title), language: clean(language), isDefault }
}

/** Tracks as part of facts: nothing unless there are several. */
export const severalTracks = (tracks: readonly SoundTrack[]) => (tracks.length > 1 ? { tracks } : {})

export const unknownFacts: MediaFacts = { durationMs: null, hasSound: null }

/** A Blob as a source; rejects with the browser's error if the file was changed, moved or deleted in the meantime. */
export function blobSource(blob: Blob): ByteSource {
  return {
    size: blob.size,
    read: async (start, length) => new DataView(await blob.slice(start, start + length).arrayBuffer()),
  }
}

/**
 * Caches a source's first `headBytes`: several readers begin there, and each read of a file on disk costs a turn of the
 * browser's file thread, which dominates with hundreds of small recordings.
 */
export function withCachedHead(source: ByteSource, headBytes: number): ByteSource {
  const end = Math.min(headBytes, source.size)
  let head: Promise<DataView> | undefined
  return {
    size: source.size,
    read: async (start, length) => {
      if (Math.min(start + length, source.size) > end) return source.read(start, length)
      head ??= source.read(0, end)
      return new DataView((await head).buffer.slice(start, start + length))
    },
  }
}

/**
 * Reads ahead in windows: walking from header to header then costs one read of the file per window.
 * @param windowBytes small if what is between headers is skipped
 */
export function readingAhead(source: ByteSource, windowBytes: number): ByteSource {
  let from = 0
  let window: DataView = new DataView(new ArrayBuffer(0))
  return {
    size: source.size,
    read: async (start, length) => {
      const end = Math.max(start, Math.min(start + length, source.size))
      if (start < from || end > from + window.byteLength) {
        window = await source.read(start, Math.max(windowBytes, length))
        from = start
      }
      return new DataView(window.buffer, window.byteOffset + start - from, end - start)
    },
  }
}

/** The bytes as Latin-1 text, truncated at the end of the view. */
export function textAt(view: DataView, offset: number, length: number): string {
  let text = ''
  for (let at = offset; at < Math.min(offset + length, view.byteLength); at += 1) {
    text += String.fromCharCode(view.getUint8(at))
  }
  return text
}

/** True if the bytes at `offset` equal `hex` (two digits per byte). */
export function hasBytes(view: DataView, offset: number, hex: string): boolean {
  if (offset < 0 || offset + hex.length / 2 > view.byteLength) return false
  for (let at = 0; at < hex.length / 2; at += 1) {
    if (view.getUint8(offset + at) !== Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16)) return false
  }
  return true
}

/** The bytes of a view in hexadecimal, two digits each. */
export function toHex({ buffer, byteOffset, byteLength }: DataView): string {
  return Array.from(new Uint8Array(buffer, byteOffset, byteLength), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
}

/** Index of the first occurrence of `hex` at or after `from`, or -1. */
export function indexOfBytes(view: DataView, hex: string, from = 0): number {
  const first = Number.parseInt(hex.slice(0, 2), 16)
  for (let at = from; at + hex.length / 2 <= view.byteLength; at += 1) {
    if (view.getUint8(at) === first && hasBytes(view, at, hex)) return at
  }
  return -1
}

/** `seconds` as whole milliseconds, or null if that is no valid length (zero, negative, infinite, NaN). */
export function toMilliseconds(seconds: number): number | null {
  return Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1_000) : null
}

/**
 * The most that is charged of a recording that is cut off (decision 28): of one that will be refused, what is there. The
 * service tolerates two seconds, but measures to the sample.
 */
export function chargedSeconds(hereSeconds: number, statedSeconds: number): number {
  return hereSeconds >= statedSeconds * leastReadableShare ? Math.max(hereSeconds, statedSeconds) : hereSeconds
}

/** A 64-bit integer, big endian, as a double: exact up to 2^53, more than any length or size here. */
export function uint64(view: DataView, offset: number, littleEndian = false): number {
  const [high, low] = littleEndian ? [offset + 4, offset] : [offset, offset + 4]
  return view.getUint32(high, littleEndian) * 2 ** 32 + view.getUint32(low, littleEndian)
}
