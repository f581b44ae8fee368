import type { TranscriptFormat } from '../../contract/transcript-formats.ts'
import { renderSbv, renderSrt } from '../../formats/captions/caption-files.ts'
import { encodeChunks } from '../../formats/chunks.ts'
import { renderJson } from '../../formats/json.ts'
import type { Transcript } from '../../formats/transcript.ts'
import { renderTxt } from '../../formats/txt.ts'
import { ServiceError } from '../service-error.ts'

/** A finished transcript in a format, in chunks of bytes. */
export function renderFormat(
  transcript: Transcript,
  format: TranscriptFormat,
): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  if (format === 'txt') return encodeChunks(renderTxt(transcript))
  if (format === 'json') return encodeChunks(renderJson(transcript))
  if (format === 'srt') return encodeChunks(renderSrt(transcript))
  if (format === 'sbv') return encodeChunks(renderSbv(transcript))
  throw new ServiceError(501, `${format} is not built yet.`)
}
