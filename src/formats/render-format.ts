import type { Transcript } from '../text/transcript.ts'
import { encodeChunks } from './chunks.ts'
import { type ExportFormat, type FormatMeans, formatTable } from './format-table.ts'

/** Renders a finished transcript in a format, as lazily generated chunks of bytes. */
export async function renderFormat(
  transcript: Transcript,
  format: ExportFormat,
  means: FormatMeans,
): Promise<Iterable<Uint8Array>> {
  return encodeChunks(await formatTable[format].render(transcript, means))
}
