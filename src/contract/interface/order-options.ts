import * as z from 'zod/mini'
import { optionTable } from './option-table.ts'
import {
  isInForce,
  isOptionValue,
  isValueOption,
  listValues,
  type OptionName,
  type OrderOptions,
  optionNames,
  specDefaultOptions,
  type ValueOption,
} from './option-values.ts'

type Shape = { readonly [Name in OptionName]: z.ZodMiniType<OrderOptions[Name]> }

function optionSchema(name: OptionName): z.ZodMiniType {
  if (isValueOption(name)) return z.enum(listValues(name))
  return optionTable[name].takes === 'names' ? z.array(z.string()) : z.string()
}

function makeStoredSchema(name: OptionName): z.ZodMiniType {
  return z.catch(optionSchema(name), specDefaultOptions[name])
}

function makeShape(schema: (name: OptionName) => z.ZodMiniType): Shape {
  return Object.fromEntries(optionNames.map((name) => [name, schema(name)])) as Shape
}

/** Options as applied to an order (spec 2.2 `options`): values in lower case, no names as [], no text as ''. */
export const orderOptions = z.object(makeShape(optionSchema))

/** The same as stored by this or another version: missing or invalid options get their default. */
export const storedOptions = z.object(makeShape(makeStoredSchema))

/** An invalid value in an order's query string (spec 2.3); `message` names the option and its values. */
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
  if (isOptionValue(name, lower)) return lower
  throw new OptionError(name, `${name} must be one of: ${listValues(name).join(', ')}.`)
}

/** @throws OptionError on an empty name before another one */
function parseNames(name: OptionName, value: string): string[] {
  const names = splitSpeakerNames(value)
  if (names.length > 0 && /(^|,)\s*,/.test(value))
    throw new OptionError(name, `${name} has an empty name: separate names by single commas.`)
  return names
}

/**
 * Parses and validates the options of a query string (spec 2.3, decision 4).
 * @param query decoded name and value pairs, in the order they were given
 * @throws OptionError on an unknown or repeated name and on a value that the option does not have
 */
export function parseOptions(query: Iterable<readonly [string, string]>): Partial<OrderOptions> {
  const given: Record<string, string | string[]> = {}
  for (const [rawName, value] of query) {
    const name = rawName.trim().toLowerCase()
    if (!isOptionName(name)) {
      throw new OptionError(rawName, `Unknown option "${rawName}". The options are: ${optionNames.join(', ')}.`)
    }
    if (Object.hasOwn(given, name)) throw new OptionError(name, `${name} is given more than once.`)
    if (isValueOption(name)) given[name] = parseValue(name, value)
    else given[name] = optionTable[name].takes === 'names' ? parseNames(name, value) : value.trim()
  }
  return given as Partial<OrderOptions>
}

/**
 * The effective options of an order: given ones, else the account's defaults, else the spec's; an automated order
 * ignores all other options (spec 2.3, rules 2 and 4).
 */
export function applyOptions(given: Partial<OrderOptions>, accountDefaults: Partial<OrderOptions>): OrderOptions {
  const applied = { ...specDefaultOptions, ...accountDefaults, ...given }
  return applied.transcript_type === 'automated' ? { ...specDefaultOptions, transcript_type: 'automated' } : applied
}

/** The given options that an order with these options ignores (spec 2.3, rule 4; details without their option). */
export function listIgnored(given: Partial<OrderOptions>, options: OrderOptions): OptionName[] {
  const isAutomated = options.transcript_type === 'automated'
  const named = optionNames.filter((name) => given[name] !== undefined && given[name].length > 0)
  return named.filter((name) => (isAutomated ? name !== 'transcript_type' : !isInForce(name, options)))
}

/** True if the query must name an option to be independent of the account's defaults. */
function isNamed(name: OptionName, options: OrderOptions, defaults: OrderOptions): boolean {
  const option = optionTable[name]
  // Options that support must enable are named only if that changes something: a service may reject even the name.
  if ('onRequest' in option) return options[name] !== option.default || defaults[name] !== option.default
  if ('values' in option) return true
  // The spec's default is empty text, so empty text is named only if the account's default differs.
  return isInForce(name, options) && (options[name].length > 0 || defaults[name].length > 0)
}

/**
 * The query string for exactly these options, independent of the account's defaults. Spaces become `%20` (spec 2.3,
 * rule 6). Starts with `?`.
 */
export function orderQuery(options: OrderOptions, defaults: OrderOptions): string {
  const isAutomated = options.transcript_type === 'automated'
  const named = optionNames.filter((name) =>
    isAutomated ? name === 'transcript_type' : isNamed(name, options, defaults),
  )
  return `?${named.map((name) => `${name}=${encodeURIComponent(String(options[name]))}`).join('&')}`
}
