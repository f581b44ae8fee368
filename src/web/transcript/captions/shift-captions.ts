import { type CaptionTiming, mostShiftSeconds, stretchLimits } from '../../../contract/account/captions.ts'
import { describeTiming, toCaptionMs, toMediaSeconds } from '../../../formats/captions/caption-rules.ts'
import { timeText } from './caption-text.ts'

/** Where the first and the last caption begin in the recording, in seconds. */
export type Ends = { first: number; last: number }

const frameRates = [24_000 / 1_001, 24, 25, 30_000 / 1_001, 30]
/** Stretches that differ by less are the same: 36 ms over an hour. */
const sameStretch = 1e-5

/** A timing, or a message why it is not possible. */
export type Shifted = CaptionTiming | string

/**
 * The timing that moves the first caption by some seconds, and the last one to a time, if that is given.
 * @param stretch kept if no time is given
 */
export function shiftCaptions(
  { first, last }: Ends,
  bySeconds: number,
  lastMs: number | null,
  stretch: number,
): Shifted {
  if (Math.abs(bySeconds) > mostShiftSeconds) return 'Captions can be moved by at most 24 hours.'
  const begin = first + bySeconds
  if (begin < 0) {
    return `The first caption begins at ${timeText(first * 1_000)}: it cannot begin before 0:00.`
  }
  const to = lastMs === null ? stretch : (lastMs / 1_000 - begin) / (last - first)
  const [least, most] = stretchLimits
  if (!(to >= least && to <= most)) {
    return `That would stretch the times by ${Number(to.toFixed(2))}. They can be stretched by ${least} to ${most}.`
  }
  const exact = Math.abs(to - 1) < 1e-7 ? 1 : Number(to.toFixed(9))
  const shift = Number((begin - first * exact).toFixed(6))
  if (Math.abs(shift) > mostShiftSeconds) return 'Captions can be moved by at most 24 hours.'
  return { stretch: exact, shiftSeconds: shift }
}

/** `Stretched by 0.9590, as from 25 to 23.976 frames a second` */
export function describeShift({ stretch, shiftSeconds }: CaptionTiming): string {
  const text = describeTiming({ stretch, shiftSeconds }) ?? 'At the times of the recording'
  const rate = (fps: number) => Number(fps.toFixed(3))
  for (const from of frameRates) {
    const to = frameRates.find((other) => other !== from && Math.abs(from / other - stretch) < sameStretch)
    if (to !== undefined) return `${text}, as from ${rate(from)} to ${rate(to)} frames a second`
  }
  return text
}

/** Where captions that are made with a timing begin in the recording. */
export function findEnds(firstMs: number, lastMs: number, timing: CaptionTiming | undefined): Ends {
  return { first: toMediaSeconds(firstMs, { timing }), last: toMediaSeconds(lastMs, { timing }) }
}

/** When they begin with another timing, in milliseconds. */
export function previewEnds({ first, last }: Ends, timing: CaptionTiming): { first: number; last: number } {
  return { first: toCaptionMs(first, { timing }), last: toCaptionMs(last, { timing }) }
}

/** A change of timing, and when the last caption ends before it and the recording ends. */
type LastEnd = { endMs: number; from: CaptionTiming | undefined; to: CaptionTiming; recordingSeconds: number }

/** Whether the last caption then ends after the recording. */
export function endsAfterRecording({ endMs, from, to, recordingSeconds }: LastEnd): boolean {
  return toCaptionMs(toMediaSeconds(endMs, { timing: from }), { timing: to }) > recordingSeconds * 1_000
}
