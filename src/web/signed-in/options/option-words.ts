import { optionTable } from '../../../contract/interface/option-table.ts'
import {
  isInForce,
  type OptionName,
  type OrderOptions,
  optionNames,
} from '../../../contract/interface/option-values.ts'
import { differingOptions, shortWords } from './order-text.ts'

/**
 * A value as shown next to its option's label: `full names` as `Full names`, the service's own templates by spacing.
 */
export function valueText(value: OrderOptions[OptionName]): string {
  const text = typeof value === 'string' ? value.replace(/^service /, '') : value.join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** How one recording's order differs from the rest: `Automated`, `Verbatim · British spelling`; names in full. */
export function differences(options: OrderOptions, base: OrderOptions): string[] {
  return differingOptions(options, base).map((name) =>
    name === 'speaker_names' && options.speaker_names.length > 0
      ? options.speaker_names.join(', ')
      : shortWords(name, options),
  )
}

/** True for an option that support must enable and that was not ordered: most accounts do not know it. */
function isUnasked(name: OptionName, options: OrderOptions): boolean {
  const option = optionTable[name]
  return 'onRequest' in option && options[name] === option.default
}

/** Label and value of every ordered option; an automated order has only its type (spec 2.3, rule 4). */
export function optionFacts(options: OrderOptions): [label: string, value: string][] {
  const names = options.transcript_type === 'manual' ? optionNames : (['transcript_type'] as const)
  return names
    .filter((name) => isInForce(name, options) && options[name].length > 0 && !isUnasked(name, options))
    .map((name) => [optionTable[name].label, valueText(options[name])])
}
