import type { Transcript } from '../../text/transcript.ts'
import { isDoubleSpaced, shownTime, speakerName, splitParts } from '../../text/transcript.ts'

/*
 * The page layout of all document formats: A4, in points of 1/72 inch, like the screen's reading column. Time and name
 * have their own columns, in the hanging indent of the text.
 */

export const page = { width: 595.28, height: 841.89, side: 68, top: 76, bottom: 76 } as const

/** The serif used on screen, and its fallbacks for machines without it. */
export const serif = { name: 'Source Serif 4', instead: ['Georgia', 'Times New Roman'] } as const

/** Sizes in points, the space below, and the gray of secondary text. */
export const styles = {
  title: { size: 20, after: 5 },
  details: { size: 10, after: 2 },
  lastDetails: { size: 10, after: 22 },
  turn: { size: 11, after: 7 },
  note: { size: 10, after: 7 },
  small: { size: 9, after: 0 },
  speaker: { size: 10 },
  time: { size: 9.5 },
} as const

export const grey = '595959'
/** Line height as a multiple of the font size. */
export const lineHeight = 1.38

/** Average width of a letter in a name, and the gap between a name and the text. */
const [letterWidth, besideName] = [5.4, 20]
/** Maximum width of names in the margin; longer ones wrap. */
const widestName = 104

export type Columns = { time: number; name: number }

/**
 * Widths of the time and name columns of a whole document, in points; 0 if the order has none. Estimated by letter
 * count, as not all formats can measure.
 */
export function columnWidths(transcript: Transcript): Columns {
  const all = splitParts(transcript).map(columnsOfPart)
  return { time: Math.max(...all.map(({ time }) => time)), name: Math.max(...all.map(({ name }) => name)) }
}

function columnsOfPart(transcript: Transcript): Columns {
  const { options, turns, timesEvery } = transcript
  const last = turns.at(-1)?.words[0]?.start ?? 0
  const hasTimes = options.time_coding === 'on' && timesEvery === undefined && turns.length > 0
  let longest = 0
  if (options.speaker_tracking === 'on') {
    const names = new Set(turns.map((turn) => speakerName(transcript, turn)))
    for (const name of names) longest = Math.max(longest, name?.length ?? 0)
  }
  return {
    time: hasTimes ? Math.round(shownTime(transcript, last).length * 4.9 + 12) : 0,
    name: longest === 0 ? 0 : Math.min(widestName, Math.round(longest * letterWidth + besideName)),
  }
}

/** True if a name fits next to the text in one line. */
export function fitsMargin(name: string, { name: room }: Columns): boolean {
  return name.length * letterWidth + besideName <= room + 1
}

/** Line spacing of a whole document, taken from its first transcript: 1 single, 2 double. */
export function lineSpacing({ options }: Transcript): 1 | 2 {
  return isDoubleSpaced(options) ? 2 : 1
}
