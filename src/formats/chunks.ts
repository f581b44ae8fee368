import { strToU8 } from 'fflate'

/** Text per chunk of bytes. */
const chunkCharacters = 32_000

/** Encodes small pieces of text as UTF-8 chunks of tens of kilobytes; pieces of bytes pass unchanged. */
export function* encodeChunks(pieces: Iterable<string | Uint8Array>): Generator<Uint8Array> {
  let text = ''
  for (const piece of pieces) {
    if (typeof piece !== 'string') {
      yield piece
      continue
    }
    text += piece
    if (text.length < chunkCharacters) continue
    yield strToU8(text)
    text = ''
  }
  if (text !== '') yield strToU8(text)
}

/** Merges small chunks into ones of at least 64,000 bytes. */
export function* mergeChunks(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let length = 0
  for (const chunk of chunks) {
    waiting.push(chunk)
    length += chunk.length
    if (length < 64_000) continue
    yield joined(waiting, length)
    waiting = []
    length = 0
  }
  if (length > 0) yield joined(waiting, length)
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
