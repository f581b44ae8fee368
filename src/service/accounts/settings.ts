import type { CaptionRules } from '../../contract/account/captions.ts'
import { maxSettingsBytes, type ProgramText } from '../../contract/account/settings.ts'
import type { JsonObject } from '../../contract/common/merge-patch.ts'
import { type OrderOptions, specDefaultOptions } from '../../contract/interface/option-values.ts'
import { areDefaultRules, nameRules } from '../../formats/captions/caption-rules.ts'
import { appendLog, type Logged } from '../platform/db/audit-log.ts'
import type { Account } from '../platform/db/schema.ts'
import type { AccountTrx } from '../platform/db/write-account.ts'
import type { Platform } from '../platform/platform.ts'
import { ServiceError } from '../platform/service-error.ts'
import { notifyAccount } from './notify-account.ts'

/** @throws ServiceError 413 if it is too long */
function settingsJson(settings: JsonObject): string {
  const json = JSON.stringify(settings)
  if (Buffer.byteLength(json) <= maxSettingsBytes) return json
  throw new ServiceError(413, `Settings can be at most ${maxSettingsBytes / 1_024} kB of JSON.`)
}

async function setColumns(trx: AccountTrx, values: Partial<Account>, logged: Logged, now: number): Promise<void> {
  await trx.updateTable('accounts').set(values).where('id', '=', trx.accountId).execute()
  await appendLog(trx, logged, now)
}

/**
 * Changes the settings that the dashboard stores with the account.
 * @param change maps the old settings to the new ones
 * @throws ServiceError 413 if the new ones are too long
 */
export async function changeSettings(
  platform: Platform,
  accountId: string,
  change: (settings: JsonObject) => JsonObject,
): Promise<JsonObject> {
  return await notifyAccount(platform, accountId, async (trx) => {
    const { settings_json } = await trx
      .selectFrom('accounts')
      .select('settings_json')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
    const changed = change(JSON.parse(settings_json))
    const values = { settings_json: settingsJson(changed) }
    await setColumns(trx, values, { action: 'settings', detail: 'changed' }, platform.clock())
    return changed
  })
}

/** Chooses which text of a transcript API clients get. */
export async function setProgramText(platform: Platform, accountId: string, text: ProgramText): Promise<void> {
  const logged = { action: 'settings', detail: `text for programs: ${text}` } as const
  await notifyAccount(platform, accountId, (trx) => setColumns(trx, { program_text: text }, logged, platform.clock()))
}

/** Sets the rules that the captions of new files begin with. Their timing, which belongs to one recording, is left out. */
export async function setNewCaptionRules(
  platform: Platform,
  accountId: string,
  { timing: _, ...rules }: CaptionRules,
): Promise<void> {
  const values = { caption_rules_json: areDefaultRules(rules) ? null : JSON.stringify(rules) }
  const logged = { action: 'settings', detail: `captions of new files: ${nameRules(rules)}` } as const
  await notifyAccount(platform, accountId, (trx) => setColumns(trx, values, logged, platform.clock()))
}

/** Stores only what differs from the spec's defaults, so that all other options follow the spec. */
function differing(options: Partial<OrderOptions>): Partial<OrderOptions> {
  const spec: Record<string, unknown> = specDefaultOptions
  const entries = Object.entries(options).filter(
    ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(spec[name]),
  )
  return Object.fromEntries(entries)
}

/**
 * Sets the account's default order options (spec 2.3, rule 2). @returns all of them
 * @throws ServiceError 400 if they are too long, or one is not enabled for the account
 */
export async function setDefaults(
  platform: Platform,
  account: Account,
  options: Partial<OrderOptions>,
): Promise<OrderOptions> {
  const changed = differing(options)
  if (changed.custom_formatting === 'yes' && account.custom_formatting_enabled === 0) {
    throw new ServiceError(400, 'custom_formatting is not enabled for this account. Please contact support first.')
  }
  const json = JSON.stringify(changed)
  // Default options are part of every order's metadata header and must leave room for the rest of it (decision 2).
  if (json.length > 4_000) throw new ServiceError(400, 'The default options are too long in total.')
  await notifyAccount(platform, account.id, (trx) =>
    setColumns(trx, { default_options_json: json }, { action: 'defaults', detail: 'changed' }, platform.clock()),
  )
  return { ...specDefaultOptions, ...changed }
}
