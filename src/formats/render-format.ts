import type { TranscriptFormat } from '../contract/transcript-formats.ts'
import { renderSbv, renderSrt, renderVtt } from './captions/caption-files.ts'
import type { CueParameters } from './captions/cues.ts'
import { encodeChunks } from './chunks.ts'
import { renderCsv } from './csv.ts'
import { renderDoc } from './documents/doc/doc.ts'
import { renderDocx } from './documents/docx.ts'
import { renderOdt } from './documents/odt.ts'
import { renderJson } from './json.ts'
import { renderMarkdown } from './markdown.ts'
import type { Transcript } from './transcript.ts'
import { renderTxt } from './txt.ts'

/** What the dashboard exports of a corrected text, beside the service's seven. */
export const extraFormats = ['vtt', 'docx', 'md', 'csv'] as const
export type ExportFormat = TranscriptFormat | (typeof extraFormats)[number]

/** The formats that need nothing but the transcript; `pdf` needs fonts and stands in `pdf/`. */
export type PlainFormat = Exclude<ExportFormat, 'pdf'>

type Render = (transcript: Transcript, captions?: CueParameters) => Iterable<Uint8Array>

const renderers: Record<PlainFormat, Render> = {
  txt: (transcript) => encodeChunks(renderTxt(transcript)),
  json: (transcript) => encodeChunks(renderJson(transcript)),
  srt: (transcript, captions) => encodeChunks(renderSrt(transcript, captions)),
  sbv: (transcript, captions) => encodeChunks(renderSbv(transcript, captions)),
  vtt: (transcript, captions) => encodeChunks(renderVtt(transcript, captions)),
  md: (transcript) => encodeChunks(renderMarkdown(transcript)),
  csv: (transcript) => encodeChunks(renderCsv(transcript)),
  doc: renderDoc,
  docx: renderDocx,
  odt: renderOdt,
}

/** A finished transcript in a format, in chunks of bytes that are made as they are asked for. */
export function renderFormat(
  transcript: Transcript,
  format: PlainFormat,
  captions?: CueParameters,
): Iterable<Uint8Array> {
  return renderers[format](transcript, captions)
}
