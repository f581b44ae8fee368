import * as z from 'zod/mini'
import {
  type OptionName,
  type OrderOptions,
  optionNames,
  optionValues,
  specDefaultOptions,
  type ValueOption,
} from './option-values.ts'

/** Options as applied to an order (spec 2.2 `options`): values in lower case, no name is the empty array, no text ''. */
export const orderOptions = z.object({
  transcript_type: z.enum(optionValues.transcript_type),
  strict_verbatim: z.enum(optionValues.strict_verbatim),
  subtitle_file: z.enum(optionValues.subtitle_file),
  time_coding: z.enum(optionValues.time_coding),
  speaker_tracking: z.enum(optionValues.speaker_tracking),
  speaker_tracking_format: z.enum(optionValues.speaker_tracking_format),
  spelling_style: z.enum(optionValues.spelling_style),
  transcript_template: z.enum(optionValues.transcript_template),
  speaker_names: z.array(z.string()),
  instructions: z.string(),
  custom_formatting: z.enum(optionValues.custom_formatting),
  custom_formatting_details: z.string(),
}) satisfies z.ZodMiniType<OrderOptions>

/** A value of an order's query string that breaks spec 2.3; `message` names the option and what it takes. */
export class OptionError extends Error {
  override readonly name = 'OptionError'
  readonly option: string
  constructor(option: string, message: string) {
    super(message)
    this.option = option
  }
}

function isOptionName(name: string): name is OptionName {
  return (optionNames as readonly string[]).includes(name)
}

/** `Ann, Bob,, Ann ` gives `['Ann', 'Bob']`: split at commas, trimmed, blanks and repetitions dropped. */
export function splitSpeakerNames(value: string): string[] {
  const names = value.split(',').map((name) => name.trim().replaceAll(/\s+/g, ' '))
  return [...new Set(names.filter((name) => name !== ''))]
}

function parseValue(name: ValueOption, value: string): string {
  const lower = value.trim().toLowerCase()
  const allowed: readonly string[] = optionValues[name]
  if (allowed.includes(lower)) return lower
  throw new OptionError(name, `${name} must be one of: ${allowed.join(', ')}.`)
}

/**
 * Options given in a query string, checked one by one for form (spec 2.3, decision 4).
 * @param query decoded name and value pairs, in the order they were given
 * @throws OptionError on an unknown or repeated name and on a value that the option does not take
 */
export function parseOptions(query: Iterable<readonly [string, string]>): Partial<OrderOptions> {
  const given: Record<string, string | string[]> = {}
  for (const [rawName, value] of query) {
    const name = rawName.trim().toLowerCase()
    if (!isOptionName(name)) {
      throw new OptionError(rawName, `Unknown option "${rawName}". The options are: ${optionNames.join(', ')}.`)
    }
    if (Object.hasOwn(given, name)) throw new OptionError(name, `${name} is given more than once.`)
    if (name === 'speaker_names') given[name] = splitSpeakerNames(value)
    else if (name === 'instructions' || name === 'custom_formatting_details') given[name] = value.trim()
    else given[name] = parseValue(name, value)
  }
  return given as Partial<OrderOptions>
}

/**
 * The options that an order gets: what was given, else the account's defaults, else the spec's; an automated order
 * ignores all other options (spec 2.3, rules 2 and 4).
 */
export function applyOptions(given: Partial<OrderOptions>, accountDefaults: Partial<OrderOptions>): OrderOptions {
  const applied = { ...specDefaultOptions, ...accountDefaults, ...given }
  return applied.transcript_type === 'automated' ? { ...specDefaultOptions, transcript_type: 'automated' } : applied
}

/** The query string that asks for these options; spaces become `%20` (spec 2.3, rule 6). Starts with `?` or is empty. */
export function optionsQuery(options: Partial<OrderOptions>): string {
  const pairs = Object.entries(options)
    .map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value] as const)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
