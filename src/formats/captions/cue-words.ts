import type { CaptionRules } from '../../contract/account/captions.ts'
import type { CueEdit } from '../../contract/account/corrections.ts'
import { plainText } from '../../text/plain-text.ts'
import type { Transcript } from '../../text/transcript.ts'
import { speakerName } from '../../text/transcript.ts'
import { toCaptionMs } from './caption-rules.ts'

/** A word, or a part of one too long for a line, to be placed in a cue. Unlike others it has integer, ordered times. */
export type CueWord = {
  text: string
  startMs: number
  endMs: number
  /** index of its turn; a cue never spans two turns */
  turn: number
  speaker: string | null
  /** its index in the transcript, shared by the parts of one word */
  word: number
  /** manual settings of the caption that it begins */
  cue?: CueEdit | undefined
}

type Timed = Pick<CaptionRules, 'timing'>

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Splits text into parts of at most `length` UTF-16 units, never inside a grapheme. */
export function cutToLength(text: string, length: number): string[] {
  if (text.length <= length) return [text]
  const parts: string[] = []
  let part = ''
  for (const { segment } of graphemes.segment(text)) {
    if (part !== '' && part.length + segment.length > length) {
      parts.push(part)
      part = ''
    }
    part += segment
  }
  return part === '' ? parts : [...parts, part]
}

/** Integer milliseconds of captions, not before `earliest`; NaN counts as `earliest`. */
function orderedMs(seconds: number, earliest: number, rules: Timed): number {
  return Number.isFinite(seconds) ? Math.max(earliest, toCaptionMs(seconds, rules)) : earliest
}

/**
 * All words of a transcript in order, none longer than a line; a part of a split word gets its share of the word's
 * time. Times that decrease or overlap are corrected; a word that begins a caption starts at the caption's manual
 * start, if any. Times are those of the captions.
 */
export function* cueWords(transcript: Transcript, lineLength: number, rules: Timed = {}): Generator<CueWord> {
  let earliest = 0
  let number = -1
  let isFixed = false
  for (const [turn, { speaker: index, words }] of transcript.turns.entries()) {
    const speaker = speakerName(transcript, { speaker: index, words })
    for (const word of words) {
      number++
      const text = plainText(word.word)
      if (text === '') continue
      const startMs = orderedMs(word.cue?.start ?? word.start, earliest, rules)
      const endMs = orderedMs(word.end, startMs, rules)
      if (word.cue !== undefined) isFixed = word.cue.fixed === true
      const parts = text.split(' ').flatMap((part) => (isFixed ? part : cutToLength(part, lineLength)))
      const share = (endMs - startMs) / parts.length
      for (const [at, part] of parts.entries()) {
        earliest = Math.round(startMs + share * at)
        const endMs = Math.round(startMs + share * (at + 1))
        const cue = at === 0 ? word.cue : undefined
        yield { text: part, startMs: earliest, endMs, turn, speaker, word: number, cue }
      }
    }
  }
}
