import { type ExportFormat, formatTable } from '../../../formats/format-table.ts'

/** A caption's times in SRT, SBV, VTT or TTML. */
const times = /^(?:\d[\d:]*[.,]\d{3}(?: --> |,)\d|<p begin=)/gm

/** The captions in a file of an export format of captions, counted in its content. */
export async function countCaptions(format: ExportFormat, content: Blob): Promise<number> {
  const { captionCount } = formatTable[format]
  if (captionCount) return Number(await content.slice(captionCount.from, captionCount.to).text())
  return (await content.text()).match(times)?.length ?? 0
}
