import type { FastifyInstance } from 'fastify'
import { accountSettings, maxSettingsBytes, programText } from '../../../contract/account/settings.ts'
import { type JsonObject, mergePatch } from '../../../contract/common/merge-patch.ts'
import { notifyAccount } from '../../accounts/events/notify-account.ts'
import { appendLog } from '../../platform/db/audit-log.ts'
import { appendEvent } from '../../platform/db/outbox.ts'
import { writeAccount } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { readBody } from '../http/read-request.ts'

/** The media type that RFC 7396 registers for its patches; `application/json` is accepted as well. */
const mergePatchType = 'application/merge-patch+json'

/** @throws ServiceError 413 if it is too long */
function settingsJson(settings: JsonObject): string {
  const json = JSON.stringify(settings)
  if (Buffer.byteLength(json) <= maxSettingsBytes) return json
  throw new ServiceError(413, `Settings can be at most ${maxSettingsBytes / 1_024} kB of JSON.`)
}

/**
 * Changes the account's settings and emits its event, in one transaction.
 * @param change gives the new settings for the old ones
 * @throws ServiceError 413 if the new ones are too long
 */
async function writeSettings(
  { db, changes, clock }: Platform,
  accountId: string,
  change: (settings: JsonObject) => JsonObject,
): Promise<JsonObject> {
  const settings = await writeAccount(db, accountId, async (trx) => {
    const { settings_json } = await trx
      .selectFrom('accounts')
      .select('settings_json')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
    const changed = change(JSON.parse(settings_json))
    const values = { settings_json: settingsJson(changed) }
    await trx.updateTable('accounts').set(values).where('id', '=', accountId).execute()
    await appendEvent(trx, 'account', {}, clock())
    await appendLog(trx, { action: 'settings', detail: 'changed' }, clock())
    return changed
  })
  changes.notify({ kind: 'account', accountId })
  return settings
}

/**
 * `settings` of the dashboard: read, replaced by programs, changed in parts by the dashboard. `program-text`: which text of
 * a transcript programs get.
 */
export async function settingsRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  app.addContentTypeParser(mergePatchType, { parseAs: 'string' }, app.getDefaultJsonParser('error', 'error'))

  app.get('settings', async ({ caller }) => JSON.parse(caller.account.settings_json))

  app.put('settings', async (request) => {
    const settings = readBody(accountSettings, request)
    return await writeSettings(platform, request.caller.account.id, () => settings)
  })

  app.patch('settings', async (request) => {
    const patch = readBody(accountSettings, request)
    return await writeSettings(platform, request.caller.account.id, (settings) => mergePatch(settings, patch))
  })

  app.put('program-text', async (request) => {
    const chosen = readBody(programText, request)
    const { id } = request.caller.account
    await platform.db.updateTable('accounts').set(chosen).where('id', '=', id).execute()
    await notifyAccount(platform, id, { action: 'settings', detail: `text for programs: ${chosen.program_text}` })
    return chosen
  })
}
