import { shareTime } from '../../../text/share-time.ts'

/** In seconds of the recording. */
export type Times = { start: number; end: number }

/**
 * A word of a caption.
 * @param span of its caption: one object for all words of it; in order, not overlapping
 * @param shared its time if all words of the caption share the span
 */
export type CaptionWord = { text: string; span: Times; shared: Times }

/** Recognized times that leave a word less than this between them give way. */
const leastSeconds = 0.04

/**
 * Times for all words of captions: starts rise, and no word ends after the next begins. A recognized time is kept if it
 * leaves its neighbors room; the words between two of them get the time between, within their caption.
 * @param recognized by word; null for a word without one
 */
export function fitTimes(words: readonly CaptionWord[], recognized: readonly (Times | null)[]): Times[] {
  const kept = [...recognized]
  const fitted: Times[] = []
  dropCrowding(words, kept)
  for (let at = 0; at < words.length; at = fitted.length) {
    const one = kept[at]
    fitted.push(...(one ? [one] : shareRoom(words, kept, at)))
  }
  return fitted.map(({ start, end }, at) => ({ start, end: Math.min(end, fitted[at + 1]?.start ?? end) }))
}

type Kept = (Times | null)[]

/** Drops recognized times until all words have room. Each step drops one or advances. */
function dropCrowding(words: readonly CaptionWord[], kept: Kept): void {
  for (let at = 0; at < words.length; ) {
    const [one, next] = [kept[at], kept[at + 1]]
    const to = one ? at + 1 : findEnd(words, kept, at)
    const crowding = one ? (next && next.start <= one.start ? to : null) : findCrowding(words, kept, at, to)
    if (crowding === null) at = to
    else {
      kept[crowding] = null
      at = Math.min(at, findBegin(words, kept, crowding))
    }
  }
}

/** The end of a run of words without recognized times in one caption. */
function findEnd(words: readonly CaptionWord[], kept: Kept, from: number): number {
  let to = from + 1
  while (to < words.length && !kept[to] && words[to]?.span === words[from]?.span) to++
  return to
}

/** Where the run that a word is in begins. */
function findBegin(words: readonly CaptionWord[], kept: Kept, at: number): number {
  let from = at
  while (from > 0 && !kept[from - 1] && words[from - 1]?.span === words[at]?.span) from--
  return from
}

/** The time between the recognized words around a run, within its caption, and its own share of the caption. */
function measureRoom(words: readonly CaptionWord[], kept: Kept, from: number, to: number) {
  const { span, shared } = words[from] as CaptionWord
  const own = { start: shared.start, end: (words[to - 1] as CaptionWord).shared.end }
  const room = {
    start: Math.max(span.start, kept[from - 1]?.end ?? span.start),
    end: Math.min(span.end, kept[to]?.start ?? span.end),
  }
  const least = Math.min((to - from) * leastSeconds, (own.end - own.start) / 2)
  return { own, room, isEnough: room.end - room.start >= least }
}

/** Of the recognized words around a run, the one that reaches further into its share; null if they leave room. */
function findCrowding(words: readonly CaptionWord[], kept: Kept, from: number, to: number): number | null {
  const { own, room, isEnough } = measureRoom(words, kept, from, to)
  if (isEnough) return null
  return room.start - own.start > own.end - room.end ? from - 1 : to
}

/** Times for the run that begins here: its share of the caption as far as that is free, else all of the room. */
function shareRoom(words: readonly CaptionWord[], kept: Kept, from: number): Times[] {
  const to = findEnd(words, kept, from)
  const { own, room } = measureRoom(words, kept, from, to)
  const [start, end] = [Math.max(own.start, room.start), Math.min(own.end, room.end)]
  const run = words.slice(from, to)
  if (start === own.start && end === own.end) return run.map(({ shared }) => shared)
  const isFree = end - start >= (own.end - own.start) / 2
  const texts = run.map(({ text }) => text)
  return isFree ? shareTime(texts, start, end) : shareTime(texts, room.start, room.end)
}
