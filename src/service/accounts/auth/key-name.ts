import type { AccountTrx } from '../../platform/db/write-account.ts'

/** The name that a key has now: it stays with what was done with it, also when the key is gone. */
export async function keyNameOf(trx: AccountTrx, keyId: string): Promise<string> {
  const key = await trx.selectFrom('api_keys').select('name').where('id', '=', keyId).executeTakeFirst()
  return key?.name ?? ''
}
