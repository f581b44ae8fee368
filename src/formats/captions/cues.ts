import type { CaptionRules } from '../../contract/account/captions.ts'
import type { CueEdit } from '../../contract/account/corrections.ts'
import type { Transcript } from '../../text/transcript.ts'
import { isWeakEnd } from './caption-lines.ts'
import { defaultCaptionRules, describeTiming, fewCharacters, frameMs, nameShare, toCaptionMs } from './caption-rules.ts'
import { type Break, chooseBreaks, shownMs } from './choose-breaks.ts'
import { type CueWord, cueWords } from './cue-words.ts'

/** One caption. */
export type Cue = {
  startMs: number
  endMs: number
  lines: string[]
  speaker: string | null
  /** prefix of the first line after a change of speaker, which leaves room for it; else empty */
  mark: string
  /** index of its first word in the transcript */
  word: number
  /** its manual settings, or those of the caption that it continues: an end is that of the last part */
  edit?: CueEdit | undefined
  /** the rules split it from a caption that somebody set */
  continues: boolean
  /** when it begins and ends by these settings; null: automatically */
  set: { startMs: number | null; endMs: number | null }
}

/** Broadcasters' convention. */
const dash = '- '

/** A pause that ends a cue. */
const breakingPauseMs = 1_500
/** Minimum display time, even for words without duration; later cues move back. */
const floorMs = 40
/** Window size and how many of its words are settled per step: the latency stays low even for a turn of hours. */
const weighedWords = 300
const settledWords = 200

function hasTurnMarks({ turns, options }: Transcript): boolean {
  return options.speaker_tracking === 'on' && turns.some(({ speaker }) => speaker !== turns[0]?.speaker)
}

function longestMark({ speakers, lineLength }: CaptionRules): number {
  return speakers === 'dash' ? dash.length : Math.floor(lineLength * nameShare)
}

function speakerMark({ speaker }: CueWord, rules: CaptionRules): string {
  const name = `${speaker}: `
  return rules.speakers === 'name' && speaker !== null && name.length <= longestMark(rules) ? name : dash
}

/** How many leading words are spoken by one person without a long pause; if all of them: they may continue. */
function stretchLength(words: readonly CueWord[]): number {
  let isWhole = false
  const at = words.findIndex((word, index) => {
    if (word.cue !== undefined) isWhole = word.cue.whole === true
    const before = words[index - 1]
    if (before === undefined) return false
    return word.turn !== before.turn || (!isWhole && word.startMs - before.endMs >= breakingPauseMs)
  })
  return at === -1 ? words.length : at
}

/** Settings of the caption before, which a caption without its own continues; none if it is not whole. */
function continueEdit(before: CueEdit | undefined): CueEdit | undefined {
  return before?.whole === true ? { whole: true, end: before.end, top: before.top } : undefined
}

type Placed = {
  words: readonly CueWord[]
  next: CueWord | undefined
  earliestMs: number
  mark: string
  /** settings that a caption without its own has */
  continued: CueEdit | undefined
}

/** When a caption ends by its settings; null: automatically. Only the last part of a split caption ends as was set. */
function findSetEnd(edit: CueEdit | undefined, first: CueWord, next: CueWord | undefined, rules: CaptionRules) {
  if (edit?.end === undefined) return null
  const isLast = edit.whole !== true || next === undefined || next.cue !== undefined || next.turn !== first.turn
  return isLast ? toCaptionMs(edit.end, rules) : null
}

function makeCue(
  { words, next: after, earliestMs, mark: turnMark, continued }: Placed,
  { from, to, lineEnds }: Break,
  rules: CaptionRules,
  isMarked: boolean,
): Cue {
  const [first, last] = [words[from], words[to - 1]]
  if (first === undefined || last === undefined) throw new Error('A caption has words.')
  const mark = from === 0 ? turnMark : ''
  const lines = lineEnds.map((end, line) => {
    return words
      .slice(line === 0 ? from : lineEnds[line - 1], end)
      .map(({ text }) => text)
      .join(' ')
  })
  const characters = lines.join(' ').length + mark.length
  const startMs = Math.max(first.startMs, earliestMs)
  const next = words[to] ?? after
  const untilMs = (next?.startMs ?? Number.POSITIVE_INFINITY) - startMs
  const { cue: edit = continued, word } = first
  const set = {
    startMs: first.cue?.start === undefined ? null : toCaptionMs(first.cue.start, rules),
    endMs: findSetEnd(edit, first, next, rules),
  }
  const setMs = (set.endMs ?? Number.NEGATIVE_INFINITY) - startMs
  const shown = setMs < floorMs ? shownMs(last.endMs - startMs, characters, untilMs, rules) : Math.min(setMs, untilMs)
  const endMs = startMs + Math.max(floorMs, Math.round(shown))
  return {
    startMs,
    endMs,
    lines,
    speaker: isMarked ? first.speaker : null,
    mark,
    word,
    edit,
    continues: first.cue === undefined && edit !== undefined,
    set,
  }
}

/**
 * The captions of a transcript, one at a time, in order, never overlapping. A cue holds words of one turn, in at most
 * `maxLines` lines and `maxSeconds`. Breaks are optimized over all words up to a pause or the turn's end: not after a
 * weak word or a few letters if avoidable, preferably after sentences and clauses; manual settings of a caption are
 * kept if they fit. It is shown as long as reading takes if the speech after it permits, with a gap of some frames
 * before the next.
 */
export function* buildCues(transcript: Transcript, rules: CaptionRules = defaultCaptionRules): Generator<Cue> {
  const source = cueWords(transcript, rules.lineLength - longestMark(rules), rules)
  const isMarked = hasTurnMarks(transcript)
  const window: CueWord[] = []
  let earliestMs = 0
  let previousTurn = -1
  let continued: CueEdit | undefined
  for (;;) {
    while (window.length <= weighedWords) {
      const { value } = source.next()
      if (value === undefined) break
      window.push(value)
    }
    const [first] = window
    if (first === undefined) return
    const length = Math.min(stretchLength(window), weighedWords)
    const goesOn = length === weighedWords && window.length > length
    const words = window.slice(0, length)
    const mark = isMarked && first.turn !== previousTurn ? speakerMark(first, rules) : ''
    const next = window[length]
    const nextMs = next?.startMs ?? Number.POSITIVE_INFINITY
    if (first.turn !== previousTurn) continued = undefined
    const stretch = { words, nextMs, indent: mark.length, goesOn }
    let settled = 0
    for (const one of chooseBreaks(stretch, rules)) {
      if (goesOn && settled > 0 && one.to > settledWords) break
      const cue = makeCue({ words, next, earliestMs, mark, continued }, one, rules, isMarked)
      continued = continueEdit(cue.edit)
      earliestMs = cue.endMs
      settled = one.to
      yield cue
    }
    window.splice(0, settled)
    previousTurn = first.turn
  }
}

/** The lines of a cue as displayed, with the speaker's mark before the first. */
export function shownLines({ lines, mark }: Cue): string[] {
  return lines.map((line, index) => (index === 0 ? mark + line : line))
}

/**
 * A rule violation of a cue, or a set time that it could not be given. `cue` counts from 1; `value` is characters per
 * second, the longest line's length, seconds or characters, the set time in seconds, or null.
 */
export type CueWarning = {
  cue: number
  kind:
    | 'too fast to read'
    | 'line too long'
    | 'too short'
    | 'too long'
    | 'too close to the next'
    | 'ends with a weak word'
    | 'begins after its set time'
    | 'ends before its set time'
    | 'ends after its set time'
    | 'ends after the recording'
  value: number | null
}

/**
 * The cues that violate the rules: the speech is too fast or too dense for any compliant breaks. Those that somebody has
 * set or moved must end with the recording; others may last until they are read.
 * @param recordingMs length of the recording
 */
export function* cueWarnings(
  cues: Iterable<Cue>,
  rules: CaptionRules = defaultCaptionRules,
  recordingMs = Number.POSITIVE_INFINITY,
): Generator<CueWarning> {
  const isMoved = describeTiming(rules.timing) !== null
  let number = 0
  let previous: Cue | null = null
  for (const cue of cues) {
    if (previous !== null && cue.startMs - previous.endMs < rules.gapFrames * frameMs) {
      yield { cue: number, kind: 'too close to the next', value: (cue.startMs - previous.endMs) / frameMs }
    }
    number++
    previous = cue
    yield* checkCue(cue, number, rules)
    yield* checkSetTimes(cue, number)
    if (cue.endMs > recordingMs && (isMoved || cue.set.startMs !== null || cue.set.endMs !== null)) {
      yield { cue: number, kind: 'ends after the recording', value: recordingMs / 1_000 }
    }
  }
}

/** What somebody set and the words or the captions around it do not permit. */
function* checkSetTimes({ startMs, endMs, set }: Cue, cue: number): Generator<CueWarning> {
  if (set.startMs !== null && startMs > set.startMs) {
    yield { cue, kind: 'begins after its set time', value: set.startMs / 1_000 }
  }
  if (set.endMs === null || endMs === set.endMs) return
  const kind = endMs < set.endMs ? 'ends before its set time' : 'ends after its set time'
  yield { cue, kind, value: set.endMs / 1_000 }
}

function* checkCue(cue: Cue, number: number, rules: CaptionRules): Generator<CueWarning> {
  const lines = shownLines(cue)
  const characters = lines.join(' ').length
  const seconds = (cue.endMs - cue.startMs) / 1_000
  const longest = Math.max(...lines.map((line) => line.length))
  if (characters > rules.charactersPerSecond * seconds) {
    yield { cue: number, kind: 'too fast to read', value: characters / seconds }
  }
  if (longest > rules.lineLength) yield { cue: number, kind: 'line too long', value: longest }
  if (seconds < rules.minSeconds) yield { cue: number, kind: 'too short', value: seconds }
  else if (characters < fewCharacters) yield { cue: number, kind: 'too short', value: characters }
  if (seconds > rules.maxSeconds) yield { cue: number, kind: 'too long', value: seconds }
  if (cue.lines.some((line) => isWeakEnd(line.split(' ').at(-1) ?? ''))) {
    yield { cue: number, kind: 'ends with a weak word', value: null }
  }
}
