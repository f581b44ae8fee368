import { speakerInitials } from '../../text/speaker-labels.ts'
import type { Transcript } from '../../text/transcript.ts'
import {
  damageNotice,
  hasHeader,
  missingLines,
  noSpeechNotice,
  shownTime,
  speakerName,
  splitParts,
} from '../../text/transcript.ts'
import { labelledTurns } from '../labelled-turns.ts'
import { headerLines } from '../template-header.ts'
import { isRightToLeft } from '../text-direction.ts'
import type { TextPart } from '../text-parts.ts'

/**
 * The common input of every document format: a title, the lines below it (the last of them set apart from the text),
 * and turns with their time and speaker in the margin. Joined, `parts` are its text. `rightToLeft`: the first spoken
 * letter is of such a script. `begins`: the transcript whose first paragraph this is; else null. `mark`: set on the
 * first turn of each interval of minutes, as a navigation target; else null.
 */
export type Paragraph = {
  style: 'title' | 'details' | 'lastDetails' | 'turn' | 'note'
  time: string | null
  speaker: string | null
  parts: readonly TextPart[]
  rightToLeft: boolean
  mark: string | null
  begins: Transcript | null
}

/** A paragraph with a single text. */
export function plainParagraph(style: Paragraph['style'], text: string): Paragraph {
  const parts = [{ text, kind: 'said' as const }]
  return { style, time: null, speaker: null, parts, rightToLeft: isRightToLeft(text), mark: null, begins: null }
}

/** Maximum number of names below the title. */
const namesShown = 24

/** `Speakers: Ann Baker (AB), Bob`: speakers in order of first word, with the initials used in the text. */
function whoSpoke(transcript: Transcript): string | null {
  const { options, turns } = transcript
  if (options.speaker_tracking === 'off') return null
  const names = [...new Set(turns.map((turn) => speakerName(transcript, turn)).filter((name) => name !== null))]
  if (names.length === 0) return null
  const initials = options.speaker_tracking_format === 'initials' ? speakerInitials(names) : null
  const shown = names.slice(0, namesShown).map((name) => {
    const short = initials?.get(name) ?? name
    return short === name ? name : `${name} (${short})`
  })
  const more = names.length > namesShown ? ` and ${names.length - namesShown} more` : ''
  return `${names.length === 1 ? 'Speaker' : 'Speakers'}: ${shown.join(', ')}${more}`
}

function* titleBlock(transcript: Transcript): Generator<Paragraph> {
  const [title, details] = headerLines(transcript)
  yield plainParagraph('title', title)
  const legend = transcript.doubtfulBelow === undefined ? null : 'Words in doubt are underlined with dots.'
  const lines = [details, whoSpoke(transcript), legend].filter((line) => line !== null)
  for (const [index, line] of lines.entries()) {
    yield plainParagraph(index === lines.length - 1 ? 'lastDetails' : 'details', line)
  }
}

/** Minutes between marks: none in short recordings, and at most a hundred marks per day. */
function minutesPerMark({ durationMs }: Transcript): number | null {
  const minutes = durationMs / 60_000
  if (minutes <= 10) return null
  return minutes <= 180 ? 5 : minutes <= 600 ? 10 : 15
}

/** Returns the mark of each turn; call it in order. */
function placeMarks(transcript: Transcript): (startSeconds: number) => string | null {
  const step = transcript.options.time_coding === 'on' ? minutesPerMark(transcript) : null
  let next = 0
  return (startSeconds) => {
    if (step === null || startSeconds < next) return null
    const minutes = Math.floor(startSeconds / 60 / step) * step
    next = (minutes + step) * 60
    return transcript.beginsAtSeconds === undefined ? `${minutes} min` : shownTime(transcript, minutes * 60)
  }
}

/** The paragraphs of a document, one transcript after the other; at the end, what is missing. */
export function* documentParagraphs(transcript: Transcript): Generator<Paragraph> {
  for (const part of splitParts(transcript)) {
    let begins: Transcript | null = part
    for (const paragraph of transcriptParagraphs(part)) {
      yield begins === null ? paragraph : { ...paragraph, begins }
      begins = null
    }
  }
  for (const line of missingLines(transcript)) yield plainParagraph('note', line)
}

/** The template's title block, then one paragraph per turn. */
function* transcriptParagraphs(transcript: Transcript): Generator<Paragraph> {
  if (hasHeader(transcript.options)) yield* titleBlock(transcript)
  if (transcript.turns.length === 0) yield plainParagraph('note', noSpeechNotice)
  const markAt = placeMarks(transcript)
  let index = 0
  for (const turn of labelledTurns(transcript)) {
    const rightToLeft = isRightToLeft(turn.parts.find(({ kind }) => kind !== 'time')?.text ?? '')
    const mark = markAt(transcript.turns[index++]?.words[0]?.start ?? 0)
    yield { style: 'turn', ...turn, rightToLeft, mark, begins: null }
  }
  const damage = damageNotice(transcript)
  if (damage !== null) yield plainParagraph('note', damage)
}

/**
 * The running head of a transcript's pages after its first: the title in the service templates, nothing in the blank
 * ones.
 */
export function pageHeader(transcript: Transcript): string | null {
  return hasHeader(transcript.options) ? headerLines(transcript)[0] : null
}
