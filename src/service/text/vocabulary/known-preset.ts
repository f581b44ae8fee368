import type { Db } from '../../platform/db/open.ts'
import type { Account } from '../../platform/db/schema.ts'
import { ServiceError } from '../../platform/service-error.ts'

/**
 * Checks a preset of the order page: one of the dashboard's settings, or one that words or a project still name.
 * @throws ServiceError 404 if the account has no such preset
 */
export async function requireKnownPreset(db: Db, { id, settings_json }: Account, preset: string): Promise<void> {
  const { presets } = JSON.parse(settings_json) as { presets?: unknown }
  if (typeof presets === 'object' && presets !== null && Object.hasOwn(presets, preset)) return
  for (const table of ['vocabulary', 'projects'] as const) {
    const found = db.selectFrom(table).select('id').where('account_id', '=', id).where('preset', '=', preset)
    if ((await found.limit(1).executeTakeFirst()) !== undefined) return
  }
  throw new ServiceError(404, `Order-Preset names no preset of this account: “${preset}”. Nothing was charged.`)
}
