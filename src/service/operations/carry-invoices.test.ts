import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createAccount } from '../accounts/auth/accounts.ts'
import { type Db, openDb } from '../platform/db/open.ts'
import { carryOver } from './carry-over.ts'

async function addInvoice(db: Db, account_id: string, number: number, corrects: string | null = null): Promise<void> {
  const id = `PAR-${number}`
  const money = { currency: 'USD', total_cents: 100 * number, vat_cents: 0, vat_basis_points: 0, reverse_charge: 0 }
  const times = { from_at: 1, to_at: 2, created_at: number }
  const kind = corrects === null ? 'invoice' : 'credit-note'
  const rest = { is_test: 0, corrects, seller: 'S', customer_json: '{"company":"C"}' }
  await db
    .insertInto('invoices')
    .values({ id, series: 'PAR-', number, account_id, kind, ...money, ...rest, ...times })
    .execute()
  const item = { transaction_id: `tx_${number}`, is_undone: 0, invoice: id, position: 0, file_id: 'f', duration_ms: 1 }
  await db
    .insertInto('invoice_items')
    .values({ ...item, kind: 'charge', transcript_type: 'manual', amount_cents: 100 * number, created_at: number })
    .execute()
}

test('a restore keeps the invoices that were written since the backup, and the next number follows them', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'parley-carry-'))
  const [old, backup] = [join(directory, 'old.db'), join(directory, 'backup.db')]
  try {
    const before = await openDb(old)
    const { accountId } = await createAccount(before, { environment: 'live', name: 'A' }, 1)
    await addInvoice(before, accountId, 1)
    await before.destroy()
    await copyFile(old, backup)
    const since = await openDb(old)
    await addInvoice(since, accountId, 2)
    await addInvoice(since, accountId, 3, 'PAR-1')
    await since.destroy()
    expect(carryOver(backup, old, [], 'write').source).toBe('replaced')
    const restored = await openDb(backup)
    const rows = await restored
      .selectFrom('invoices')
      .select(['id', 'total_cents', 'corrects'])
      .orderBy('number')
      .execute()
    expect(rows.map(Object.values)).toEqual([
      ['PAR-1', 100, null],
      ['PAR-2', 200, null],
      ['PAR-3', 300, 'PAR-1'],
    ])
    expect(await restored.selectFrom('invoice_items').selectAll().execute()).toHaveLength(3)
    await expect(addInvoice(restored, accountId, 3), 'given out').rejects.toThrow()
    await addInvoice(restored, accountId, 4)
    await restored.destroy()
  } finally {
    await rm(directory, { recursive: true })
  }
})
