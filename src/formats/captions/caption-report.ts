import { type CaptionReport, type CaptionRules, maxListedFaults } from '../../contract/account/captions.ts'
import type { Transcript } from '../../text/transcript.ts'
import { findStyle } from './caption-rules.ts'
import { buildCues, type Cue, cueWarnings, shownLines } from './cues.ts'

function tenths(value: number): number {
  return Math.round(value * 10) / 10
}

/** Characters per second. */
function measureSpeed(cue: Cue): number {
  return shownLines(cue).join(' ').length / ((cue.endMs - cue.startMs) / 1_000)
}

/** Builds a transcript's captions by rules, and checks them against the same rules. */
export function captionReport(transcript: Transcript, rules: CaptionRules): Omit<CaptionReport, 'text'> {
  const cues = [...buildCues(transcript, rules)]
  const warnings = [...cueWarnings(cues, rules, transcript.durationMs)]
  const speeds = cues.map(measureSpeed)
  const faults = warnings.slice(0, maxListedFaults).map(({ cue: number, kind, value }) => {
    const cue = cues[number - 1] as Cue
    const text = shownLines(cue).join('\n')
    return {
      caption: number,
      start_ms: cue.startMs,
      end_ms: cue.endMs,
      fault: kind,
      value: value === null ? null : tenths(value),
      text,
    }
  })
  return {
    style: findStyle(rules),
    captions: cues.length,
    keep_rules: cues.length - new Set(warnings.map(({ cue }) => cue)).size,
    mean_speed: cues.length === 0 ? 0 : tenths(speeds.reduce((sum, speed) => sum + speed, 0) / cues.length),
    top_speed: tenths(Math.max(0, ...speeds)),
    faults,
  }
}
