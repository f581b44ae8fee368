import { clockText } from '../../base/ui/duration.ts'
import { sizeText } from '../../base/ui/sizes.ts'

/** Why a picked file may be a different recording, as a sentence. */
export type Mismatch = string

/** Compares a picked file with the order, by size, then by name; null if it matches. */
export function findMismatch(
  file: { name: string; size: number },
  order: { name: string; bytes: number },
): Mismatch | null {
  if (file.size === order.bytes) return null
  const bare = file.name.replace(/\.[^.]+$/, '')
  const size = `${sizeText(file.size)} instead of ${sizeText(order.bytes)}`
  if (bare === order.name) return `“${file.name}” is ${size}: it may be a different version of the recording.`
  return `“${file.name}” has a different name and is ${size}.`
}

/** Maximum difference in length for the same recording. Seconds. */
const lengthTolerance = 1
/** Maximum difference in length of a recording whose words are where they are heard. Seconds. */
const heardTolerance = 0.3

/** True if the attached file is about as long as the ordered recording. */
function lengthFits(fileSeconds: number, orderSeconds: number): boolean {
  return !Number.isFinite(fileSeconds) || Math.abs(fileSeconds - orderSeconds) <= lengthTolerance + orderSeconds * 0.001
}

/** Why what is heard may not fit the words, as a title and a sentence; null if the player's length is the service's. */
export function findLengthProblem(
  { durationSeconds, source }: { durationSeconds: number; source: 'service' | 'attached' | null },
  orderSeconds: number,
): { title: string; detail: string } | null {
  const apart = Math.abs(durationSeconds - orderSeconds)
  if (!(Number.isFinite(durationSeconds) && apart > heardTolerance)) return null
  if (source === 'attached' && !lengthFits(durationSeconds, orderSeconds)) {
    return { title: 'This may be a different recording', detail: 'Its length does not match the order.' }
  }
  const detail = `This browser takes the recording to be ${clockText(durationSeconds)} long, the service ${clockText(orderSeconds)}. A click on a word may play another place.`
  return { title: 'What you hear may not fit the words', detail }
}
