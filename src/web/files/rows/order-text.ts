import { type OrderOptions, specDefaultOptions } from '../../../contract/option-values.ts'
import type { FileRecord } from '../../api/metadata-reader.ts'

const templates: Record<string, string> = {
  'service double line spaced': 'Double spaced',
  'blank single line spaced': 'Blank',
  'blank double line spaced': 'Blank, double spaced',
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const cached = new WeakMap<OrderOptions, string[]>()

/** The options that differ from the spec's defaults, in a word each: `['Verbatim', 'Full names']`. */
export function optionWords(options: OrderOptions): string[] {
  const known = cached.get(options)
  if (known) return known
  const words: string[] = []
  if (options.transcript_type === 'manual') {
    if (options.strict_verbatim === 'on') words.push('Verbatim')
    if (options.subtitle_file === 'on') words.push('Subtitles')
    if (options.time_coding === 'off') words.push('No times')
    if (options.speaker_tracking === 'off') words.push('No speakers')
    else if (options.speaker_tracking_format === 'full names') words.push('Full names')
    if (options.spelling_style !== specDefaultOptions.spelling_style) words.push(capital(options.spelling_style))
    const template = templates[options.transcript_template]
    if (template) words.push(template)
    if (options.custom_formatting === 'yes') words.push('Custom formatting')
    if (options.instructions) words.push('Instructions')
  }
  cached.set(options, words)
  return words
}

/** The order in a line: `Manual · Verbatim`. */
export function orderText({ metadata }: FileRecord): string {
  return [capital(metadata.options.transcript_type), ...optionWords(metadata.options)].join(' · ')
}

/** `Manual` or `Automated`. */
export function typeText({ metadata }: FileRecord): string {
  return capital(metadata.options.transcript_type)
}
