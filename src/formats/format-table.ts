import type { CaptionRules } from '../contract/account/captions.ts'
import {
  type FormatKind,
  menuNotes,
  type ServedFormat,
  transcriptKinds,
} from '../contract/interface/transcript-formats.ts'
import type { Transcript } from '../text/transcript.ts'
import type { PdfKit } from './documents/pdf/pdfkit-port.ts'

/** What some formats need besides the transcript; without `captions` they use defaults. */
export type FormatMeans = { captions?: CaptionRules; hasSemicolons?: boolean; pdfKit: () => Promise<PdfKit> }

/** A file in lazily generated pieces: text or bytes. */
type FilePieces = Iterable<string> | Iterable<Uint8Array>

/** Renderers are lazily loaded: together they are 65 kB, and most pages need none. */
type Format = {
  /** short description after its name: `CSV, a line a turn` */
  note: string
  kind: FormatKind
  /** a choice adds times of day to its words */
  addsTimesOfDay?: true
  /** our code breaks its lines and pages, which takes 0.3 s for a quarter of an hour of words */
  isTypeset?: true
  /** it is no text: previews show the same captions as this format has them */
  previewedAs?: 'srt'
  /** the bytes of its first block that count its captions, as digits */
  captionCount?: { from: number; to: number }
  /** its bytes are already compressed */
  isPacked?: true
  render: (transcript: Transcript, means: FormatMeans) => Promise<FilePieces>
}

const { docx, doc, pdf, odt, txt, srt, vtt, sbv, json } = menuNotes

function captionFormat(note: string, renderer: 'renderSrt' | 'renderVtt' | 'renderSbv'): Format {
  const files = () => import('./captions/caption-files.ts')
  return { note, kind: 'captions', render: async (it, { captions }) => (await files())[renderer](it, captions) }
}

const table = {
  docx: {
    note: docx,
    kind: 'document',
    isPacked: true,
    render: async (it) => (await import('./documents/docx.ts')).renderDocx(it),
  },
  doc: {
    note: doc,
    kind: transcriptKinds.doc,
    render: async (it) => (await import('./documents/doc/doc.ts')).renderDoc(it),
  },
  pdf: {
    note: pdf,
    kind: transcriptKinds.pdf,
    isTypeset: true,
    isPacked: true,
    render: async (it, { pdfKit }) => (await import('./documents/pdf/pdf.ts')).renderPdf(it, await pdfKit()),
  },
  odt: {
    note: odt,
    kind: transcriptKinds.odt,
    isPacked: true,
    render: async (it) => (await import('./documents/odt.ts')).renderOdt(it),
  },
  txt: { note: txt, kind: transcriptKinds.txt, render: async (it) => (await import('./txt.ts')).renderTxt(it) },
  md: { note: 'Markdown', kind: 'text', render: async (it) => (await import('./markdown.ts')).renderMarkdown(it) },
  csv: {
    note: 'one line per turn',
    kind: 'data',
    render: async (it, { hasSemicolons }) => (await import('./csv.ts')).renderCsv(it, hasSemicolons),
  },
  srt: captionFormat(srt, 'renderSrt'),
  vtt: captionFormat(vtt, 'renderVtt'),
  sbv: captionFormat(sbv, 'renderSbv'),
  ttml: {
    note: 'IMSC, for broadcasters',
    kind: 'captions',
    render: async (it, { captions }) => (await import('./captions/ttml.ts')).renderTtml(it, captions),
  },
  stl: {
    note: 'EBU, for broadcasters',
    kind: 'captions',
    previewedAs: 'srt',
    captionCount: { from: 243, to: 248 },
    render: async (it, { captions }) => (await import('./captions/stl.ts')).renderStl(it, captions),
  },
  json: {
    note: json,
    kind: transcriptKinds.json,
    addsTimesOfDay: true,
    render: async (it) => (await import('./json.ts')).renderJson(it),
  },
} satisfies Readonly<Record<ServedFormat, Format> & Record<string, Format>>

export type ExportFormat = keyof typeof table
export const exportFormats = Object.keys(table) as readonly ExportFormat[]

/**
 * Every format of a transcript, in the order of the export dialog; renderers are lazily loaded. docs/CONTRIBUTING.md
 * says how to add one.
 */
export const formatTable: Readonly<Record<ExportFormat, Format>> = table
