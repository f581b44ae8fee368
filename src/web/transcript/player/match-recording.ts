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

/** True if the attached file is about as long as the ordered recording. */
export function lengthFits(fileSeconds: number, orderSeconds: number): boolean {
  return !Number.isFinite(fileSeconds) || Math.abs(fileSeconds - orderSeconds) <= lengthTolerance + orderSeconds * 0.001
}
