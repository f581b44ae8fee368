import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Usage } from '../../../contract/account/usage.ts'
import { dayMs } from '../../../contract/common/durations.ts'
import { ledgerEntries } from '../../start/cli/operate.ts'
import { accountClient } from '../../testing/account-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { giveUp } from '../file/progress.ts'
import { failsLateAfterMs } from './late-failures.ts'

let kit: TestService
beforeAll(async () => {
  kit = await startTestService()
})
afterAll(() => kit.close())

type Printed = { kind: string; status: string; amount_cents: number }

async function payer(behavior: 'succeeds' | 'fails_late') {
  const account = await kit.account()
  const client = accountClient(kit.address, account.key)
  await client.read('PUT', 'payment', { test_card: behavior })
  return {
    account,
    order: async (progress_percent: number) =>
      (await client.read<{ id: string }>('POST', 'tools/files', { seconds: 600, progress_percent })).id,
    remove: async (id: string) => await kit.fetch(account.key, `file/${id}`, { method: 'DELETE' }),
    fail: async () => {
      kit.advance(failsLateAfterMs)
      await kit.doChores()
    },
    usage: async () => await client.read<Usage>('GET', 'usage'),
    /** output of `npm run -s parley -- ledger` */
    printed: async () => (await ledgerEntries(kit.platform.db, account.id)) as Printed[],
  }
}

/** Money moved, excluding failed entries. */
const moved = (printed: readonly Printed[]) =>
  printed.reduce((sum, { status, amount_cents }) => sum + (status === 'failed' ? 0 : amount_cents), 0)

describe('a charge that fails late', () => {
  test('is not refunded when its file is deleted after it', async () => {
    const { account, order, fail, remove, usage, printed } = await payer('fails_late')
    const id = await order(40)
    await fail()
    expect(await kit.metadata(account.key, id)).toMatchObject({ total: 0, cost: '12.50', refund_amount: '0.00' })
    expect((await remove(id)).status).toBe(200)
    expect(await printed()).toMatchObject([{ kind: 'charge', status: 'failed', amount_cents: 1_250 }])
    const csv = await (await accountClient(kit.address, account.key).ask('GET', 'ledger.csv')).text()
    expect(csv).toMatch(/,0\.00,"USD",.*,12\.50\r\n$/)
    expect(await usage()).toMatchObject({ charged_cents: 0, recordings: 0, refunded_cents: 0, refunds: 0 })
  })

  test('cancels the refund of an earlier deletion, which is then never paid', async () => {
    const { order, fail, remove, usage, printed } = await payer('fails_late')
    await remove(await order(40))
    expect(await usage()).toMatchObject({ charged_cents: 1_250, refunded_cents: 750 })
    await fail()
    expect(await usage()).toMatchObject({ charged_cents: 0, refunded_cents: 0 })
    kit.advance(4 * dayMs)
    await kit.doChores()
    expect((await printed()).map(({ kind, status }) => `${kind} ${status}`)).toEqual(['charge failed', 'refund failed'])
  })

  test('is not refunded for a recording that cannot be transcribed, which can still be deleted', async () => {
    const { account, order, fail, remove, printed } = await payer('fails_late')
    const [before, after] = [await order(70), await order(80)]
    await giveUp(kit.platform, before, 'Damaged.')
    expect(await kit.metadata(account.key, before)).toMatchObject({ refund_amount: '12.50' })
    await fail()
    await giveUp(kit.platform, after, 'Damaged.')
    for (const id of [before, after]) {
      const { total, refund_amount, delay_reason } = await kit.metadata(account.key, id)
      expect([total, refund_amount]).toEqual([0, '0.00'])
      expect(delay_reason).not.toMatch(/is refunded/)
      expect((await remove(id)).status).toBe(200)
    }
    expect(moved(await printed())).toBe(0)
  })
})

test('after any orders, deletions, failures and refunds, usage equals the ledger to the cent, and no refund exceeds its payment', async () => {
  const step = fc.constantFrom('fail' as const, 'delete' as const, 'give up' as const)
  const file = fc.record({ progress: fc.integer({ min: 0, max: 99 }), steps: fc.array(step, { maxLength: 4 }) })
  const run = fc.asyncProperty(
    fc.constantFrom('succeeds' as const, 'fails_late' as const),
    fc.array(file, { minLength: 1, maxLength: 2 }),
    async (behavior, files) => {
      const { order, fail, remove, usage, printed } = await payer(behavior)
      for (const { progress, steps } of files) {
        const id = await order(progress)
        for (const each of steps) {
          if (each === 'fail') await fail()
          else if (each === 'delete') await (await remove(id)).body?.cancel()
          else await giveUp(kit.platform, id, 'Damaged.')
        }
      }
      const { charged_cents, refunded_cents } = await usage()
      const net = moved(await printed())
      expect(charged_cents - refunded_cents).toBe(net)
      expect(net).toBeGreaterThanOrEqual(0)
      await fail()
      if (behavior === 'fails_late') expect(moved(await printed())).toBe(0)
    },
  )
  await fc.assert(run, { numRuns: 8 })
})
