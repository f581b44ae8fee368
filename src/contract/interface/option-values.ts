import { optionTable } from './option-table.ts'

/* Names, types and defaults derived from the option table. No zod: code loaded at startup imports this. */

type Table = typeof optionTable
export type OptionName = keyof Table

/** The enumerated options of spec 2.3. */
export type ValueOption = { [Name in OptionName]: Table[Name] extends { values: object } ? Name : never }[OptionName]
/** The options with a surcharge. */
export type ChargedOption = { [Name in OptionName]: Table[Name] extends { cents: number } ? Name : never }[OptionName]

/** The values of an option; for a union of options, of all of them. */
type ValueOf<Name extends ValueOption> = { [Each in Name]: keyof Table[Each]['values'] }[Name]

/** Options as applied to an order (spec 2.2 `options`): values in lower case, no names as [], no text as ''. */
export type OrderOptions = {
  [Name in OptionName]: Name extends ValueOption
    ? ValueOf<Name>
    : Table[Name] extends { takes: 'names' }
      ? string[]
      : string
}

/** All names of spec 2.3, in its order. */
export const optionNames = Object.keys(optionTable) as readonly OptionName[]

export function isValueOption(name: OptionName): name is ValueOption {
  return 'values' in optionTable[name]
}

export function isChargedOption(name: OptionName): name is ChargedOption {
  return 'cents' in optionTable[name]
}

/** The values of an option, in the spec's order. */
export function listValues<Name extends ValueOption>(name: Name): readonly [ValueOf<Name>, ...ValueOf<Name>[]] {
  return Object.keys(optionTable[name].values) as [ValueOf<Name>, ...ValueOf<Name>[]]
}

/** True if an option has this value (in lower case). */
export function isOptionValue(name: ValueOption, value: string): boolean {
  return Object.hasOwn(optionTable[name].values, value)
}

type Defaults = {
  [Name in OptionName]: Table[Name] extends { default: infer Value }
    ? Value
    : Table[Name] extends { takes: 'names' }
      ? string[]
      : ''
}

function findDefault(name: OptionName): string | string[] {
  const option = optionTable[name]
  if ('default' in option) return option.default
  return option.takes === 'names' ? [] : ''
}

/**
 * The defaults of spec 2.3, for an account without overrides. A default that is not a value of its option does not
 * compile.
 */
export const specDefaultOptions: OrderOptions = Object.fromEntries(
  optionNames.map((name) => [name, findDefault(name)]),
) as Defaults

/** True if an option has an effect: `speaker_tracking_format` has none while `speaker_tracking` is off. */
export function isInForce(name: OptionName, options: OrderOptions): boolean {
  const option = optionTable[name]
  const needed: Partial<OrderOptions> = 'needs' in option ? option.needs : {}
  return Object.entries(needed).every(([other, value]) => options[other as OptionName] === value)
}

/**
 * Reads options stored by this version or by an older one with fewer of them. Missing ones get their default, so the
 * default of a new option must match how orders behaved before it existed.
 */
export function readStoredOptions(json: string): OrderOptions {
  return { ...specDefaultOptions, ...JSON.parse(json) }
}
