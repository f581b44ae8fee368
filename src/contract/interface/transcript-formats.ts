/** The formats of a transcript (spec 4.4), in the order of menus, each with a few words that stand after its name. */
export const transcriptNotes = {
  txt: 'plain text',
  doc: 'Word 97 or later',
  pdf: 'for printing and sharing',
  odt: 'LibreOffice',
  srt: 'subtitles',
  sbv: 'YouTube captions',
  json: 'words with times',
}
export type TranscriptFormat = keyof typeof transcriptNotes
export const transcriptFormats = Object.keys(transcriptNotes) as readonly TranscriptFormat[]

/** The only format that an unfinished transcript can be downloaded in (spec 4.4). */
export const unfinishedFormat = 'txt' satisfies TranscriptFormat

/**
 * `document`: paginated, `text`: plain reading, `data`: machine-readable, `captions`: made of cues, shaped by caption
 * rules
 */
export type FormatKind = 'document' | 'text' | 'data' | 'captions'

export const transcriptKinds: Readonly<Record<TranscriptFormat, FormatKind>> = {
  txt: 'text',
  doc: 'document',
  pdf: 'document',
  odt: 'document',
  srt: 'captions',
  sbv: 'captions',
  json: 'data',
}

const { pdf, txt, srt, ...others } = transcriptNotes

/** The formats of the dashboard's menus, most used first: those of the service, and two that the page makes. */
export const menuNotes = { docx: 'Word', pdf, txt, srt, vtt: 'subtitles for the web', ...others }
export type MenuFormat = keyof typeof menuNotes
export const menuFormats = Object.keys(menuNotes) as readonly MenuFormat[]
export const menuKinds: Readonly<Record<MenuFormat, FormatKind>> = {
  ...transcriptKinds,
  docx: 'document',
  vtt: 'captions',
}

/** MIME type of each transcript format; UTF-8 formats declare it, all others are binary. */
const transcriptMimeTypes: Readonly<Record<TranscriptFormat, string>> = {
  txt: 'text/plain; charset=utf-8',
  doc: 'application/msword',
  pdf: 'application/pdf',
  odt: 'application/vnd.oasis.opendocument.text',
  srt: 'application/x-subrip; charset=utf-8',
  sbv: 'text/plain; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

/** True for one of the extensions of spec 4.4, in lower case. */
export function isTranscriptFormat(value: string): value is TranscriptFormat {
  return Object.hasOwn(transcriptNotes, value)
}

/** MIME type of each format beside those of spec 4.4, as the dashboard offers them. */
const furtherMimeTypes = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  md: 'text/markdown; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  ttml: 'application/ttml+xml; charset=utf-8',
  stl: 'application/octet-stream',
}

/** Every format that a program can ask for. */
export const servedMimeTypes: Readonly<Record<TranscriptFormat | keyof typeof furtherMimeTypes, string>> = {
  ...transcriptMimeTypes,
  ...furtherMimeTypes,
}
export type ServedFormat = keyof typeof servedMimeTypes
export const servedFormats = Object.keys(servedMimeTypes) as readonly ServedFormat[]

/** True for an extension of a served format, in lower case. */
export function isServedFormat(value: string): value is ServedFormat {
  return Object.hasOwn(servedMimeTypes, value)
}

/** Formats of each transcript in the export of an account: for programs, and for people. */
export const exportedFormats: readonly ServedFormat[] = ['json', 'docx']
