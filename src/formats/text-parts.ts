import type { WordRecord } from '../contract/interface/words.ts'
import { plainText } from '../text/plain-text.ts'
import type { Transcript, Turn } from '../text/transcript.ts'
import { shownTime, turnText } from '../text/transcript.ts'

/** A stretch of a turn's text: spoken words, doubtful words, or a time within the text as `[mm:ss]`. */
export type TextPart = { text: string; kind: 'said' | 'doubtful' | 'time' }

/** Returns a predicate, to call in word order: true for the first word at or after a multiple of `every` seconds. */
function markedTimes(every: number): (word: WordRecord) => boolean {
  let next = 0
  return ({ start }) => {
    if (start < next) return false
    next = (Math.floor(start / every) + 1) * every
    return true
  }
}

/**
 * Splits each turn into parts, to call in the order of the turns: times within the text by `timesEvery`, doubtful words
 * by `doubtfulBelow`; without either a turn is one part.
 */
export function textParts(transcript: Transcript): (turn: Turn) => TextPart[] {
  const { options, timesEvery, doubtfulBelow } = transcript
  const every = options.time_coding === 'on' ? (timesEvery ?? 0) : 0
  const beginsTime = every > 0 ? markedTimes(every) : () => false
  if (every <= 0 && doubtfulBelow === undefined) return (turn) => [{ text: turnText(turn), kind: 'said' }]
  return (turn) => {
    const parts: TextPart[] = []
    for (const word of turn.words) {
      const text = plainText(word.word)
      if (text === '') continue
      if (beginsTime(word)) parts.push({ text: `[${shownTime(transcript, word.start)}]`, kind: 'time' })
      const kind = word.conf < (doubtfulBelow ?? 0) ? 'doubtful' : 'said'
      const last = parts.at(-1)
      if (last?.kind === kind) last.text += ` ${text}`
      else parts.push({ text, kind })
    }
    return parts
  }
}

const trailingMarks = /\p{P}*$/u

/** Parts as a line of plain text, with editors' marks for doubt: `see the [foundation stones?].` */
export function markedText(parts: readonly TextPart[]): string {
  const texts = parts.map(({ text, kind }) => {
    if (kind !== 'doubtful') return text
    const end = trailingMarks.exec(text)?.index || text.length
    return `[${text.slice(0, end)}?]${text.slice(end)}`
  })
  return texts.join(' ')
}
