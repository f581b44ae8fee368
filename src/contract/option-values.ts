import { optionTable } from './option-table.ts'

/* What the table of options says as names, types and plain values, for code that loads early and checks nothing. */

type Table = typeof optionTable
export type OptionName = keyof Table

/** The options of spec 2.3 that take one of a few values. */
export type ValueOption = { [Name in OptionName]: Table[Name] extends { values: object } ? Name : never }[OptionName]
/** The options that cost something while they are on. */
export type ChargedOption = { [Name in OptionName]: Table[Name] extends { cents: number } ? Name : never }[OptionName]

/** Of several options the values of each, not those that they share. */
type ValueOf<Name extends ValueOption> = { [Each in Name]: keyof Table[Each]['values'] }[Name]

/** Options as applied to an order (spec 2.2 `options`): values in lower case, no name is the empty array, no text ''. */
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

/** The values that an option takes, in the spec's order. */
export function valuesOf<Name extends ValueOption>(name: Name): readonly [ValueOf<Name>, ...ValueOf<Name>[]] {
  return Object.keys(optionTable[name].values) as [ValueOf<Name>, ...ValueOf<Name>[]]
}

/** True where an option takes the value, in lower case. */
export function isValueOf(name: ValueOption, value: string): boolean {
  return Object.hasOwn(optionTable[name].values, value)
}

type Defaults = {
  [Name in OptionName]: Table[Name] extends { default: infer Value }
    ? Value
    : Table[Name] extends { takes: 'names' }
      ? string[]
      : ''
}

function defaultOf(name: OptionName): string | string[] {
  const option = optionTable[name]
  if ('default' in option) return option.default
  return option.takes === 'names' ? [] : ''
}

/** The defaults of spec 2.3, for an account that has set none of its own. Does not compile with a default that is no value. */
export const specDefaultOptions: OrderOptions = Object.fromEntries(
  optionNames.map((name) => [name, defaultOf(name)]),
) as Defaults

/** True where an option counts beside the others: `speaker_tracking_format` does only while `speaker_tracking` is on. */
export function isInForce(name: OptionName, options: OrderOptions): boolean {
  const option = optionTable[name]
  const needed: Partial<OrderOptions> = 'needs' in option ? option.needs : {}
  return Object.entries(needed).every(([other, value]) => options[other as OptionName] === value)
}

/**
 * Options that were stored, by this version or one that knew fewer of them. What is missing has its default, which is
 * therefore to be what orders got before there was the option.
 */
export function readStoredOptions(json: string): OrderOptions {
  return { ...specDefaultOptions, ...JSON.parse(json) }
}
