import { findDifferences } from '../../../text/differences.ts'
import { replacePlaces } from '../../../text/patches.ts'
import { shareVoicedTime } from '../../../text/share-time.ts'
import { newWord, type Word } from '../model/word.ts'

/** Confidence of typed words: a person is sure. */
const typedConf = 1

/**
 * Assigns times to the words of an edited text. Unchanged words keep their times, confidence and origin; typed words
 * share the time of the words that they replace, without its pauses, in proportion to their length. The last word ends a turn if the old last one did.
 * @param old the words before editing
 * @param texts the words after editing, none empty
 * @param gap the time available before the first and after the last unchanged word, in seconds
 */
export function retime(old: readonly Word[], texts: readonly string[], gap: Stretch): Word[] {
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
  replacePlaces({ from: 0, to: old.length }, differences, keep, ({ from, to, begin, end }) => {
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
      voicedParts(old.slice(from, to), free),
    ).entries()) {
      result.push({ ...newWord, ...word, conf: typedConf, speaker, ...(index === 0 && cue && { cue }) })
    }
  })
  const last = result.at(-1)
  if (last !== undefined) last.endsTurn = old.at(-1)?.endsTurn ?? false
  return result
}

/** Silence between words that is no pause, but the recognizer's rounding, in seconds. */
const noPause = 0.25

/** The stretches of free time in which the replaced words were spoken; all of it if there were none. */
function voicedParts(replaced: readonly Word[], free: Stretch): Stretch[] {
  const parts: Stretch[] = []
  for (const { start, end } of replaced) {
    const [from, to] = [Math.max(start, free.from), Math.min(end, free.to)]
    const last = parts.at(-1)
    if (last !== undefined && from - last.to < noPause) last.to = Math.max(last.to, to)
    else if (from < to) parts.push({ from, to })
  }
  return parts.length === 0 ? [free] : parts
}

/** Seconds. */
type Stretch = { from: number; to: number }

/** The time of the removed words; if none were removed, the pause between the neighbors. */
function freeTime(old: readonly Word[], first: number, end: number, gap: Stretch): Stretch {
  const left = old[first - 1]?.end ?? gap.from
  const right = old[end]?.start ?? gap.to
  const from = first < end ? Math.max(left, old[first]?.start ?? left) : left
  const to = first < end ? Math.min(Math.max(right, from), old[end - 1]?.end ?? right) : right
  return { from, to: Math.max(from, to) }
}
