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

/** MIME type of each transcript format; UTF-8 formats declare it, all others are binary. */
export const transcriptMimeTypes: Readonly<Record<TranscriptFormat, string>> = {
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
