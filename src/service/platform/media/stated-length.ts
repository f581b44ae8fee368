import { ServiceError } from '../service-error.ts'
import type { Container } from './containers.ts'

/** This much may be missing at the end of a recording without a notice: lengths are not exact to the second. */
export const toleratedLossMs = 2_000
/** Below this readable share of its length, a recording counts as damaged. */
export const leastReadableShare = 0.9

/** Containers whose length is written down when the recording is complete. Others estimate it, or have none. */
const stating: readonly Container[] = ['mp4', 'matroska', 'flac', 'aiff']

/** WAVE writers that do not know the size yet put in the largest one, of 31 or 32 bits or somewhat less. */
const unknownSize = 0x7f000000

type Stated = {
  container: Container
  /** in seconds, NaN if unknown: of the file, and of its first audio track */
  seconds: number
  trackSeconds: number
  startSeconds: number
  head: Uint8Array
  /** bits per second of uncompressed samples, null if the audio is compressed */
  pcmBitRate: number | null
}

/** The size of the samples of a WAVE file; null if its writer did not know it. */
function readWavSize(head: Uint8Array): number | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  for (let at = 12; at + 8 <= view.byteLength; ) {
    const bytes = view.getUint32(at + 4, true)
    const isData = view.getUint32(at) === 0x64617461
    if (isData) return bytes < unknownSize ? bytes : null
    at += 8 + bytes + (bytes % 2)
  }
  return null
}

/** The length in milliseconds that a recording had when it was written; NaN if its file does not say. */
function statedMs({ container, seconds, trackSeconds, startSeconds, head, pcmBitRate }: Stated): number {
  if (container === 'wav') return ((readWavSize(head) ?? Number.NaN) * 8_000) / (pcmBitRate ?? Number.NaN)
  if (!stating.includes(container) || (pcmBitRate !== null && seconds * pcmBitRate >= unknownSize * 8))
    return Number.NaN
  // Texts and chapters may be longer than the sound.
  const shorter = Number.isNaN(trackSeconds) ? seconds : Math.min(seconds, trackSeconds)
  return Math.round((shorter - Math.max(0, startSeconds)) * 1_000)
}

/**
 * The length that is charged: that of the recording, or if less than a tenth of it is cut off, the one that its file
 * states; the transcript then names what is missing (decision 28).
 * @param measuredMs how much of it is there
 * @throws ServiceError 400 if more is missing
 */
export function chargedMs(measuredMs: number, stated: Stated): number {
  const wholeMs = statedMs(stated)
  // False for NaN, too.
  if (!(wholeMs - measuredMs > toleratedLossMs)) return measuredMs
  if (measuredMs >= wholeMs * leastReadableShare) return Math.round(wholeMs)
  const [here, whole] = [measuredMs, wholeMs].map((ms) => Math.round(ms / 1_000))
  throw new ServiceError(
    400,
    `The recording is incomplete: the file ends after ${here} s of ${whole} s. Nothing was charged. ` +
      'Send the whole file; to order only this part, save it as a new recording.',
  )
}
