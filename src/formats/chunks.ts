import { strToU8 } from 'fflate'

/** How much text is gathered into one chunk of bytes. */
const chunkCharacters = 32_000

/** Small pieces of text as UTF-8 chunks of some ten thousand bytes. */
export function* encodeChunks(pieces: Iterable<string>): Generator<Uint8Array> {
  let gathered = ''
  for (const piece of pieces) {
    gathered += piece
    if (gathered.length < chunkCharacters) continue
    yield strToU8(gathered)
    gathered = ''
  }
  if (gathered !== '') yield strToU8(gathered)
}
