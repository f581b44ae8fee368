import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { AccountOverview } from '../../../contract/account/account.ts'
import { type ClosedAccount, comeBackDays } from '../../../contract/account/closing.ts'
import { dayMs } from '../../../contract/common/durations.ts'
import { refundCents } from '../../../contract/interface/deletion.ts'
import { readBook } from '../../orders/books/move.ts'
import { iso } from '../../platform/iso-time.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { testStart } from '../../testing/test-service.ts'
import { eraseStatements } from './erase-statements.ts'

const room = accountRoom()

const sample = async (progress_percent: number, seconds = 60) =>
  (await room.client.read<{ id: string }>('POST', 'tools/files', { seconds, progress_percent })).id
const close = (name = 'Test') => room.client.ask('POST', 'closing', { name })
const overview = () => room.client.read<AccountOverview>('GET', '')
const ledger = async () =>
  (await room.client.read<{ entries: { kind: string; file_id: string; amount_cents: number }[] }>('GET', 'ledger'))
    .entries

/** Other schemas of a PostgreSQL have the same tables. */
async function tablesWithAccounts(): Promise<Set<string>> {
  const tables = await room.service.platform.db.introspection.getTables()
  const withAccounts = tables.filter(({ columns }) => columns.some(({ name }) => name === 'account_id'))
  return new Set(withAccounts.map(({ name }) => name))
}

/** Every table with rows of an account, read from the database itself, so that a new table cannot be forgotten. */
async function tablesOf(accountId: string): Promise<string[]> {
  const { db } = room.service.platform
  const found: string[] = []
  for (const name of await tablesWithAccounts()) {
    const { rows } = await sql`select 1 from ${sql.table(name)} where account_id = ${accountId} limit 1`.execute(db)
    if (rows.length > 0) found.push(name)
  }
  return found.sort()
}

/** Every row of every table as text. */
async function wholeDatabase(): Promise<string> {
  const { db } = room.service.platform
  const texts: string[] = []
  for (const { name } of await db.introspection.getTables()) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db)
    texts.push(JSON.stringify(rows))
  }
  return texts.join('\n')
}

test('every table with accounts is erased, goes with its files, or stays for a reason', async () => {
  const statements = eraseStatements('x').join('\n')
  const tables = [...(await tablesWithAccounts())]
  const withFiles = ['captioned_videos', 'corrections', 'recognitions', 'reviews', 'vocabulary_places', 'work_parts']
  // Numbers alone; a charge that is being made, which a chore ends; what says that it was erased; what the law has kept.
  const money = ['ledger_days', 'charge_intents', 'movements', 'books', 'card_refunds', 'invoices']
  const staying = ['account_cursors', 'closings', ...money]
  const rest = tables.filter((name) => !new RegExp(`(from|update) ${name} `).test(statements))
  expect(rest.filter((name) => !name.startsWith('search_')).sort()).toEqual([...withFiles, ...staying].sort())
})

test('closing asks for the name, cancels what may be canceled and refunds it by its progress', async () => {
  const [at30, at80, ready] = [await sample(30), await sample(80), await sample(100)]
  expect((await close('test')).status).toBe(409)
  expect((await overview()).closing).toBeUndefined()
  const closed = (await (await close(' Test ')).json()) as ClosedAccount
  expect(closed).toEqual({
    closed: iso(testStart),
    erases: iso(testStart + comeBackDays * dayMs),
    statement: expect.stringMatching(/^\/closed\/cls_\w{28}$/),
    canceled: 1,
    refund_cents: expect.any(Number),
    finishing: 1,
    balance_cents: expect.any(Number),
    due_cents: expect.any(Number),
  })
  const [refund] = (await ledger()).filter(({ kind }) => kind === 'refund')
  expect(refund).toMatchObject({ file_id: at30, amount_cents: -closed.refund_cents })
  const paid = (await ledger()).find(({ kind, file_id }) => kind === 'charge' && file_id === at30)?.amount_cents ?? 0
  expect(closed.refund_cents).toBe(refundCents(paid, 30))
  // It reads …
  expect((await room.service.metadata(room.account.key, at80)).progress_percent ?? 80).toBe(80)
  expect((await room.service.fetch(room.account.key, `file/${ready}.txt`)).status).toBe(200)
  expect((await overview()).closing).toEqual({
    closed: closed.closed,
    erases: closed.erases,
    statement: closed.statement,
  })
  // … and changes nothing.
  const tone = await room.service.tone(3)
  expect((await room.service.post(room.account.key, tone)).status).toBe(403)
  expect((await room.service.fetch(room.account.key, `file/${ready}`, { method: 'DELETE' })).status).toBe(403)
  expect((await room.client.ask('POST', 'keys', { name: 'Another' })).status).toBe(403)
  // Again: nothing more happens.
  expect(await (await close()).json()).toMatchObject({ statement: closed.statement, canceled: 0, refund_cents: 0 })
  // It comes back as it was.
  expect((await room.client.ask('DELETE', 'closing')).status).toBe(204)
  expect((await overview()).closing).toBeUndefined()
  expect((await room.service.post(room.account.key, tone, '?transcript_type=automated')).status).toBe(201)
})

test('an order that was made in the moment of closing is canceled by the chore', async () => {
  const late = await sample(20)
  const { db } = room.service.platform
  const { beginClosing } = await import('./close-account.ts')
  await beginClosing(room.service.platform, room.account.id, 'operator')
  expect(await ledger()).toHaveLength(1)
  await room.service.doChores()
  expect(await db.selectFrom('files').select('id').where('id', '=', late).execute()).toEqual([])
  expect((await ledger()).map(({ kind }) => kind).sort()).toEqual(['charge', 'refund'])
})

test('after 14 days nothing is left but money without names, and a statement', async () => {
  const id = await sample(100)
  const locked = await sample(80)
  const word = 'Zyxomma7'
  const { client, service, account } = room
  await client.ask('PATCH', 'settings', { presets: { [word]: 1 } })
  await client.read('PATCH', 'labels', { ids: [id], name: word, note: word, add_tags: [word] })
  await client.ask('POST', 'vocabulary', { entries: [{ written: word, heard: ['zixoma'], preset: null }] })
  await client.ask('POST', 'keys', { name: word })
  await client.ask('POST', 'projects', { name: word })
  await service.platform.db
    .updateTable('ledger')
    .set({ file_name: word })
    .where('account_id', '=', account.id)
    .execute()
  expect(await wholeDatabase()).toContain(word)
  // As in live, where files do not expire.
  await service.platform.db
    .updateTable('files')
    .set({ expires_at: null })
    .where('account_id', '=', account.id)
    .execute()
  const other = await service.account()
  const { statement } = (await (await close()).json()) as ClosedAccount
  const page = async () => (await fetch(new URL(statement, service.address))).text()
  expect(await page()).toMatch(/It is erased on .*2026-11-30 12:00 UTC/)

  service.advance(comeBackDays * dayMs - 1_000)
  await service.doChores()
  expect((await client.ask('GET', '')).status).toBe(200)
  service.advance(2_000)
  expect((await client.ask('DELETE', 'closing')).status).toBe(409)
  await service.doChores()

  expect((await client.ask('GET', '')).status).toBe(401)
  const money = ['books', 'card_refunds', 'ledger', 'ledger_days', 'movements', 'top_ups']
  expect(await tablesOf(account.id)).toEqual(['account_cursors', 'closings', ...money].sort())
  const balance = { id: account.id, currency: 'USD' }
  expect(await readBook(service.platform.db, balance, 'balance'), 'went back to the card').toBe(0)
  expect(await wholeDatabase()).not.toContain(word)
  const kept = service.platform.db.selectFrom('ledger').selectAll().where('account_id', '=', account.id)
  const entries = await kept.orderBy('id').execute()
  expect(
    entries.map(({ kind, file_name, card, key_id, project_id }) => [kind, file_name, card, key_id, project_id]),
  ).toEqual(['charge', 'charge', 'refund'].map((kind) => [kind, '', null, null, null]))
  // What was never finished is refunded in full, and still paid out.
  expect(entries[2]).toMatchObject({ file_id: locked, amount_cents: -(entries[1]?.amount_cents ?? 0) })
  expect(await readdir(join(service.dataDir, 'blobs', 'files')).catch(() => [])).not.toContain(id)
  expect(await page()).toMatch(/It was erased on 2026-11-30 12:00 UTC[\s\S]*2 files[\s\S]*3 charges and refunds stay/)
  // Others are not touched.
  expect((await service.fetch(other.key, 'files')).status).toBe(200)
})

test('money of an erased account goes when it need not be kept any longer', async () => {
  await sample(100)
  await close()
  room.service.advance((comeBackDays + 1) * dayMs)
  await room.service.doChores()
  const count = async () => (await tablesOf(room.account.id)).filter((name) => name.startsWith('ledger')).length
  room.service.advance(9.9 * 365.25 * dayMs)
  await room.service.doChores()
  expect(await count()).toBe(2)
  room.service.advance(0.2 * 365.25 * dayMs)
  await room.service.doChores()
  expect(await count()).toBe(0)
})

test('a closed account says what becomes of its money, pays it back, and says afterwards that it did', async () => {
  const { client, service } = room
  await sample(30)
  const closed = (await (await close()).json()) as ClosedAccount
  const { balance } = await overview()
  expect(closed).toMatchObject({ balance_cents: balance?.balance_cents, due_cents: closed.refund_cents })
  expect([closed.balance_cents, closed.due_cents].every((cents) => cents > 0)).toBe(true)
  const sum = (cents: number) => `${(cents / 100).toFixed(2)} USD`
  const page = async () => (await fetch(new URL(closed.statement, service.address))).text()
  expect(await page()).toContain(`balance of ${sum(closed.balance_cents)} goes back to the card when it is erased`)
  expect(await page()).toContain(`${sum(closed.due_cents)} of refunds and payments back are on the way`)
  // It needs not be opened again for it.
  const after = { balance_cents: 0, due_cents: closed.balance_cents + closed.due_cents }
  expect(await client.read('POST', 'balance/payout')).toMatchObject(after)
  service.advance((comeBackDays + 1) * dayMs)
  await service.doChores()
  expect(await page()).toContain(`Of its balance, ${sum(closed.balance_cents)} went back to the card`)
})
