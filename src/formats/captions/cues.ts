import type { Transcript } from '../transcript.ts'
import type { CueWord } from './cue-words.ts'
import { cueWords } from './cue-words.ts'
import { balancedLines, lineCount } from './wrap-lines.ts'

/** The limits of captions. Lengths in UTF-16 units, so that no reader counts more. */
export type CueParameters = { lineLength: number; maxLines: number; maxSeconds: number; charactersPerSecond: number }

/** Usual limits of caption editors: lines and durations that people can read. */
export const defaultCueParameters: CueParameters = {
  lineLength: 42,
  maxLines: 2,
  maxSeconds: 7,
  charactersPerSecond: 20,
}

/** One caption. `startsTurn`: the speaker has changed and a dash goes before the first line, which has room for it. */
export type Cue = { startMs: number; endMs: number; lines: string[]; speaker: string | null; startsTurn: boolean }

/** Goes before the first line of a new speaker; broadcasters' dash. */
const turnMark = '- '

/** A pause that ends a cue, and how long a cue stays at least where nothing follows. */
const breakingPauseMs = 1_500
const shortestMs = 1_000
/** How long even words of no duration are shown; later cues move back. */
const floorMs = 40

/** How good it is to break behind a word: sentence, clause or pause. */
function breakQuality(word: CueWord, next: CueWord): number {
  const pause = Math.max(0, Math.min(1, (next.startMs - word.endMs) / 700))
  if (/[.!?…。！？]["'”’)]*$/.test(word.text)) return 2 + pause
  if (/[,;:–—、，；：]["'”’)]*$/.test(word.text)) return 1 + pause
  return pause
}

type Shape = { parameters: CueParameters; marked: boolean }

/** How many of the words from the first on can share a cue. At least one. */
function reach(words: readonly CueWord[], { parameters, marked }: Shape): number {
  const { lineLength, maxLines, maxSeconds } = parameters
  const texts: string[] = []
  for (const [index, word] of words.entries()) {
    const previous = words[index - 1]
    const first = words[0] ?? word
    texts.push(word.text)
    if (previous === undefined) continue
    const fits =
      word.turn === first.turn &&
      word.startMs - previous.endMs < breakingPauseMs &&
      word.endMs - first.startMs <= maxSeconds * 1_000 &&
      lineCount(texts, lineLength, marked ? turnMark.length : 0) <= maxLines
    if (!fits) return index
  }
  return words.length
}

/**
 * After how many words to break: all that fit where a turn, a long pause or the transcript ends there; else behind the
 * best sentence end, clause or pause, the fuller the better, not leaving a word alone behind.
 */
function chooseBreak(words: readonly CueWord[], shape: Shape): number {
  const most = reach(words, shape)
  const last = words[most - 1]
  const next = words[most]
  if (last === undefined || next === undefined || next.turn !== last.turn) return most
  if (next.startMs - last.endMs >= breakingPauseMs) return most
  let best = most
  let bestScore = Number.NEGATIVE_INFINITY
  let characters = 0
  const capacity = shape.parameters.lineLength * shape.parameters.maxLines
  for (let count = 1; count <= most; count++) {
    const [word, following, after] = [words[count - 1], words[count], words[count + 1]]
    if (word === undefined || following === undefined) continue
    characters += word.text.length + 1
    const isOrphanLeft = after === undefined || after.turn !== following.turn
    const score = breakQuality(word, following) + (2.5 * characters) / capacity - (isOrphanLeft ? 1 : 0)
    if (score >= bestScore) {
      best = count
      bestScore = score
    }
  }
  return best
}

/** When a cue ends: with its last word, later where reading takes longer and the next cue leaves time. */
function endOf(
  words: readonly CueWord[],
  startMs: number,
  text: string,
  nextMs: number,
  parameters: CueParameters,
): number {
  const spoken = words.at(-1)?.endMs ?? startMs
  const readMs = Math.ceil((text.length * 1_000) / parameters.charactersPerSecond)
  const wanted = Math.max(spoken, startMs + readMs, startMs + shortestMs)
  const latest = Math.min(nextMs, startMs + parameters.maxSeconds * 1_000)
  return Math.max(startMs + floorMs, Math.min(wanted, latest))
}

function hasTurnMarks({ turns, options }: Transcript): boolean {
  return options.speaker_tracking === 'on' && turns.some(({ speaker }) => speaker !== turns[0]?.speaker)
}

/**
 * The captions of a transcript, one at a time, in order, never overlapping. A cue holds words of one turn, in at most
 * `maxLines` lines and `maxSeconds`, broken at sentences, clauses and pauses; it stays as long as reading needs where
 * the speech after it allows.
 */
export function* buildCues(transcript: Transcript, parameters: CueParameters = defaultCueParameters): Generator<Cue> {
  const source = cueWords(transcript, parameters.lineLength - turnMark.length)
  const isMarked = hasTurnMarks(transcript)
  const window: CueWord[] = []
  // More words than any cue holds, so that what follows it can be seen.
  const windowSize = parameters.lineLength * parameters.maxLines + 2
  let previousEndMs = 0
  let previousTurn = -1
  for (;;) {
    while (window.length < windowSize) {
      const { value } = source.next()
      if (value === undefined) break
      window.push(value)
    }
    const first = window[0]
    if (first === undefined) return
    const marked = isMarked && first.turn !== previousTurn
    const words = window.splice(0, chooseBreak(window, { parameters, marked }))
    const texts = words.map(({ text }) => text)
    const startMs = Math.max(first.startMs, previousEndMs)
    const shown = (marked ? turnMark : '') + texts.join(' ')
    const endMs = endOf(words, startMs, shown, window[0]?.startMs ?? Number.POSITIVE_INFINITY, parameters)
    const lines = balancedLines(texts, parameters.lineLength, marked ? turnMark.length : 0)
    yield { startMs, endMs, lines, speaker: isMarked ? first.speaker : null, startsTurn: marked }
    previousEndMs = endMs
    previousTurn = first.turn
  }
}

/** The lines of a cue as they are shown, the speaker's mark before the first. */
export function shownLines({ lines, startsTurn }: Cue): string[] {
  return startsTurn ? lines.map((line, index) => (index === 0 ? turnMark + line : line)) : lines
}

/** What is wrong with one cue. `cue` counts from 1; `value` is characters a second or the longest line's length. */
export type CueWarning = { cue: number; kind: 'too fast to read' | 'line too long'; value: number }

/** The cues that exceed the parameters because the speech is too fast or a character cannot be cut. */
export function* cueWarnings(
  cues: Iterable<Cue>,
  parameters: CueParameters = defaultCueParameters,
): Generator<CueWarning> {
  let number = 0
  for (const cue of cues) {
    number++
    const lines = shownLines(cue)
    const speed = (lines.join(' ').length * 1_000) / (cue.endMs - cue.startMs)
    const longest = Math.max(...lines.map((line) => line.length))
    if (speed > parameters.charactersPerSecond) yield { cue: number, kind: 'too fast to read', value: speed }
    if (longest > parameters.lineLength) yield { cue: number, kind: 'line too long', value: longest }
  }
}
