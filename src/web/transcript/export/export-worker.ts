import { buildCues, cueWarnings } from '../../../formats/captions/cues.ts'
import { formatTable } from '../../../formats/format-table.ts'
import { renderFormat } from '../../../formats/render-format.ts'
import { WordTable } from '../model/word-table.ts'
import type { ExportAnswer, ExportRequest } from './export-protocol.ts'
import { pdfKit } from './pdf-kit.ts'
import { transcriptOfTable } from './transcript-of-table.ts'

async function answer({ columns, names, about, format, captions }: ExportRequest): Promise<ExportAnswer> {
  const transcript = transcriptOfTable(WordTable.of(columns), names, about)
  const made = await renderFormat(transcript, format, { captions, pdfKit })
  const warnings = formatTable[format].isCaption
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
