import { type Difference, findDifferences } from '../../../text/differences.ts'
import { replacePlaces } from '../../../text/patches.ts'
import { shareVoicedTime } from '../../../text/share-time.ts'
import { newWord, type Word } from '../model/word.ts'

/** Seconds. */
export type Stretch = { from: number; to: number }
/** Finds the parts of a stretch in which somebody speaks; null if the sound does not tell: too noisy, or no pauses. */
export type Voiced = (within: Stretch) => Stretch[] | null

/** Confidence of typed words: a person is sure. */
const typedConf = 1

/**
 * Assigns times to the words of an edited text. Unchanged words keep their times, confidence and origin; typed words
 * share the time of the words that they replace, without its pauses, in proportion to their length. The last word ends a turn if the old last one did.
 * @param old the words before editing
 * @param texts the words after editing, none empty
 * @param gap the time available before the first and after the last unchanged word, in seconds
 * @param voiced where somebody speaks, by the sound; null: where words were heard
 */
export function retime(
  old: readonly Word[],
  texts: readonly string[],
  gap: Stretch,
  voiced: Voiced | null = null,
): Word[] {
  const result: Word[] = []
  const speaker = old[0]?.speaker ?? -1
  /** settings of a caption whose first words were removed */
  let orphan: Word['cue']
  const keep = (from: number, to: number) => {
    for (const word of old.slice(from, to)) {
      result.push({ ...word, endsTurn: false, cue: word.cue ?? orphan })
      orphan = undefined
    }
  }
  const differences = findDifferences(old.length, texts.length, (a, b) => old[a]?.text === texts[b])
  const places = dropChanceMatches(old, texts, differences, gap, voiced)
  replacePlaces({ from: 0, to: old.length }, places, keep, ({ from, to, begin, end }) => {
    // Caption settings move to the words that replace the old ones, else to the next word.
    const cues = old.slice(from, to).flatMap(({ cue }) => cue ?? [])
    if (begin === end) {
      orphan = cues.at(-1)
      return
    }
    const [cue] = cues
    const free = freeTime(old, from, to, gap)
    for (const [index, word] of shareVoicedTime(
      texts.slice(begin, end),
      voicedParts(old.slice(from, to), free, voiced),
    ).entries()) {
      result.push({ ...newWord, ...word, conf: typedConf, speaker, ...(index === 0 && cue && { cue }) })
    }
  })
  const last = result.at(-1)
  if (last !== undefined) last.endsTurn = old.at(-1)?.endsTurn ?? false
  return result
}

/** As many unchanged words in a row are no chance. */
const surely = 3
/** How far unchanged words may be from where their neighbors' letters put them. Seconds. */
const mostOff = 0.6
/** Letters typed for each that was there: beyond these, speech was cut out or added, and letters tell no time. */
const asMany = { least: 2 / 3, most: 3 / 2 }
/** The same where the sound is known: letters a second. */
const spokenLetters = { least: 8, most: 25 }
const isWithin = (value: number, { least, most }: typeof asMany) => value >= least && value <= most

/**
 * Joins changes around one or two unchanged words that are far from where they should be: where a recognizer heard
 * nonsense, a "the" of it is another one than that of the same name in the typed text.
 */
function dropChanceMatches(
  old: readonly Word[],
  texts: readonly string[],
  differences: readonly Difference[],
  gap: Stretch,
  voiced: Voiced | null,
): Difference[] {
  const isNear = (one: Difference | undefined, next: Difference) => one !== undefined && next.from - one.to < surely
  const joined: Difference[] = []
  for (let first = 0; first < differences.length; ) {
    let end = first + 1
    while (end < differences.length && isNear(differences[end - 1], differences[end] as Difference)) end += 1
    joined.push(...joinFar(old, texts, differences.slice(first, end), gap, voiced))
    first = end
  }
  return joined
}

/** @param near changes with one or two unchanged words between each two */
function joinFar(
  old: readonly Word[],
  texts: readonly string[],
  near: readonly Difference[],
  gap: Stretch,
  voiced: Voiced | null,
): Difference[] {
  const [head, tail] = [near[0], near.at(-1)]
  if (head === undefined || tail === undefined || near.length === 1) return [...near]
  const [heard, typed] = [old.slice(head.from, tail.to), texts.slice(head.begin, tail.end)]
  const parts = voicedParts(heard, freeTime(old, head.from, tail.to, gap), voiced)
  const letters = typed.join('').length
  const ratio = letters / heard.map(({ text }) => text).join('').length
  const speed = letters / parts.reduce((sum, { from, to }) => sum + to - from, 0)
  const isSpoken = voiced === null ? isWithin(ratio, asMany) : isWithin(speed, spokenLetters)
  if (!isSpoken) return [...near]
  const even = shareVoicedTime(typed, parts)
  const isFar = (at: number, word: number) =>
    Math.abs((even[word - head.begin]?.start ?? 0) - (old[at]?.start ?? 0)) > mostOff
  const joined: Difference[] = []
  for (const next of near) {
    const last = joined.at(-1)
    // Caption settings stay with their words.
    const isFree = last && old.slice(last.to, next.from).every(({ cue }) => cue === undefined)
    if (last && isFree && isFar(last.to, last.end)) Object.assign(last, { to: next.to, end: next.end })
    else joined.push({ ...next })
  }
  return joined
}

/** Silence between words that is no pause, but the recognizer's rounding, in seconds. */
const noPause = 0.25

/**
 * The stretches of free time in which somebody speaks, by the sound, else by the replaced words; all of it if there were
 * none.
 */
function voicedParts(replaced: readonly Word[], free: Stretch, voiced: Voiced | null): Stretch[] {
  const heard = voiced?.(free)
  if (heard) return heard
  const parts: Stretch[] = []
  for (const { start, end } of replaced) {
    const [from, to] = [Math.max(start, free.from), Math.min(end, free.to)]
    const last = parts.at(-1)
    if (last !== undefined && from - last.to < noPause) last.to = Math.max(last.to, to)
    else if (from < to) parts.push({ from, to })
  }
  return parts.length === 0 ? [free] : parts
}

/** The time of the removed words; if none were removed, the pause between the neighbors. */
function freeTime(old: readonly Word[], first: number, end: number, gap: Stretch): Stretch {
  const left = old[first - 1]?.end ?? gap.from
  const right = old[end]?.start ?? gap.to
  const from = first < end ? Math.max(left, old[first]?.start ?? left) : left
  const to = first < end ? Math.min(Math.max(right, from), old[end - 1]?.end ?? right) : right
  return { from, to: Math.max(from, to) }
}
