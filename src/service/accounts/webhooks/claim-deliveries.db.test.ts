import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Db } from '../../platform/db/open.ts'
import { enqueueDelivery } from '../../platform/db/outbox.ts'
import { writeAccount } from '../../platform/db/write-account.ts'
import { openTestDbs } from '../../testing/test-dbs.ts'
import { createAccount } from '../auth/accounts.ts'
import { claimDeliveries } from './claim-deliveries.ts'

const now = 1_000_000
let dbs: readonly [Db, Db]
let remove: () => Promise<void>
let accountId: string

beforeEach(async () => {
  ;({ dbs, remove } = await openTestDbs())
  ;({ accountId } = await createAccount(dbs[0], { environment: 'live', name: 'T' }, now))
  const webhook = { account_id: accountId, url: 'https://receiver.example/', secret: 's', simulate_failure: 0 }
  await dbs[0]
    .insertInto('webhooks')
    .values({ ...webhook, created_at: now })
    .execute()
})
afterEach(() => remove())

const claim = (index: 0 | 1, most = 100) =>
  claimDeliveries({ db: dbs[index], node: `node-${index}`, clock: () => now }, most)
const tell = (id: string, progress_percent: number) =>
  writeAccount(dbs[0], accountId, (trx) => enqueueDelivery(trx, { id, name: 'A', progress_percent }, now))

test('two processes claim each delivery once, one of a file and eight of an account at a time', async () => {
  for (let file = 0; file < 20; file += 1) await tell(`f${file}`, 10)
  const claimed = (await Promise.all([claim(0, 5), claim(1, 5), claim(0), claim(1)])).flatMap(({ claimed }) => claimed)
  expect(claimed).toHaveLength(8)
  expect(new Set(claimed.map(({ delivery }) => delivery.file_id)).size).toBe(8)
})

test('progress that moves while its delivery is claimed is in it, or follows it; it is never lost', async () => {
  await tell('f1', 10)
  const changed = Promise.withResolvers<void>()
  const changing = writeAccount(dbs[0], accountId, async (trx) => {
    await enqueueDelivery(trx, { id: 'f1', name: 'A', progress_percent: 20 }, now)
    changed.resolve()
    // Time for the claim to collide with the change before its commit: it waits for it, or skips the row.
    await wait(100)
  })
  await changed.promise
  const first = await claim(1)
  await changing
  const { claimed } = first.claimed.length > 0 ? first : await claim(1)
  const left = await dbs[0].selectFrom('deliveries').select('progress_percent').where('state', '=', 'waiting').execute()
  const told = [...claimed.map(({ delivery }) => delivery), ...left].map(({ progress_percent }) => progress_percent)
  expect(told).toEqual([20])
})
