import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import type { DeskPart } from '../../../contract/work/parts.ts'
import type { CorrectionHome } from '../../base/api/corrections.ts'

/** Length of the sound included before the part. Seconds. */
const soundBefore = 10

/** The second of the recording at which the part's sound begins; times on the desk are relative to it. */
export function soundStart({ position, start }: DeskPart['part']): number {
  return position === 0 ? 0 : Math.max(0, start - soundBefore)
}

/** A time shifted by some seconds, in whole milliseconds: shifting it back restores it exactly. */
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

/** A part's corrections, with times relative to the start of its sound. @param start of the sound, in seconds */
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
