import type { ReadCaption } from '../../../formats/captions/read-captions.ts'

/** A caption to be imported: a null end is left to the rules. */
export type TidyCaption = { startMs: number; endMs: number | null; lines: string[]; isTop: boolean }

/** How many captions of a file were not taken as they stood there. */
export type Tidied = {
  /** had no text, and are left out */
  empty: number
  /** were sorted by their beginning */
  backwards: number
  /** end with the beginning of the next */
  overlapping: number
  /** begin with another, and are joined with it */
  joined: number
  /** end before they begin, and get an end by the rules */
  endless: number
  /** are shown for over a minute */
  long: number
  /** have more lines or words than a caption can be kept with, and are broken by the rules */
  dense: number
}

/** Captions that begin within this time of each other are shown at once. Milliseconds. */
const sameTimeMs = 80
const longMs = 60_000

/** Puts captions of a file in order, so that none overlaps; no text is lost. */
export function tidyCaptions(read: readonly ReadCaption[]): { captions: TidyCaption[]; tidied: Tidied } {
  const tidied: Tidied = { empty: 0, backwards: 0, overlapping: 0, joined: 0, endless: 0, long: 0, dense: 0 }
  const captions: TidyCaption[] = []
  const spoken = read.filter(({ lines }) => lines.length > 0)
  tidied.empty = read.length - spoken.length
  tidied.backwards = spoken.filter(({ startMs }, at) => startMs < (spoken[at - 1]?.startMs ?? 0)).length
  for (const { endMs, ...one } of spoken.toSorted((a, b) => a.startMs - b.startMs)) {
    const before = captions.at(-1)
    const isEndless = endMs <= one.startMs
    if (isEndless) tidied.endless++
    else if (endMs - one.startMs > longMs) tidied.long++
    if (before !== undefined && one.startMs - before.startMs < sameTimeMs) {
      tidied.joined++
      before.lines.push(...one.lines)
      before.endMs = isEndless ? before.endMs : Math.max(before.endMs ?? 0, endMs)
      continue
    }
    if (before?.endMs != null && before.endMs > one.startMs) {
      tidied.overlapping++
      before.endMs = one.startMs
    }
    captions.push({ ...one, lines: [...one.lines], endMs: isEndless ? null : endMs })
  }
  return { captions, tidied }
}
