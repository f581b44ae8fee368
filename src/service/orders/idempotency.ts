import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import { idempotencyKeptMs } from '../../contract/limits.ts'
import type { Database } from '../db/schema.ts'
import type { StagedContent } from '../media/blob-store.ts'
import type { Platform } from '../platform.ts'
import { ServiceError } from '../service-error.ts'
import type { OrderRequest } from './create.ts'

/** A request that may be sent again: the client's `Idempotency-Key` (decision 7). */
export type Repeatable = { key: string }

type Asked = { request: OrderRequest; content: StagedContent }

/** Everything that was asked for: the recording, its name and type, and the options as applied. */
function fingerprint({ request, content }: Asked): string {
  const { options, fileName, declaredType } = request
  const asked = [content.contentHash, content.bytes, fileName, declaredType, options]
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex')
}

/** Requests under way by account and key, so that a second one waits for the answer of the first. */
const underWay = new Map<string, Promise<unknown>>()

/**
 * Runs `create` once for a key: a repetition gets the answer of then; one that comes while the first is still at work
 * waits for it. A failed attempt is not remembered, so that it can be tried again.
 * @throws ServiceError 422 where the key was used for something else
 */
export async function withIdempotency(
  platform: Platform,
  accountId: string,
  repeatable: Repeatable | null,
  asked: Asked,
  create: () => Promise<{ id: string }>,
): Promise<{ id: string }> {
  if (repeatable === null) return create()
  const slot = `${accountId} ${repeatable.key}`
  for (let busy = underWay.get(slot); busy !== undefined; busy = underWay.get(slot)) await busy
  const work = (async () => (await answerOf(platform, accountId, repeatable, asked)) ?? create())()
  underWay.set(
    slot,
    work.then(
      () => underWay.delete(slot),
      () => underWay.delete(slot),
    ),
  )
  return work
}

async function answerOf(
  { db, clock }: Platform,
  accountId: string,
  { key }: Repeatable,
  asked: Asked,
): Promise<{ id: string } | null> {
  const known = await db
    .selectFrom('idempotency')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .where('created_at', '>', clock() - idempotencyKeptMs)
    .executeTakeFirst()
  if (known === undefined) return null
  if (known.fingerprint === fingerprint(asked)) return JSON.parse(known.body)
  throw new ServiceError(422, 'This Idempotency-Key was used for another order. Use a new key for a new order.')
}

/** Remembers the answer in the order's own transaction: there is no moment in which one stands without the other. */
export async function rememberAnswer(
  trx: Transaction<Database>,
  accountId: string,
  { key }: Repeatable,
  asked: Asked,
  fileId: string,
  now: number,
): Promise<void> {
  await trx
    .replaceInto('idempotency')
    .values({
      account_id: accountId,
      key,
      fingerprint: fingerprint(asked),
      status: 201,
      body: JSON.stringify({ id: fileId }),
      created_at: now,
    })
    .execute()
}
