import type { CueEdit } from '../contract/account/corrections.ts'
import type { OrderOptions } from '../contract/interface/option-values.ts'
import type { WordRecord } from '../contract/interface/words.ts'
import { minutesSeconds, timeOfDay } from './clock-time.ts'
import { plainText } from './plain-text.ts'

/** A word, with any manual settings of the caption that begins with it. */
type CaptionedWord = WordRecord & { cue?: CueEdit | undefined }

/** A stretch of one speaker's words. `speaker` counts from 0 in order of first word; null if unknown. */
export type Turn = { speaker: number | null; words: readonly CaptionedWord[] }

/** A word in the list of all words. `speaker` as in `Turn`; `endsTurn`: another turn follows */
export type VoicedWord = { record: CaptionedWord; speaker: number | null; endsTurn: boolean }

/** The input of every format. Pure data: the service fills it from its files, the dashboard from corrections. */
export type Transcript = {
  title: string
  /** names in order of first word, `Speaker 1` if no name was given */
  speakers: readonly string[]
  /** no turn is empty */
  turns: readonly Turn[]
  options: OrderOptions
  /** ISO 8601, UTC */
  created: string
  durationMs: number
  progressPercent: number
  /** end of the readable part of a damaged recording; absent if all of it is readable */
  readableMs?: number
  /** what a clock showed when the recording began, in seconds of the day; absent: times count from 0 */
  beginsAtSeconds?: number
  /** captions have times of the clock, too, instead of the recording's, and JSON has both */
  captionsOfClock?: boolean
  /**
   * seconds: times appear within the text, at the first word at or after each multiple, not at the start of each turn;
   * applies if `time_coding` is on
   */
  timesEvery?: number
  /** words with a lower conf are marked in text and documents; absent: none */
  doubtfulBelow?: number
  /** further transcripts in the same document, each starting a new page; none of them has any itself */
  more?: readonly Transcript[]
  /** files missing from the document, each with the reason */
  missing?: readonly string[]
}

/** All words of a transcript in order. */
export function* voicedWords({ turns }: Pick<Transcript, 'turns'>): Generator<VoicedWord> {
  for (const [index, { speaker, words }] of turns.entries()) {
    for (const [place, record] of words.entries()) {
      yield { record, speaker, endsTurn: place === words.length - 1 && index < turns.length - 1 }
    }
  }
}

/** Cuts words into turns; a turn has its last word's speaker. */
export function cutTurns(words: Iterable<VoicedWord>): Turn[] {
  const turns: { speaker: number | null; words: CaptionedWord[] }[] = []
  let isCut = true
  for (const { record, speaker, endsTurn } of words) {
    const { turn: _turn, turn_conf, ...word } = record
    if (isCut) turns.push({ speaker, words: [] })
    const turn = turns.at(-1)
    turn?.words.push(endsTurn ? { ...word, turn: true, turn_conf: turn_conf ?? 1 } : word)
    if (turn !== undefined) turn.speaker = speaker
    isCut = endsTurn
  }
  return turns
}

/** The transcripts of a document, usually one. */
export function splitParts(transcript: Transcript): readonly Transcript[] {
  return [transcript, ...(transcript.more ?? [])]
}

/** The last lines of a document with missing files. */
export function missingLines({ missing = [] }: Transcript): readonly string[] {
  return missing.length === 0 ? [] : ['These files are missing from this document:', ...missing]
}

/** A time of the recording as texts show it: `mm:ss`, or `hh:mm:ss` of the clock if its beginning is known. */
export function shownTime({ beginsAtSeconds }: Pick<Transcript, 'beginsAtSeconds'>, seconds: number): string {
  return beginsAtSeconds === undefined ? minutesSeconds(seconds) : timeOfDay(beginsAtSeconds + seconds)
}

/** Content of a finished transcript in every text format if nobody spoke. */
export const noSpeechNotice = 'No speech was found in this recording.'

/** The last line of a text format if the end of the recording was unreadable; null if all of it was readable. */
export function damageNotice(transcript: Transcript): string | null {
  const { readableMs, durationMs } = transcript
  if (readableMs === undefined) return null
  const [from, to] = [shownTime(transcript, readableMs / 1_000), shownTime(transcript, durationMs / 1_000)]
  return `[The recording is damaged: from ${from} to its end at ${to} it could not be read.]`
}

const damageLine = /^\[The recording is damaged: .+\]$/

/** True for a line that `damageNotice` wrote. */
export function isDamageNotice(line: string): boolean {
  return damageLine.test(line)
}

/** The name of a turn's speaker, fit for a line of text; null if it is unknown. */
export function speakerName(transcript: Transcript, turn: Turn): string | null {
  if (turn.speaker === null) return null
  const name = plainText((transcript.speakers[turn.speaker] ?? '').replaceAll(':', ' '))
  return name === '' ? `Speaker ${turn.speaker + 1}` : name
}

/** The text of a turn: its words joined by spaces. */
export function turnText(turn: Turn): string {
  return plainText(turn.words.map(({ word }) => word).join(' '))
}

/** True if the option `transcript_template` is one of the two that are double line spaced (spec 2.3). */
export function isDoubleSpaced(options: OrderOptions): boolean {
  return options.transcript_template.endsWith('double line spaced')
}

/** True if the service's header precedes the text; the blank templates have none (spec 2.3). */
export function hasHeader(options: OrderOptions): boolean {
  return options.transcript_template.startsWith('service')
}
