import { buildCues, cueWarnings } from '../../../formats/captions/cues.ts'
import { renderPdf } from '../../../formats/documents/pdf/pdf.ts'
import { renderFormat } from '../../../formats/render-format.ts'
import { WordTable } from '../model/word-table.ts'
import type { ExportAnswer, ExportRequest } from './export-protocol.ts'
import { pdfKit } from './pdf-kit.ts'
import { transcriptOfTable } from './transcript-of-table.ts'

const captionFormats: readonly string[] = ['srt', 'sbv', 'vtt']

async function answer({ columns, names, about, format, captions }: ExportRequest): Promise<ExportAnswer> {
  const transcript = transcriptOfTable(WordTable.of(columns), names, about)
  const made = format === 'pdf' ? renderPdf(transcript, await pdfKit()) : renderFormat(transcript, format, captions)
  const warnings = captionFormats.includes(format)
    ? [...cueWarnings(buildCues(transcript, captions), captions)].length
    : 0
  return { kind: 'file', content: new Blob([...made] as Uint8Array<ArrayBuffer>[]), warnings }
}

self.addEventListener('message', async ({ data }: MessageEvent<ExportRequest>) => {
  try {
    self.postMessage(await answer(data))
  } catch {
    self.postMessage({ kind: 'failed' } satisfies ExportAnswer)
  }
})
