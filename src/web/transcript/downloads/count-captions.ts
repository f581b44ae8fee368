import type { ExportFormat } from '../../../formats/format-table.ts'

/** A caption's times in SRT, SBV, VTT or TTML. */
const times = /^(?:\d[\d:]*[.,]\d{3}(?: --> |,)\d|<p begin=)/gm

/** Where EBU-STL's first block has the number of subtitles, as five digits. */
const stlCount = { from: 243, to: 248 }

/** The captions in a file of an export format of captions, counted in its content. */
export async function countCaptions(format: ExportFormat, content: Blob): Promise<number> {
  if (format === 'stl') return Number(await content.slice(stlCount.from, stlCount.to).text())
  return (await content.text()).match(times)?.length ?? 0
}
