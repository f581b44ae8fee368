import { type TranscriptFormat, transcriptNotes } from '../contract/transcript-formats.ts'
import type { CueParameters } from './captions/cues.ts'
import type { PdfKit } from './documents/pdf/pdfkit-port.ts'
import type { Transcript } from './transcript.ts'

/** What some formats need besides the transcript; without `captions` they use defaults. */
export type FormatMeans = { captions?: CueParameters; pdfKit: () => Promise<PdfKit> }

/** A file in pieces, made as they are read: text or bytes. */
type FilePieces = Iterable<string> | Iterable<Uint8Array>

type Format = {
  /** what it is for, in a few words after its name: `CSV, a line a turn` */
  note: string
  /** made of cues, which `captions` shapes */
  isCaption: boolean
  render: (transcript: Transcript, means: FormatMeans) => Promise<FilePieces>
}

/**
 * Every format of a transcript, in the order of the export dialog; renderers are loaded on demand. The service offers
 * the formats of the contract, the dashboard all. docs/CONTRIBUTING.md says how to add one.
 */
export const formatTable = {
  docx: {
    note: 'Word',
    isCaption: false,
    render: async (transcript) => (await import('./documents/docx.ts')).renderDocx(transcript),
  },
  doc: {
    note: transcriptNotes.doc,
    isCaption: false,
    render: async (transcript) => (await import('./documents/doc/doc.ts')).renderDoc(transcript),
  },
  pdf: {
    note: transcriptNotes.pdf,
    isCaption: false,
    render: async (transcript, { pdfKit }) =>
      (await import('./documents/pdf/pdf.ts')).renderPdf(transcript, await pdfKit()),
  },
  odt: {
    note: transcriptNotes.odt,
    isCaption: false,
    render: async (transcript) => (await import('./documents/odt.ts')).renderOdt(transcript),
  },
  txt: {
    note: transcriptNotes.txt,
    isCaption: false,
    render: async (transcript) => (await import('./txt.ts')).renderTxt(transcript),
  },
  md: {
    note: 'Markdown',
    isCaption: false,
    render: async (transcript) => (await import('./markdown.ts')).renderMarkdown(transcript),
  },
  csv: {
    note: 'a line a turn',
    isCaption: false,
    render: async (transcript) => (await import('./csv.ts')).renderCsv(transcript),
  },
  srt: {
    note: transcriptNotes.srt,
    isCaption: true,
    render: async (transcript, { captions }) =>
      (await import('./captions/caption-files.ts')).renderSrt(transcript, captions),
  },
  vtt: {
    note: 'subtitles for the web',
    isCaption: true,
    render: async (transcript, { captions }) =>
      (await import('./captions/caption-files.ts')).renderVtt(transcript, captions),
  },
  sbv: {
    note: transcriptNotes.sbv,
    isCaption: true,
    render: async (transcript, { captions }) =>
      (await import('./captions/caption-files.ts')).renderSbv(transcript, captions),
  },
  json: {
    note: transcriptNotes.json,
    isCaption: false,
    render: async (transcript) => (await import('./json.ts')).renderJson(transcript),
  },
} satisfies Readonly<Record<TranscriptFormat, Format> & Record<string, Format>>

export type ExportFormat = keyof typeof formatTable
export const exportFormats = Object.keys(formatTable) as readonly ExportFormat[]
