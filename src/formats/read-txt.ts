import type { OrderOptions } from '../contract/interface/option-values.ts'
import { expandLabels } from '../text/speaker-labels.ts'
import { isDamageNotice, noSpeechNotice } from '../text/transcript.ts'

/** A line of a text transcript. `startSeconds` is an integer; a part that the text lacks is null. */
type TextLine = { startSeconds: number | null; speaker: string | null; text: string }

/**
 * A parsed text transcript; `notice` is the block above the separator of a work in progress, `damage` the last line if
 * it reports an unreadable part of the recording; else null.
 */
export type TextTranscript = { notice: string | null; lines: TextLine[]; damage: string | null }

/** The options that determine the form of a text transcript. */
export type TextShape = Pick<
  OrderOptions,
  'time_coding' | 'speaker_tracking' | 'speaker_tracking_format' | 'transcript_template' | 'speaker_names'
>

const separator = /^([-=_*])\1{9,}$/
const time = /^[[(<]?(?:(\d+):)?(\d+):([0-5]\d)[\])>]?(?:\s+|$)/
const label = /^([^:]+):(?:\s+|$)/

/** Splits off the notice block; a separator too far down for a notice is text. */
function splitNotice(lines: readonly string[]): { notice: string | null; rest: readonly string[] } {
  const end = lines.slice(0, 20).findIndex((line) => separator.test(line))
  if (end < 1 || lines.slice(0, end).some((line) => time.test(line))) return { notice: null, rest: lines }
  return { notice: lines.slice(0, end).join('\n').trim(), rest: lines.slice(end + 1) }
}

/** The lines below the header of a finished text: from the first time on, else after the first blank line. */
function withoutHeader(lines: readonly string[], shape: TextShape): readonly string[] {
  if (!shape.transcript_template.startsWith('service')) return lines
  const first = shape.time_coding === 'on' ? lines.findIndex((line) => time.test(line)) : -1
  const blank = lines.indexOf('')
  return lines.slice(first === -1 ? blank + 1 : first)
}

function readLine(line: string, shape: TextShape): TextLine {
  const timed = shape.time_coding === 'on' ? time.exec(line) : null
  const rest = line.slice(timed?.[0].length ?? 0)
  const labelled = shape.speaker_tracking === 'on' ? label.exec(rest) : null
  return {
    startSeconds:
      timed === null ? null : Number(timed[1] ?? 0) * 3_600 + Number(timed[2] ?? 0) * 60 + Number(timed[3] ?? 0),
    speaker: labelled?.[1] ?? null,
    text: rest.slice(labelled?.[0].length ?? 0).trim(),
  }
}

/** Joins lines that begin no turn (a service that wraps its lines) to the turn above. */
function joinWrapped(lines: readonly TextLine[], shape: TextShape): TextLine[] {
  const joined: TextLine[] = []
  for (const line of lines) {
    const previous = joined.at(-1)
    const isWrapped = shape.time_coding === 'on' && line.startSeconds === null
    if (isWrapped && previous !== undefined) {
      const text = line.speaker === null ? line.text : `${line.speaker}: ${line.text}`
      joined[joined.length - 1] = { ...previous, text: `${previous.text} ${text}`.trim() }
    } else joined.push(line)
  }
  return joined
}

/**
 * Parses a text transcript, finished or in progress (spec 2.5): notice, then each line's time and speaker, with
 * initials expanded to the name mentioned in full before. Never throws; a line that has neither is text. Without
 * `speaker_names`, a speaker whose name is another's initials is read as the other.
 */
export function readTxt(text: string, shape: TextShape): TextTranscript {
  const all = text
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
  const { notice, rest } = splitNotice(all)
  const body = (notice === null ? withoutHeader(rest, shape) : rest).filter((line) => line !== '')
  const damage = isDamageNotice(body.at(-1) ?? '') ? (body.pop() ?? null) : null
  if (body.length === 1 && body[0] === noSpeechNotice) return { notice, lines: [], damage }
  const lines = joinWrapped(
    body.map((line) => readLine(line, shape)),
    shape,
  )
  if (shape.speaker_tracking_format === 'full names') return { notice, lines, damage }
  const labels = lines.map(({ speaker }) => speaker).filter((speaker) => speaker !== null)
  const names = expandLabels(labels, shape.speaker_names)
  return {
    notice,
    damage,
    lines: lines.map((line) => ({
      ...line,
      speaker: line.speaker === null ? null : (names.get(line.speaker) ?? null),
    })),
  }
}
