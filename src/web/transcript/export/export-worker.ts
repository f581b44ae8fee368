import { buildCues, cueWarnings } from '../../../formats/captions/cues.ts'
import { renderFormat } from '../../../formats/render-format.ts'
import { WordTable } from '../model/word-table.ts'
import type { ExportAnswer, ExportRequest } from './export-protocol.ts'
import { transcriptOfTable } from './transcript-of-table.ts'

const captionFormats: readonly string[] = ['srt', 'sbv', 'vtt']

function answer({ columns, names, about, format, captions }: ExportRequest): ExportAnswer {
  const transcript = transcriptOfTable(WordTable.of(columns), names, about)
  const chunks = [...renderFormat(transcript, format, captions)] as Uint8Array<ArrayBuffer>[]
  const warnings = captionFormats.includes(format)
    ? [...cueWarnings(buildCues(transcript, captions), captions)].length
    : 0
  return { kind: 'file', content: new Blob(chunks), warnings }
}

self.addEventListener('message', ({ data }: MessageEvent<ExportRequest>) => {
  try {
    self.postMessage(answer(data))
  } catch {
    self.postMessage({ kind: 'failed' } satisfies ExportAnswer)
  }
})
