import * as z from 'zod/mini'
import type { AccountSettings } from '../../../contract/account/settings.ts'
import { isJsonObject, type JsonObject } from '../../../contract/common/merge-patch.ts'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import { storedOptions } from '../../../contract/interface/order-options.ts'

/** A named set of options, stored with the account's settings. */
export type OrderPreset = { name: string; options: OrderOptions }

/** Storage of presets until November 2026: one list, in which two tabs could overwrite each other's changes. */
const olderPresets = z.catch(z.array(z.object({ name: z.string(), options: z.unknown() })), [])

/** The stored options of each preset by name. */
function storedIn({ presets, order_presets }: AccountSettings): JsonObject {
  const older = olderPresets.parse(order_presets).map(({ name, options }) => [name, options] as const)
  return { ...Object.fromEntries(older), ...(isJsonObject(presets) ? presets : {}) }
}

/** The presets in the settings by name; unreadable ones are skipped. */
export function presetsOf(settings: AccountSettings): OrderPreset[] {
  const presets = Object.entries(storedIn(settings)).flatMap(([name, stored]) => {
    const options = storedOptions.safeParse(stored)
    return options.success ? [{ name, options: options.data }] : []
  })
  return presets.sort((one, two) => one.name.localeCompare(two.name))
}

/** The patch that stores presets by name, and removes those that are null. */
export function presetsPatch(settings: AccountSettings, changes: Record<string, OrderOptions | null>): JsonObject {
  if (settings.order_presets === undefined) return { presets: changes }
  return { presets: { ...storedIn(settings), ...changes }, order_presets: null }
}
