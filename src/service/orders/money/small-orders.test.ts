import { expect, test } from 'vitest'
import type { FileRow } from '../../platform/db/schema.ts'
import { writeAccount } from '../../platform/db/write-account.ts'
import { accountClient } from '../../testing/account-client.ts'
import { startTestService } from '../../testing/test-service.ts'
import { readBook } from '../books/move.ts'
import { payOrder, withCharge } from './charge.ts'
import { LocalStripe } from './payment/stripe/testing/local-stripe.ts'
import { comeBack, visitCardPage } from './payment/testing/enter-card.ts'

/** What is entered of an order in the ledger. */
const fileOf = (account: { id: string; currency: string }, at: number, cents: number, transaction_id: string) =>
  ({
    id: `f${at}`,
    account_id: account.id,
    name: 'F',
    duration_ms: 1_000,
    currency: account.currency,
    options_json: '{"transcript_type":"automated"}',
    project_id: null,
    total_cents: cents,
    transaction_id,
  }) as unknown as FileRow

test('orders of 1 to 49 cents are all paid by a provider that takes no less than 50, with a top-up per 20.00', async () => {
  const provider = await new LocalStripe().listen()
  const service = await startTestService({ stripe: provider.config, role: 'api' })
  const { key } = await service.account({ environment: 'live' })
  const client = accountClient(service.address, key)
  await comeBack(client, await visitCardPage(client))
  const { platform } = service
  const { id } = await client.read<{ id: string }>('GET', '')
  const account = await platform.db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const prices = Array.from({ length: 250 }, (_, at) => 1 + ((at * 29) % 49))
  const lanes = Array.from({ length: 5 }, async (_, lane) => {
    for (let at = lane; at < prices.length; at += 5) {
      const cents = prices[at] ?? 0
      await withCharge(platform, account, { amountCents: cents }, (charge) =>
        writeAccount(platform.db, id, (trx) =>
          payOrder(trx, fileOf(account, at, cents, charge.transactionId), charge, platform.clock()),
        ),
      )
    }
  })
  await Promise.all(lanes)
  const total = prices.reduce((sum, cents) => sum + cents, 0)
  expect(provider.charges.map(({ amountCents }) => amountCents)).toEqual(
    Array.from({ length: Math.ceil(total / 2_000) }, () => 2_000),
  )
  const balance = await readBook(platform.db, account, 'balance')
  expect([await readBook(platform.db, account, 'orders'), provider.takenCents - balance]).toEqual([total, total])
  await service.close()
  await provider.close()
})
