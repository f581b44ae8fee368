import { randomBytes } from 'node:crypto'
import type { Db } from '../db/open.ts'
import { StartError } from '../start-error.ts'

/** `webhook set ACCOUNT URL`: where progress is told from now on (spec 6). Prints the secret that signs it. */
export async function webhookSet(db: Db, accountId: string, address: string): Promise<object> {
  const url = URL.parse(address)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new StartError('The URL must begin with https://.')
  const known = await db.selectFrom('accounts').select('id').where('id', '=', accountId).executeTakeFirst()
  if (known === undefined) throw new StartError(`There is no account ${accountId}.`)
  const secret = `whsec_${randomBytes(24).toString('base64')}`
  await db
    .replaceInto('webhooks')
    .values({
      account_id: accountId,
      url: url.href,
      secret,
      previous_secret: null,
      previous_secret_until: null,
      paused_at: null,
      pause_reason: null,
      simulate_failure: 0,
      created_at: Date.now(),
    })
    .execute()
  return { account: accountId, url: url.href, secret }
}
