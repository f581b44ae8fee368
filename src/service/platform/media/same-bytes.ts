import type { Readable } from 'node:stream'
import { StorageAwayError } from './file-errors.ts'

/**
 * True if two recordings are the same, byte for byte; false also if the other one is lost or unreadable.
 * @throws what reading the first one throws; StorageAwayError if the second is unavailable at the moment
 */
export async function hasSameBytes(mine: Readable, other: Readable): Promise<boolean> {
  const buffers = mine.iterator()
  // Its iterator listens only once it is asked, which is after the first chunk of the other: unheard errors end the process.
  mine.on('error', () => undefined)
  let rest: Uint8Array = new Uint8Array()
  try {
    for await (const chunk of other as AsyncIterable<Uint8Array>) {
      for (let seen = 0; seen < chunk.byteLength; ) {
        if (rest.byteLength === 0) {
          const next = await buffers.next()
          if (next.done === true) return false
          rest = next.value
        }
        const length = Math.min(rest.byteLength, chunk.byteLength - seen)
        if (Buffer.compare(rest.subarray(0, length), chunk.subarray(seen, seen + length)) !== 0) return false
        rest = rest.subarray(length)
        seen += length
      }
    }
    return rest.byteLength === 0 && (await buffers.next()).done === true
  } catch (error) {
    if (mine.errored !== null || error instanceof StorageAwayError) throw error
    return false
  } finally {
    mine.destroy()
    other.destroy()
  }
}
