import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { specDefaultOptions } from '../../../contract/interface/option-values.ts'
import { createAccount } from '../../accounts/auth/accounts.ts'
import { defaultConfig } from '../../platform/config.ts'
import type { Account } from '../../platform/db/schema.ts'
import type { ChargeState, ChargeWish } from '../../platform/payment-provider.ts'
import type { Platform } from '../../platform/platform.ts'
import { openPlatform } from '../../start/service.ts'
import { openTestSchema } from '../../testing/postgres-schemas.ts'
import { makeTone, testStart } from '../../testing/test-service.ts'
import { readBook } from '../books/move.ts'
import { deleteFile } from '../file/delete.ts'
import { setProgress } from '../file/progress.ts'
import { voidLeftCharges } from '../money/charge.ts'
import { createOrder } from './create.ts'

/*
 * Two nodes are two platforms with their own connections to one database, and nothing else in common but the bank: one
 * does not see the other's memory.
 */

const taken = new Map<string, number>()
const voided: string[] = []
/** resolved to let the bank answer */
let bankAnswers: Promise<void>
const bank = {
  cardPage: null,
  books: null,
  pays: () => true,
  async charge({ idempotencyKey, amountCents }: { idempotencyKey: string; amountCents: number }) {
    taken.set(idempotencyKey, amountCents)
    await bankAnswers
    return { transactionId: `tx_${idempotencyKey}` }
  },
  refund: async () => ({ transactionId: 're' }),
  async voidCharge({ idempotencyKey }: ChargeWish) {
    taken.delete(idempotencyKey)
    voided.push(idempotencyKey)
  },
  async readCharge(): Promise<ChargeState> {
    throw new Error('nobody asks')
  },
}

let dataDir: string
let nodes: [Platform, Platform]
let account: Account
let tone: Uint8Array

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-nodes-'))
  taken.clear()
  voided.splice(0)
  bankAnswers = Promise.resolve()
  const postgres = await openTestSchema()
  const open = async (node: string): Promise<Platform> => ({
    ...(await openPlatform({ ...defaultConfig, dataDir, postgres }, () => testStart, pino({ level: 'silent' }))),
    payment: { live: bank, sandbox: bank },
    node,
  })
  nodes = [await open('a'), await open('b')]
  const { db } = nodes[0]
  const { accountId } = await createAccount(db, { environment: 'live', name: 'T' }, testStart)
  account = await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow()
  tone = await makeTone(1)
})
afterEach(async () => {
  for (const { guard, closeStore } of nodes) {
    await guard.close()
    await closeStore()
  }
  await rm(dataDir, { recursive: true })
})

async function order(node: Platform, key: string | null, refusesKnown = false): Promise<{ id: string }> {
  const staged = await node.blobs.stage()
  await staged.append(tone)
  const recording = { staged, fileName: 'a.wav', declaredType: 'audio/wav' }
  const options = specDefaultOptions
  const repeatable = key === null ? null : { key }
  return createOrder(node, { account, options, repeatable, refusesKnown, ...recording })
}

async function expectBooks(orders: number): Promise<void> {
  const { db } = nodes[0]
  expect(await db.selectFrom('files').select('id').execute()).toHaveLength(orders)
  const charges = await db.selectFrom('ledger').selectAll().where('kind', '=', 'charge').execute()
  expect(charges).toHaveLength(orders)
  const topUps = await db.selectFrom('top_ups').selectAll().execute()
  const inBooks = topUps.map(({ transaction_id, amount_cents }) => [transaction_id, amount_cents])
  expect(new Map(inBooks as [string, number][])).toEqual(
    new Map([...taken].map(([key, cents]) => [`tx_${key}`, cents])),
  )
  const balance = await readBook(db, account, 'balance')
  const sum = (cents: readonly { amount_cents: number }[]) => cents.reduce((all, each) => all + each.amount_cents, 0)
  expect(sum(topUps)).toBe(balance + sum(charges))
  expect(await db.selectFrom('charge_intents').selectAll().execute()).toEqual([])
}

test('one key sent to two nodes concurrently is one order, and both get its id; one top-up pays for all', async () => {
  const keys = Array.from({ length: 25 }, (_, index) => `key-${index}`)
  const answers = await Promise.all(keys.map((key) => Promise.all(nodes.map((node) => order(node, key)))))
  for (const [a, b] of answers) expect(a).toEqual(b)
  await expectBooks(keys.length)
  expect([...taken.values()]).toEqual([2_000])
})

test('one recording sent to two nodes by two tabs is one order, and what was paid in for the other is its balance', async () => {
  const { promise, resolve: answer } = Promise.withResolvers<void>()
  bankAnswers = promise
  // Both have looked for duplicates by now, and found none.
  const tabs = nodes.map((node) => order(node, null, true))
  await expect.poll(() => taken.size).toBeGreaterThan(0)
  answer()
  const [first, second] = await Promise.allSettled(tabs)
  expect([first?.status, second?.status].toSorted()).toEqual(['fulfilled', 'rejected'])
  const refused = [first, second].find((each) => each?.status === 'rejected')
  expect(refused).toMatchObject({ reason: { status: 409, message: expect.stringMatching(/Nothing was charged/) } })
  await expectBooks(1)
})

test('a key whose node dies is free once its lease has expired, and its charge is refunded', async () => {
  const { promise, resolve: answer } = Promise.withResolvers<void>()
  bankAnswers = promise
  const dying = order(nodes[0], 'key')
  await expect.poll(() => taken.size).toBe(1)
  bankAnswers = Promise.resolve()
  // The node is suspended: its leases expire, and the other one continues.
  const { db } = nodes[1]
  await db.updateTable('idempotency').set({ leased_until: 0 }).execute()
  await db.updateTable('charge_intents').set({ leased_until: 0 }).execute()
  const [stuck] = taken.keys()
  const { id } = await order(nodes[1], 'key')
  await db
    .updateTable('charge_intents')
    .set({ is_void: 1 })
    .where('idempotency_key', '=', stuck ?? '')
    .execute()
  answer()
  // Resumed, it can no longer write its order.
  await expect(dying).rejects.toMatchObject({ status: 503 })
  expect(await order(nodes[0], 'key')).toEqual({ id })
  expect(voided).toEqual([stuck])
  await expectBooks(1)
})

test('a charge in progress is left alone until its lease has expired, whichever node checks', async () => {
  const { promise, resolve: answer } = Promise.withResolvers<void>()
  bankAnswers = promise
  const ordering = order(nodes[0], null)
  await expect.poll(() => taken.size).toBe(1)
  await voidLeftCharges(nodes[1], nodes[1].ending)
  expect(voided).toEqual([])
  // Its own node leaves it alone even then: a clock jump expires leases, but does not end the request.
  await nodes[1].db.updateTable('charge_intents').set({ leased_until: 0 }).execute()
  await voidLeftCharges(nodes[0], nodes[0].ending)
  expect(voided).toEqual([])
  answer()
  await ordering
  await expectBooks(1)
})

test('deletions and progress of two nodes: refunded once, or locked, never both', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, async () => (await order(nodes[0], null)).id))
  for (const id of ids) await setProgress(nodes[0], id, 59)
  const outcomes = await Promise.all(
    ids.map((id, index) =>
      Promise.allSettled([
        index % 2 === 0 ? setProgress(nodes[0], id, 60) : deleteFile(nodes[0], account.id, id),
        deleteFile(nodes[1], account.id, id),
      ]),
    ),
  )
  const { db } = nodes[0]
  const refunds = await db.selectFrom('ledger').select('file_id').where('kind', '=', 'refund').execute()
  const left = new Set((await db.selectFrom('files').select('id').execute()).map(({ id }) => id))
  for (const [index, id] of ids.entries()) {
    expect(refunds.filter(({ file_id }) => file_id === id)).toHaveLength(left.has(id) ? 0 : 1)
    const deleted = outcomes[index]?.filter(
      ({ status }, side) => status === 'fulfilled' && (side === 1 || index % 2 === 1),
    )
    expect(deleted).toHaveLength(left.has(id) ? 0 : 1)
  }
})
