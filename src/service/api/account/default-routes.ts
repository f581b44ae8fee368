import type { FastifyInstance } from 'fastify'
import { newDefaults } from '../../../contract/account/settings.ts'
import { type OrderOptions, specDefaultOptions } from '../../../contract/interface/option-values.ts'
import { notifyAccount } from '../../accounts/events/notify-account.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { readBody } from '../http/read-request.ts'

/** Only what differs from the spec's defaults is stored, so that all other options follow the spec. */
function differing(options: Partial<OrderOptions>): Partial<OrderOptions> {
  const spec: Record<string, unknown> = specDefaultOptions
  const entries = Object.entries(options).filter(
    ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(spec[name]),
  )
  return Object.fromEntries(entries)
}

/** `defaults` of the order options (spec 2.3, rule 2). */
export async function defaultRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  const { db } = platform
  app.put('defaults', async (request) => {
    const { account } = request.caller
    const changed = differing(readBody(newDefaults, request) as Partial<OrderOptions>)
    if (changed.custom_formatting === 'yes' && account.custom_formatting_enabled === 0) {
      throw new ServiceError(400, 'custom_formatting is not enabled for this account. Please contact support first.')
    }
    const json = JSON.stringify(changed)
    // Defaults are part of the metadata header of every order, and must leave room for the rest of it (decision 2).
    if (json.length > 4_000) throw new ServiceError(400, 'The default options are too long in total.')
    await db.updateTable('accounts').set({ default_options_json: json }).where('id', '=', account.id).execute()
    await notifyAccount(platform, account.id, { action: 'defaults', detail: 'changed' })
    return { default_options: { ...specDefaultOptions, ...changed } }
  })
}
