import { AsyncLocalStorage } from 'node:async_hooks'
import type { LogAction } from '../../../contract/account/audit-log.ts'
import { chunks } from './change-files.ts'
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
  { file = { id: '', name: '' }, ...what }: Logged,
  now: number,
  by: Actor | null = actor(),
): Promise<void> {
  await appendLogOfFiles(trx, what, [file], now, by)
}

/** The same of many files, each of which gets an entry of its own. A thousand take a few statements. */
export async function appendLogOfFiles(
  trx: AccountTrx,
  { action, detail = '', times = 1 }: Omit<Logged, 'file'>,
  files: readonly { id: string; name: string }[],
  now: number,
  by: Actor | null = actor(),
): Promise<void> {
  const key_id = by?.keyId ?? ''
  const same = { account_id: trx.accountId, action, detail, address: by?.address() ?? '', key_id }
  for (const some of chunks(files)) {
    const last = await trx
      .selectFrom('account_log')
      .select(({ fn }) => ['file_id', fn.max('id').as('id')])
      .where((eb) => eb.and(same))
      .where(
        'file_id',
        'in',
        some.map(({ id }) => id),
      )
      .where('created_at', '>', now - oneEntryMs)
      .groupBy('file_id')
      .execute()
    const again = new Map(last.map(({ file_id, id }) => [file_id, id]))
    if (again.size > 0)
      await trx
        .updateTable('account_log')
        .set((eb) => ({ at: now, times: eb('times', '+', times) }))
        .where('id', 'in', [...again.values()])
        .execute()
    const fresh = some.filter(({ id }) => !again.has(id))
    if (fresh.length === 0) continue
    const entry = { ...same, key_name: await keyName(trx, key_id), times, at: now, created_at: now }
    await trx
      .insertInto('account_log')
      .values(fresh.map((file) => ({ ...entry, file_id: file.id, file_name: file.name })))
      .execute()
  }
}

async function keyName(trx: AccountTrx, keyId: string): Promise<string> {
  if (keyId === '') return ''
  const key = await trx.selectFrom('api_keys').select('name').where('id', '=', keyId).executeTakeFirst()
  return key?.name ?? ''
}
