import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import type { DeskPart } from '../../../contract/work/parts.ts'
import type { CorrectionHome } from '../../base/api/corrections.ts'

/** So much sound stands before the part. Seconds. */
const soundBefore = 10

/** The second of the recording at which the part's sound begins; times on the desk count from there. */
export function soundStart({ position, start }: DeskPart['part']): number {
  return position === 0 ? 0 : Math.max(0, start - soundBefore)
}

/** A time moved by some seconds, in whole milliseconds: there and back it is the same. */
export function moved(seconds: number, by: number): number {
  return Math.max(0, Math.round((seconds + by) * 1_000) / 1_000)
}

function movedPatches(patches: CorrectionSet['patches'], by: number): CorrectionSet['patches'][number][] {
  return patches.map((patch) => ({
    ...patch,
    startSeconds: moved(patch.startSeconds, by),
    words: patch.words.map((word) => ({ ...word, start: moved(word.start, by), end: moved(word.end, by) })),
  }))
}

/** The corrections of a part with times that count from the begin of its sound. @param start of the sound, in seconds */
export function shiftedHome({ fetch, send }: CorrectionHome, start: number): CorrectionHome {
  return {
    async fetch(known) {
      const kept = await fetch(known)
      if (kept?.set == null) return kept
      return { ...kept, set: { ...kept.set, patches: movedPatches(kept.set.patches, -start) } }
    },
    send: (revision, change) => send(revision, { ...change, put: movedPatches(change.put, start) }),
  }
}
