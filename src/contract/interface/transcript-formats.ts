/** The seven formats a transcript can be downloaded in (spec 4.4), in the order menus show them. */
export const transcriptFormats = ['txt', 'doc', 'pdf', 'odt', 'srt', 'sbv', 'json'] as const
export type TranscriptFormat = (typeof transcriptFormats)[number]

/** The only format that an unfinished transcript can be downloaded in (spec 4.4). */
export const unfinishedFormat = 'txt' satisfies TranscriptFormat

/** MIME type of each transcript format; UTF-8 formats declare it, all others are binary. */
export const transcriptMimeTypes: Record<TranscriptFormat, string> = {
  txt: 'text/plain; charset=utf-8',
  doc: 'application/msword',
  pdf: 'application/pdf',
  odt: 'application/vnd.oasis.opendocument.text',
  srt: 'application/x-subrip; charset=utf-8',
  sbv: 'text/plain; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

/** Short description of each format's use, shown after its name. */
export const transcriptNotes: Record<TranscriptFormat, string> = {
  txt: 'plain text',
  doc: 'Word 97 or later',
  pdf: 'for printing and sharing',
  odt: 'LibreOffice',
  srt: 'subtitles',
  sbv: 'YouTube captions',
  json: 'words with times',
}

/** True for one of the seven extensions of spec 4.4, in lower case. */
export function isTranscriptFormat(value: string): value is TranscriptFormat {
  return (transcriptFormats as readonly string[]).includes(value)
}
