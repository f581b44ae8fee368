import type { Db } from '../db/open.ts'
import { StartError } from '../start-error.ts'
import { readWebhook, setWebhook } from '../webhooks/endpoint.ts'

/**
 * `webhook set ACCOUNT URL`: where events of progress are sent (spec 6). Prints the secret that signs them: a new one
 * with the first address, the same one with later ones.
 */
export async function webhookSet(db: Db, accountId: string, address: string): Promise<object> {
  const url = URL.parse(address)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new StartError('The URL must begin with https://.')
  const known = await db.selectFrom('accounts').select('id').where('id', '=', accountId).executeTakeFirst()
  if (known === undefined) throw new StartError(`There is no account ${accountId}.`)
  const { secret } = await setWebhook(db, accountId, url.href, Date.now())
  return { account: accountId, url: url.href, secret: secret ?? (await readWebhook(db, accountId))?.secret }
}
