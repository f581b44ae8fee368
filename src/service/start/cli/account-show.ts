import { parseLimits } from '../../accounts/auth/key-limits.ts'
import { findClosing } from '../../operations/closing/close-account.ts'
import { readMoneyLeft } from '../../operations/closing/money-left.ts'
import type { Db } from '../../platform/db/open.ts'
import { iso } from '../../platform/iso-time.ts'
import { readAccount } from './operate.ts'

async function showClosing(db: Db, id: string, address: string): Promise<object | null> {
  const closing = await findClosing(db, id)
  if (closing === undefined) return null
  const { closed_at, erase_at, erased_at, report_json } = closing
  const erased = { erased: iso(erased_at), report: report_json === null ? null : JSON.parse(report_json) }
  return { closed: iso(closed_at), erases: iso(erase_at), ...erased, statement: `${address}/closed/${closing.id}` }
}

/** `account show`: everything about an account except its secrets. @param address of the service */
export async function accountShow(db: Db, id: string, address: string): Promise<object> {
  const account = await readAccount(db, id)
  const card = await db
    .selectFrom('payment_methods')
    .select(['brand', 'last_four', 'exp_month', 'exp_year'])
    .where('account_id', '=', id)
    .executeTakeFirst()
  const keys = await db
    .selectFrom('api_keys')
    .select(['id', 'name', 'last_four', 'created_at', 'last_used_at', 'expires_at', 'revoked_at', 'limits_json'])
    .where('account_id', '=', id)
    .orderBy('created_at')
    .execute()
  const webhook = await db
    .selectFrom('webhooks')
    .select(['url', 'paused_at'])
    .where('account_id', '=', id)
    .executeTakeFirst()
  const { files } = await db
    .selectFrom('files')
    .select((eb) => eb.fn.countAll<number>().as('files'))
    .where('account_id', '=', id)
    .executeTakeFirstOrThrow()
  const { default_options_json, settings_json: _, custom_formatting_enabled, created_at, closed_at, ...plain } = account
  return {
    ...plain,
    ...(closed_at !== null && { closing: await showClosing(db, id, address) }),
    created: iso(created_at),
    custom_formatting_enabled: custom_formatting_enabled === 1,
    default_options: JSON.parse(default_options_json),
    payment_method: card ?? null,
    ...(await readMoneyLeft(db, id)),
    keys: keys.map(({ created_at, last_used_at, expires_at, revoked_at, limits_json, ...key }) => ({
      ...key,
      ...parseLimits({ limits_json }),
      created: iso(created_at),
      last_used: iso(last_used_at),
      expires: iso(expires_at),
      revoked: iso(revoked_at),
    })),
    webhook: webhook === undefined ? null : { url: webhook.url, paused: webhook.paused_at !== null },
    files,
  }
}
