import type { Transcript } from '../text/transcript.ts'
import { encodeChunks } from './chunks.ts'
import { type ExportFormat, type FormatMeans, formatTable } from './format-table.ts'

/** A finished transcript in a format, in chunks of bytes, made as they are read. */
export async function renderFormat(
  transcript: Transcript,
  format: ExportFormat,
  means: FormatMeans,
): Promise<Iterable<Uint8Array>> {
  return encodeChunks(await formatTable[format].render(transcript, means))
}
