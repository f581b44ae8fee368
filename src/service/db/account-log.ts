import { AsyncLocalStorage } from 'node:async_hooks'
import type { LogAction } from '../../contract/account-log.ts'
import type { AccountTrx } from './write-account.ts'

/** Who does something: the key of a request, and from where it came. */
export type Actor = { keyId: string; address: () => string }

const actors = new AsyncLocalStorage<Actor | null>()

/** Runs what somebody asked for: what it writes into logs is theirs, however deep below. */
export function actAs<Result>(actor: Actor | null, work: () => Result): Result {
  return actors.run(actor, work)
}

/** Who acts here; null: Parley by itself. */
export function actor(): Actor | null {
  return actors.getStore() ?? null
}

/** The same by the same hands within this time is one entry that counts. */
const oneEntryMs = 60 * 60_000

export type Logged = {
  action: LogAction
  detail?: string
  file?: { id: string; name: string }
  /** how often, where it is noted later and at once */
  times?: number
}

/** Enters into the account's log what its transaction does. */
export async function appendLog(
  trx: AccountTrx,
  { action, detail = '', file, times = 1 }: Logged,
  now: number,
  by: Actor | null = actor(),
): Promise<void> {
  const same = { account_id: trx.accountId, action, detail, file_id: file?.id ?? '', address: by?.address() ?? '' }
  const key_id = by?.keyId ?? ''
  const last = await trx
    .selectFrom('account_log')
    .select('id')
    .where((eb) => eb.and({ ...same, key_id }))
    .where('created_at', '>', now - oneEntryMs)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (last !== undefined) {
    await trx
      .updateTable('account_log')
      .set((eb) => ({ at: now, times: eb('times', '+', times) }))
      .where('id', '=', last.id)
      .execute()
    return
  }
  const key = by && (await trx.selectFrom('api_keys').select('name').where('id', '=', key_id).executeTakeFirst())
  const key_name = key?.name ?? ''
  const entry = { ...same, key_id, key_name, file_name: file?.name ?? '', times, at: now, created_at: now }
  await trx.insertInto('account_log').values(entry).execute()
}
