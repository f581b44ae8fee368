import type { StoredWord } from '../../../text/build-transcript.ts'
import type { VoicedStretch } from './diarise.ts'

/** A speaker change is snapped to a pause between words within this distance. */
const snapSeconds = 0.8
const snapWords = 3

/** Finds the stretch that contains the middle of a word, or the nearest in time. */
function findStretch(word: StoredWord, stretches: readonly VoicedStretch[], from: number): number {
  const middleMs = ((word.start + word.end) / 2) * 1_000
  let at = from
  while (at + 1 < stretches.length) {
    const here = stretches[at]
    const next = stretches[at + 1]
    if (here === undefined || next === undefined) break
    const isNearer = Math.max(0, next.startMs - middleMs) < Math.max(0, middleMs - here.endMs)
    if (middleMs < next.startMs && !isNearer) break
    at += 1
  }
  return at
}

/** Snaps each speaker change to the longest pause nearby. */
function snapToPauses(words: readonly StoredWord[], speakers: number[]): void {
  for (let change = 1; change < words.length; change += 1) {
    if (speakers[change] === speakers[change - 1]) continue
    const at = words[change]?.start ?? 0
    let best = change
    for (
      let candidate = Math.max(1, change - snapWords);
      candidate <= Math.min(words.length - 1, change + snapWords);
      candidate += 1
    ) {
      const start = words[candidate]?.start ?? 0
      if (Math.abs(start - at) > snapSeconds) continue
      const pause = start - (words[candidate - 1]?.end ?? 0)
      const bestPause = (words[best]?.start ?? 0) - (words[best - 1]?.end ?? 0)
      if (pause > bestPause + 0.05) best = candidate
    }
    const [before, after] = [speakers[change - 1] ?? 0, speakers[change] ?? 0]
    for (let index = best; index < change; index += 1) speakers[index] = after
    for (let index = change; index < best; index += 1) speakers[index] = before
    change = Math.max(change, best)
  }
}

/**
 * Assigns speakers to words, and sets `turn` and `turn_conf` on the last word before a change (spec 2.4). With one
 * voice or none there are no turns.
 * @param stretches in order of time
 */
export function assignSpeakers(words: readonly StoredWord[], stretches: readonly VoicedStretch[]): StoredWord[] {
  if (new Set(stretches.map(({ speaker }) => speaker)).size < 2) return [...words]
  let at = 0
  const places = words.map((word) => {
    at = findStretch(word, stretches, at)
    return at
  })
  const speakers = places.map((place) => stretches[place]?.speaker ?? 0)
  snapToPauses(words, speakers)
  return words.map((word, index) => {
    const speaker = speakers[index] ?? 0
    const next = speakers[index + 1]
    if (next === undefined || next === speaker) return { ...word, speaker }
    const sure = [index, index + 1].map((each) => stretches[places[each] ?? 0]?.confidence ?? 0)
    return { ...word, speaker, turn: true, turn_conf: Math.round(Math.min(...sure) * 1_000) / 1_000 }
  })
}
