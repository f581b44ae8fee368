import { databaseNow, leasedUntil, skipLocked } from '../../platform/db/leases.ts'
import type { Db, Trx } from '../../platform/db/open.ts'
import type { Delivery, Webhook } from '../../platform/db/schema.ts'
import { transactAlone } from '../../platform/db/write-account.ts'
import type { Platform } from '../../platform/platform.ts'

/**
 * Concurrency limits per account, across all processes: while its receiver works, and after its last attempt failed.
 */
const healthyLimit = 8
const strugglingLimit = 2

export type ClaimedDelivery = { delivery: Delivery; webhook: Webhook }

/** Files and accounts with attempts in progress. An attempt ends long before its lease does. */
async function underWay(trx: Trx): Promise<{ files: Set<string>; accounts: Map<string, number> }> {
  const sending = await trx
    .selectFrom('deliveries')
    .select(['account_id', 'file_id'])
    .where('state', '=', 'sending')
    .execute()
  const accounts = new Map<string, number>()
  for (const { account_id } of sending) accounts.set(account_id, (accounts.get(account_id) ?? 0) + 1)
  return { files: new Set(sending.flatMap(({ file_id }) => file_id ?? [])), accounts }
}

/** Makes attempts of dead processes due again. */
async function freeExpired(trx: Trx, now: number): Promise<void> {
  await trx
    .updateTable('deliveries')
    .set({ state: 'waiting', next_attempt_at: now })
    .where('state', '=', 'sending')
    .where('leased_until', '<', databaseNow)
    .execute()
}

/** A cheap check before opening a transaction, as nearly all polls find nothing. */
async function isAnyDue(db: Db, now: number): Promise<boolean> {
  const due = await db
    .selectFrom('deliveries')
    .select('id')
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '=', 'waiting'), eb('next_attempt_at', '<=', now)]),
        eb.and([eb('state', '=', 'sending'), eb('leased_until', '<', databaseNow)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return due !== undefined
}

async function webhooksDue(trx: Trx, now: number): Promise<Webhook[]> {
  return await trx
    .selectFrom('webhooks')
    .selectAll()
    .where('account_id', 'in', (query) =>
      query
        .selectFrom('deliveries')
        .select('account_id')
        .where('state', '=', 'waiting')
        .where('next_attempt_at', '<=', now),
    )
    .execute()
}

/**
 * Claims due deliveries: one per file at a time, and per account as many as its limit allows.
 * @param most 1 or more. @returns them with their webhooks, and whether others are due
 */
export async function claimDeliveries(
  { db, clock, node }: Pick<Platform, 'db' | 'clock' | 'node'>,
  most: number,
): Promise<{ claimed: ClaimedDelivery[]; isMore: boolean }> {
  const now = clock()
  if (!(await isAnyDue(db, now))) return { claimed: [], isMore: false }
  return await transactAlone(db, 'deliveries', async (trx) => {
    await freeExpired(trx, now)
    const { files, accounts } = await underWay(trx)
    const webhooks = await webhooksDue(trx, now)
    const byAccount = new Map(webhooks.map((webhook) => [webhook.account_id, webhook]))
    const isFull = ({ account_id, failing_since }: Webhook) =>
      (accounts.get(account_id) ?? 0) >= (failing_since === null ? healthyLimit : strugglingLimit)
    const ready = webhooks.filter((webhook) => !isFull(webhook)).map(({ account_id }) => account_id)
    if (ready.length === 0) return { claimed: [], isMore: false }
    const rows = await trx
      .selectFrom('deliveries')
      .selectAll()
      .where('state', '=', 'waiting')
      .where('next_attempt_at', '<=', now)
      .where('account_id', 'in', ready)
      .$if(files.size > 0, (query) =>
        query.where((eb) => eb.or([eb('file_id', 'is', null), eb('file_id', 'not in', [...files])])),
      )
      .orderBy('next_attempt_at')
      .limit(most)
      // A progress change waiting for the row then queues its own delivery: this one is already being sent.
      .$call((query) => skipLocked(trx, query))
      .execute()
    const claimed = rows.flatMap((delivery) => {
      const { account_id, file_id } = delivery
      const webhook = byAccount.get(account_id)
      if (webhook === undefined || isFull(webhook) || (file_id !== null && files.has(file_id))) return []
      accounts.set(account_id, (accounts.get(account_id) ?? 0) + 1)
      if (file_id !== null) files.add(file_id)
      return { delivery, webhook }
    })
    const ids = claimed.map(({ delivery }) => delivery.id)
    if (ids.length === 0) return { claimed, isMore: false }
    await trx
      .updateTable('deliveries')
      .set({ state: 'sending', node, leased_until: leasedUntil })
      .where('id', 'in', ids)
      .execute()
    return { claimed, isMore: claimed.length < rows.length || rows.length === most }
  })
}
