import type { CaptionRules } from '../../../contract/account/captions.ts'
import { type Cue, type CueWarning, shownLines } from '../../../formats/captions/cues.ts'

/** Characters per second of a caption. */
export function speedOf(cue: Cue): number {
  return (shownLines(cue).join(' ').length / (cue.endMs - cue.startMs)) * 1_000
}

/** A speed in whole characters per second; just above the limit, rounded up to a tenth: `20.1`, not `20`. */
export function speedText(speed: number, limit: number): string {
  const isHidden = speed > limit && Math.round(speed) <= limit
  return isHidden ? (Math.ceil(speed * 10) / 10).toFixed(1) : String(Math.round(speed))
}

/** `2.4 s` */
export function lengthText({ startMs, endMs }: Cue): string {
  return `${((endMs - startMs) / 1_000).toFixed(1)} s`
}

/** `1:02:03.40`, the format of caption times: hours only if there are any. */
export function timeText(ms: number): string {
  const hours = Math.floor(ms / 3_600_000)
  const minutes = Math.floor(ms / 60_000) % 60
  const seconds = ((ms % 60_000) / 1_000).toFixed(2).padStart(5, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${minutes}:${seconds}`
}

/** Reads `1:02:03.4`, `62,5` or `1:02` as milliseconds; null if it is no time. */
export function readTime(text: string): number | null {
  const parts = /^(?:(?:(\d+):)?(\d{1,2}):)?(\d+(?:[.,]\d*)?)$/.exec(text.trim())
  if (parts === null) return null
  const [, hours = '0', minutes = '0', seconds = ''] = parts
  return Math.round((Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'))) * 1_000)
}

/** Describes a caption's rule violation. */
export function faultText({ kind, value }: CueWarning, rules: CaptionRules): string {
  if (value === null) return 'Ends with a weak word'
  if (kind === 'too fast to read') return `Too fast: at most ${rules.charactersPerSecond} characters per second`
  if (kind === 'line too long') return `Line too long: ${value} of ${rules.lineLength} characters`
  if (kind === 'too close to the next') return 'Too close to the next'
  if (kind === 'too long') return `Too long: ${value.toFixed(1)} s of at most ${rules.maxSeconds} s`
  if (kind === 'begins after its set time')
    return `Set to begin at ${timeText(value * 1_000)}, while the one before is spoken`
  if (kind === 'ends before its set time')
    return `Set to end at ${timeText(value * 1_000)}, but the next begins before that`
  if (kind === 'ends after its set time') return `Set to end at ${timeText(value * 1_000)}, before its words are spoken`
  if (kind === 'ends after the recording') return `Ends after the recording, which ends at ${timeText(value * 1_000)}`
  return Number.isInteger(value) && value >= rules.minSeconds
    ? `Too short: ${value} characters`
    : `Too short: ${value.toFixed(1)} s`
}
