import type { CaptionRules } from '../../../contract/account/captions.ts'
import { safeFileName } from '../../../contract/interface/file-name.ts'
import { isTranscriptFormat } from '../../../contract/interface/transcript-formats.ts'
import { areDefaultRules } from '../../../formats/captions/caption-rules.ts'
import { type ExportFormat, formatTable } from '../../../formats/format-table.ts'
import type { Choices } from './choices.ts'
import { needsLabels } from './corrected-text.ts'
import type { About } from './make-file.ts'

/** Parts available to file names; `corrected` is that word or empty. */
type NameParts = { name: string; date: string; speakers: readonly string[]; corrected: boolean; id: string }

/** Default doubt threshold for files, as on the page. */
const doubtfulBelow = 0.5

/** True for formats that are text with names and times: documents, plain text and Markdown. */
export function isReadingText(format: ExportFormat): boolean {
  const { kind } = formatTable[format]
  return kind === 'document' || kind === 'text'
}

/** True if these choices combine this many files into one document. */
export function isOneDocument(format: ExportFormat, { files }: Choices, count: number): boolean {
  return files === 'one' && count > 1 && isReadingText(format)
}

/** Describes a contradiction between these rules; null if captions can satisfy all of them. */
export function contradictionIn(rules: CaptionRules | null): string | null {
  return rules !== null && rules.minSeconds > rules.maxSeconds ? 'The shortest time is longer than the longest.' : null
}

/** The choices that match an order's options. */
export function orderedChoices({
  speaker_tracking,
  speaker_tracking_format,
  time_coding,
  ...options
}: About['options']) {
  const initials = speaker_tracking_format === 'initials' ? 'initials' : 'full'
  return {
    names: speaker_tracking === 'off' ? 'none' : initials,
    times: time_coding === 'off' ? 'none' : 'turn',
    header: options.transcript_template.startsWith('service') ? 'on' : 'off',
    spacing: options.transcript_template.endsWith('double line spaced') ? 'double' : 'single',
  } as const
}

/** Overrides the order's options with these choices. */
export function aboutWith(about: About, choices: Choices): About {
  const { names, times, header, spacing, doubt, everySeconds } = choices
  const ordered = orderedChoices(about.options)
  const head = (header === 'order' ? ordered.header : header) === 'on'
  const double = (spacing === 'order' ? ordered.spacing : spacing) === 'double'
  return {
    ...about,
    options: {
      ...about.options,
      ...(names !== 'order' && { speaker_tracking: names === 'none' ? 'off' : 'on' }),
      ...(names === 'full' && { speaker_tracking_format: 'full names' }),
      ...(names === 'initials' && { speaker_tracking_format: 'initials' }),
      ...(times !== 'order' && { time_coding: times === 'none' ? 'off' : 'on' }),
      transcript_template: `${head ? 'service' : 'blank'} ${double ? 'double' : 'single'} line spaced`,
    },
    ...(times === 'every' && { timesEvery: everySeconds }),
    ...(doubt && { doubtfulBelow }),
    ...(choices.captionTimes === 'clock' && { captionsOfClock: true }),
  }
}

/**
 * True if the choices match the service's own file, made with the order's options.
 * @param rules of the transcript's captions
 * @param about the service's files have no times of day, and no label as their heading
 */
export function isAsOrdered(
  format: ExportFormat,
  choices: Choices,
  rules: CaptionRules,
  about: Pick<About, 'beginsAtSeconds' | 'isRenamed'> = {},
): boolean {
  if (!isTranscriptFormat(format) || choices.pattern.includes('{speakers}')) return false
  const { names, times, header, spacing, doubt, captions, captionTimes } = choices
  if (needsLabels(about, format)) return false
  if (isReadingText(format)) return !doubt && [names, times, header, spacing].every((choice) => choice === 'order')
  const isOfClock = about.beginsAtSeconds !== undefined && captionTimes === 'clock'
  if (formatTable[format].kind !== 'captions') return !isOfClock || !formatTable[format].addsTimesOfDay
  return !isOfClock && [captions ?? rules, rules].every(areDefaultRules)
}

/**
 * Builds a file name from a pattern, `{date} {name}`, safe on any file system: no folders, invisible characters or
 * direction marks. Empty parts are removed with the blanks before them. Falls back to the file's own name if nothing
 * remains.
 */
export function patternName(pattern: string, format: ExportFormat, parts: NameParts): string {
  const { name, date, id } = parts
  const values = new Map(
    Object.entries({
      name: name || id,
      date,
      id,
      speakers: parts.speakers.join(', '),
      corrected: parts.corrected ? 'corrected' : '',
    }),
  )
  const filled = pattern.replaceAll(/(\s*)\{(\w+)\}/g, (whole, blanks, key) => {
    const value = values.get(key.toLowerCase())
    return value === undefined ? whole : value && `${blanks}${value}`
  })
  for (const stem of [filled, name, id]) {
    const safe = safeFileName(`${stem.replaceAll(/[/\\]/g, '_')}.${format}`)
    // If no stem is left, only the extension would remain.
    if (safe !== format && /[\p{L}\p{N}]/u.test(safe.slice(0, -format.length - 1))) return safe
  }
  return `transcript.${format}`
}
