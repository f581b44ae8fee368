import type { AccountTrx } from '../../platform/db/write-account.ts'

/** The current name of a key; entries keep it even after the key is gone. */
export async function keyNameOf(trx: AccountTrx, keyId: string): Promise<string> {
  const key = await trx.selectFrom('api_keys').select('name').where('id', '=', keyId).executeTakeFirst()
  return key?.name ?? ''
}
