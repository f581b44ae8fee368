import type { FastifyInstance } from 'fastify'
import { accountSettings, newDefaults, programText } from '../../../contract/account/settings.ts'
import { mergePatch } from '../../../contract/common/merge-patch.ts'
import type { OrderOptions } from '../../../contract/interface/option-values.ts'
import { changeSettings, setDefaults, setProgramText } from '../../accounts/settings.ts'
import type { Platform } from '../../platform/platform.ts'
import { readBody } from '../http/read-request.ts'

/** RFC 7396's registered media type for merge patches; `application/json` is accepted as well. */
const mergePatchType = 'application/merge-patch+json'

/**
 * `settings` of the dashboard: read, replaced by API clients, patched by the dashboard. `program-text`: which version
 * of a transcript API clients get. `defaults` of the order options (spec 2.3, rule 2).
 */
export async function settingsRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  app.addContentTypeParser(mergePatchType, { parseAs: 'string' }, app.getDefaultJsonParser('error', 'error'))

  app.get('settings', async ({ caller }) => JSON.parse(caller.account.settings_json))

  app.put('settings', async (request) => {
    const settings = readBody(accountSettings, request)
    return await changeSettings(platform, request.caller.account.id, () => settings)
  })

  app.patch('settings', async (request) => {
    const patch = readBody(accountSettings, request)
    return await changeSettings(platform, request.caller.account.id, (settings) => mergePatch(settings, patch))
  })

  app.put('program-text', async (request) => {
    const chosen = readBody(programText, request)
    await setProgramText(platform, request.caller.account.id, chosen.program_text)
    return chosen
  })

  app.put('defaults', async (request) => {
    const options = readBody(newDefaults, request) as Partial<OrderOptions>
    return { default_options: await setDefaults(platform, request.caller.account, options) }
  })
}
