import { type OptionName, type OrderOptions, optionNames, optionValues } from '../../contract/option-values.ts'
import { optionsQuery } from '../../contract/order-options.ts'

/** What people call the options of spec 2.3. */
export const optionLabels: Record<OptionName, string> = {
  transcript_type: 'Transcript',
  strict_verbatim: 'Strict verbatim',
  subtitle_file: 'Subtitle file',
  time_coding: 'Time coding',
  speaker_tracking: 'Speaker tracking',
  speaker_tracking_format: 'Speaker names as',
  spelling_style: 'Spelling',
  transcript_template: 'Template',
  speaker_names: 'Speaker names',
  instructions: 'Instructions',
  custom_formatting: 'Custom formatting',
  custom_formatting_details: 'Formatting details',
}

/** `full names` gives `Full names`; the service's own template is called by its spacing alone. */
function valueLabel(value: string): string {
  const short = value.replace(/^service /, '')
  return short.charAt(0).toUpperCase() + short.slice(1)
}

/** The values of an option as a list to choose from. */
export function choicesOf<Name extends 'speaker_tracking_format' | 'spelling_style' | 'transcript_template'>(
  name: Name,
) {
  const values: readonly string[] = optionValues[name]
  return values.map((value) => ({ value: value as OrderOptions[Name], label: valueLabel(value) }))
}

function isSame(a: unknown, b: unknown): boolean {
  return String(a) === String(b)
}

function differenceText(name: OptionName, options: OrderOptions): string {
  const value = options[name]
  if (name === 'transcript_type') return valueLabel(String(value))
  if (name === 'spelling_style') return `${valueLabel(String(value))} spelling`
  if (name === 'speaker_names')
    return options.speaker_names.length === 0 ? 'No speaker names' : options.speaker_names.join(', ')
  if (name === 'speaker_tracking_format' || name === 'transcript_template') return valueLabel(String(value))
  if (value === 'on' || value === 'yes') return optionLabels[name]
  return value === 'off' || value === 'no'
    ? `No ${optionLabels[name].toLowerCase()}`
    : `Own ${optionLabels[name].toLowerCase()}`
}

/** What a line orders differently from the rest, in words: `Automated`, `Strict verbatim · British spelling`. */
export function differences(options: OrderOptions, base: OrderOptions): string[] {
  const different = optionNames.filter((name) => !isSame(options[name], base[name]))
  const isAutomated = options.transcript_type === 'automated'
  return different
    .filter((name) => !isAutomated || name === 'transcript_type')
    .map((name) => differenceText(name, options))
}

/**
 * The query that orders exactly these options, whatever the account's defaults become: all that matter are named, and a
 * text that is empty here though the defaults have one is named empty.
 */
export function orderQuery(options: OrderOptions, defaults: OrderOptions): string {
  if (options.transcript_type === 'automated') return optionsQuery({ transcript_type: 'automated' })
  const { custom_formatting: isCustom, custom_formatting_details: details, ...rest } = options
  const custom = isCustom === 'yes' ? { custom_formatting: isCustom, custom_formatting_details: details } : {}
  const noCustom = defaults.custom_formatting === 'yes' && isCustom === 'no' ? { custom_formatting: isCustom } : {}
  const emptied = (['speaker_names', 'instructions'] as const).filter(
    (name) => options[name].length === 0 && defaults[name].length > 0,
  )
  const query = optionsQuery({ ...rest, ...custom, ...noCustom })
  return query + emptied.map((name) => `&${name}=`).join('')
}
