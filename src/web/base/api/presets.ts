import type { AccountSettings } from '../../../contract/account/settings.ts'
import { isJsonObject } from '../../../contract/common/merge-patch.ts'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import { storedOptions } from '../../../contract/interface/order-options.ts'

/** A named set of options, stored with the account's settings. */
export type OrderPreset = { name: string; options: OrderOptions }

/** The presets in the settings by name; unreadable ones are skipped. */
export function readPresets({ presets: stored }: AccountSettings): OrderPreset[] {
  const presets = Object.entries(isJsonObject(stored) ? stored : {}).flatMap(([name, value]) => {
    const options = storedOptions.safeParse(value)
    return options.success ? [{ name, options: options.data }] : []
  })
  return presets.sort((one, two) => one.name.localeCompare(two.name))
}
