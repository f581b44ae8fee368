import { AsyncLocalStorage } from 'node:async_hooks'
import type { LogAction } from '../../../contract/account/audit-log.ts'
import { chunks } from './change-files.ts'
import type { AccountTrx } from './write-account.ts'

/** The author of a change: the key of a request, and its address. `origin`: where it reached the service. */
export type Actor = { keyId: string; address: () => string; origin: () => string }

const actors = new AsyncLocalStorage<Actor | null>()

/** Runs a request's work: whatever it logs, however deep, is attributed to its actor. */
export function actAs<Result>(actor: Actor | null, work: () => Result): Result {
  return actors.run(actor, work)
}

/** The current actor; null: Parley itself. */
export function actor(): Actor | null {
  return actors.getStore() ?? null
}

/** Repeated by the same actor within this time, an action is one entry with a count. */
const oneEntryMs = 60 * 60_000

export type Logged = {
  action: LogAction
  detail?: string
  file?: { id: string; name: string }
  /** its count, if several are logged later as one entry */
  times?: number
}

/** Writes an entry to the account's audit log, in the transaction of the change. */
export async function appendLog(
  trx: AccountTrx,
  { file = { id: '', name: '' }, ...what }: Logged,
  now: number,
  by: Actor | null = actor(),
): Promise<void> {
  await appendLogOfFiles(trx, what, [file], now, by)
}

/** The same for many files, each with its own entry. A thousand take a few statements. */
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
