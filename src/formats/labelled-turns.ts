import { speakerInitials } from '../text/speaker-labels.ts'
import type { Transcript } from '../text/transcript.ts'
import { shownTime, speakerName } from '../text/transcript.ts'
import { type TextPart, textParts } from './text-parts.ts'

/** A turn in text formats; parts that the order's options omit are null. Its parts are joined by blanks. */
export type LabelledTurn = { time: string | null; speaker: string | null; parts: readonly TextPart[] }

/**
 * The turns of a transcript, one at a time, with time and speaker per its options: `time_coding`, `speaker_tracking`,
 * and `speaker_tracking_format`, with initials for all mentions after the first (spec 2.5).
 */
export function* labelledTurns(transcript: Transcript): Generator<LabelledTurn> {
  const { options } = transcript
  const names = transcript.turns.map((turn) => speakerName(transcript, turn))
  const initials =
    options.speaker_tracking_format === 'initials' ? speakerInitials(names.filter((name) => name !== null)) : null
  const mentioned = new Set<string>()
  const partsOf = textParts(transcript)
  const hasTimes = options.time_coding === 'on' && transcript.timesEvery === undefined
  for (const [index, turn] of transcript.turns.entries()) {
    const name = names[index] ?? null
    const label = name !== null && mentioned.has(name) ? (initials?.get(name) ?? name) : name
    if (name !== null) mentioned.add(name)
    yield {
      time: hasTimes ? shownTime(transcript, turn.words[0]?.start ?? 0) : null,
      speaker: options.speaker_tracking === 'on' ? label : null,
      parts: partsOf(turn),
    }
  }
}

/** `00:12 Ann Baker:`, the prefix of a line; empty if neither is ordered. */
export function turnPrefix({ time, speaker }: LabelledTurn): string {
  return [time, speaker === null ? null : `${speaker}:`].filter((part) => part !== null).join(' ')
}
