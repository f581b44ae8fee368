import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KyselyPlugin } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { specDefaultOptions } from '../../../contract/interface/option-values.ts'
import { createAccount } from '../../accounts/auth/accounts.ts'
import { defaultConfig } from '../../platform/config.ts'
import { endNodeLeases } from '../../platform/db/leases.ts'
import type { PostgresConfig } from '../../platform/db/postgres/postgres-config.ts'
import type { Account } from '../../platform/db/schema.ts'
import type { BlobStore, StagedBlob } from '../../platform/media/blob-store.ts'
import type { ChargeState, ChargeWish, PaymentProvider } from '../../platform/payment-provider.ts'
import type { Platform } from '../../platform/platform.ts'
import { openPlatform } from '../../start/service.ts'
import { openTestSchema } from '../../testing/postgres-schemas.ts'
import { makeTone, testStart } from '../../testing/test-service.ts'
import { readBook } from '../books/move.ts'
import { deleteFile } from '../file/delete.ts'
import { removeOrphans } from '../housekeeping.ts'
import { voidLeftCharges } from '../money/charge.ts'
import { createOrder } from './create.ts'

/*
 * A crash is simulated by a platform whose every call fails from the nth on, including clean-up; an open transaction
 * then rolls back, as it would. Then the service restarts on the remaining data.
 */

/** The bank outlives the process: what it has taken for each key, and how often. */
class Bank implements PaymentProvider {
  readonly cardPage = null
  readonly books = null
  readonly pays = () => true
  readonly taken = new Map<string, number>()
  async charge({ idempotencyKey, amountCents }: { idempotencyKey: string; amountCents: number }) {
    this.taken.set(idempotencyKey, amountCents)
    return { transactionId: `tx_${idempotencyKey}` }
  }
  async refund() {
    return { transactionId: 're' }
  }
  async voidCharge({ idempotencyKey }: ChargeWish) {
    this.taken.delete(idempotencyKey)
  }
  async readCharge(): Promise<ChargeState> {
    throw new Error('nobody asks')
  }
}

class Death extends Error {}

/** Open files of the crashed process, which the system would have closed. */
const handles: StagedBlob[] = []

/** Counts calls; from the nth on every call crashes. */
function mortal(platform: Platform, diesAt: number): Platform {
  let calls = 0
  const tick = () => {
    calls += 1
    if (calls >= diesAt) throw new Death()
  }
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      tick()
      return node
    },
    transformResult: async ({ result }) => result,
  }
  /** Each call crashes before its work, or after it and before its result is seen. */
  const wrap = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get(object, name) {
        const member = Reflect.get(object, name)
        // What calls nobody cannot be interrupted.
        if (typeof member !== 'function' || name === 'pays') return member
        return async (...parameters: unknown[]) => {
          tick()
          const result = await member.apply(object, parameters)
          if (name === 'stage') handles.push(result as StagedBlob)
          tick()
          return name === 'stage' ? wrap(result as StagedBlob) : result
        }
      },
    })
  return {
    ...platform,
    db: platform.db.withPlugin(plugin),
    payment: { live: wrap(platform.payment.live), sandbox: wrap(platform.payment.sandbox) },
    blobs: wrap<BlobStore>(platform.blobs),
  }
}

let dataDir: string
let postgres: PostgresConfig | null
let bank: Bank
let platform: Platform
let account: Account
let tone: Uint8Array

async function start(): Promise<void> {
  const config = { ...defaultConfig, dataDir, postgres }
  platform = {
    ...(await openPlatform(config, () => testStart, pino({ level: 'silent' }))),
    payment: { live: bank, sandbox: bank },
    node: 'embedded',
  }
  await endNodeLeases(platform.db, platform.node)
  await removeOrphans(platform, Number.POSITIVE_INFINITY)
  await voidLeftCharges(platform, platform.ending)
}
async function stop(): Promise<void> {
  await platform.guard.close()
  await platform.closeStore()
  for (const staged of handles.splice(0)) await staged.discard()
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-crash-'))
  postgres = await openTestSchema()
  bank = new Bank()
  await start()
  await openAccount()
  tone = await makeTone(1)
})
async function openAccount(): Promise<void> {
  const { accountId } = await createAccount(platform.db, { environment: 'sandbox', name: 'T' }, testStart)
  account = await platform.db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow()
}
afterEach(async () => {
  await stop()
  await rm(dataDir, { recursive: true })
})

async function order(on: Platform): Promise<{ id: string }> {
  const staged = await on.blobs.stage()
  await staged.append(tone)
  const recording = { staged, fileName: 'a.wav', declaredType: 'audio/wav' }
  return createOrder(on, { account, options: specDefaultOptions, repeatable: { key: 'once' }, ...recording })
}

async function blobIds(): Promise<string[]> {
  const ids: string[] = []
  for await (const id of platform.blobs.ids()) ids.push(id)
  return ids
}

/** Expects all of an order, or nothing of it. @returns how many orders exist */
async function expectWhole(): Promise<number> {
  const { db } = platform
  const files = await db.selectFrom('files').select(['id', 'total_cents', 'transaction_id']).execute()
  const charges = await db.selectFrom('ledger').selectAll().where('kind', '=', 'charge').execute()
  const jobs = await db.selectFrom('jobs').select('file_id').where('kind', '=', 'speech').execute()
  const ids = files.map(({ id }) => id)
  expect(charges.map(({ file_id }) => file_id)).toEqual(ids)
  expect(jobs.map(({ file_id }) => file_id)).toEqual(ids)
  expect(await blobIds()).toEqual(ids)
  const topUps = await db.selectFrom('top_ups').select('amount_cents').where('account_id', '=', account.id).execute()
  expect([...bank.taken.values()]).toEqual(topUps.map(({ amount_cents }) => amount_cents))
  const [paidIn, paid] = [topUps[0]?.amount_cents ?? 0, files[0]?.total_cents ?? 0]
  expect(await readBook(db, account, 'balance'), 'a top-up stands with its order only').toBe(paidIn - paid)
  expect(await db.selectFrom('charge_intents').selectAll().execute()).toEqual([])
  return files.length
}

it('an order interrupted by a crash at any point exists completely or not at all, and its retry is charged once', {
  timeout: 300_000,
}, async () => {
  let died = 0
  for (let diesAt = 1; ; diesAt += 1) {
    let told: { id: string } | null = null
    try {
      told = await order(mortal(platform, diesAt))
    } catch (error) {
      expect(error).toBeInstanceOf(Death)
      died += 1
    }
    await stop()
    await start()
    const stands = await expectWhole()
    if (told !== null) expect(stands).toBe(1)
    // The client, which knows nothing, retries.
    const again = await order(platform)
    expect(await expectWhole()).toBe(1)
    if (told !== null) {
      expect(again).toEqual(told)
      break
    }
    // Deleted for the next crash point.
    await deleteFile(platform, account.id, again.id)
    for (const table of ['ledger', 'idempotency', 'deleted_files', 'deliveries', 'events'] as const) {
      await platform.db.deleteFrom(table).execute()
    }
    bank.taken.clear()
    await openAccount()
  }
  expect(died, 'points at which it died').toBeGreaterThan(20)
})

it('a deletion interrupted by a crash at any point is complete or not done at all, and refunded once', {
  timeout: 300_000,
}, async () => {
  for (let diesAt = 1; ; diesAt += 1) {
    const { id } = await order(platform)
    let done = true
    try {
      await deleteFile(mortal(platform, diesAt), account.id, id)
    } catch (error) {
      expect(error).toBeInstanceOf(Death)
      done = false
    }
    await stop()
    await start()
    const file = await platform.db.selectFrom('files').select('id').where('id', '=', id).executeTakeFirst()
    const refunds = await platform.db.selectFrom('ledger').select('amount_cents').where('kind', '=', 'refund').execute()
    expect(refunds.map(({ amount_cents }) => amount_cents)).toEqual(file === undefined ? [-2] : [])
    expect(await blobIds()).toEqual(file === undefined ? [] : [id])
    if (file !== undefined) await deleteFile(platform, account.id, id)
    await platform.db.deleteFrom('ledger').execute()
    await platform.db.deleteFrom('idempotency').execute()
    if (done) break
  }
})
