import { optionTable } from '../../../contract/interface/option-table.ts'
import {
  isInForce,
  type OptionName,
  type OrderOptions,
  optionNames,
  specDefaultOptions,
} from '../../../contract/interface/option-values.ts'

/* Orders in a few words. The first rows of the list load this file, so it holds only what they show. */

/** An option's value in words without its label: `British spelling`, `No times`. */
export function shortWords(name: OptionName, options: OrderOptions): string {
  const option = optionTable[name]
  if ('values' in option) return (option.values as Record<string, string>)[String(options[name])] ?? ''
  return options[name].length > 0 ? option.label : `No ${option.label.toLowerCase()}`
}

/** The options that differ between two orders, in the spec's order; an automated order has only its type. */
export function differingOptions(options: OrderOptions, base: OrderOptions): OptionName[] {
  return optionNames.filter(
    (name) =>
      (options.transcript_type === 'manual' || name === 'transcript_type') &&
      isInForce(name, options) &&
      String(options[name]) !== String(base[name]),
  )
}

const cached = new WeakMap<OrderOptions, readonly string[]>()

/** The options of a manual order that differ from the spec's defaults, in short words: `['Verbatim', 'Full names']`. */
export function optionWords(options: OrderOptions): readonly string[] {
  const known = cached.get(options)
  if (known) return known
  const names = options.transcript_type === 'manual' ? differingOptions(options, specDefaultOptions) : []
  const words = names.map((name) => shortWords(name, options))
  cached.set(options, words)
  return words
}

/** `Manual` or `Automated`. */
export function typeText(options: OrderOptions): string {
  return shortWords('transcript_type', options)
}

/** The order in one line: `Manual · Verbatim`. */
export function orderText(options: OrderOptions): string {
  return [typeText(options), ...optionWords(options)].join(' · ')
}
