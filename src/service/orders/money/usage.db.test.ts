import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AccountOverview } from '../../../contract/account/account.ts'
import type { LedgerPage, Usage } from '../../../contract/account/usage.ts'
import { ledgerPage, usage } from '../../../contract/account/usage.ts'
import { dayMs } from '../../../contract/common/durations.ts'
import { ledgerEntries } from '../../start/cli/operate.ts'
import { accountRoom } from '../../testing/account-room.ts'
import { testStart } from '../../testing/test-service.ts'
import { monthsBetween, readUsage } from './read-usage.ts'

const room = accountRoom({ role: 'api' })

async function sample(name: string, seconds: number, transcript_type: 'automated' | 'manual', progress_percent = 0) {
  return await room.client.read<{ id: string }>('POST', 'tools/files', {
    name,
    seconds,
    transcript_type,
    progress_percent,
  })
}

/** The sum of the command line's output. */
async function printedCents(): Promise<number> {
  const lines = (await ledgerEntries(room.service.platform.db, room.account.id)) as { amount_cents: number }[]
  return lines.reduce((sum, { amount_cents }) => sum + amount_cents, 0)
}

test('usage, ledger and the command line agree to the cent', async () => {
  await sample('Board meeting', 3_601, 'manual', 100)
  await sample('Interview', 100, 'automated')
  const { id } = await sample('Deposition', 1_777, 'manual', 42)
  await room.service.fetch(room.account.key, `file/${id}`, { method: 'DELETE' })
  const used = usage.parse(await room.client.read('GET', 'usage'))
  const page = ledgerPage.parse(await room.client.read('GET', 'ledger'))
  const charged = 7_502 + 17 + 3_702
  expect(used).toMatchObject({ charged_cents: charged, recordings: 3, refunds: 1, refunded_cents: 2_147 })
  expect(used.by_type.automated).toMatchObject({ recordings: 1, charged_cents: 17 })
  expect(page.entries.reduce((sum, { amount_cents }) => sum + amount_cents, 0)).toBe(charged - 2_147)
  expect(await printedCents()).toBe(charged - 2_147)
  expect(page.entries[0]).toMatchObject({
    kind: 'refund',
    status: 'pending',
    progress_percent: 42,
    amount_cents: -2_147,
  })
  expect(used.months.map(({ month }) => month)).toEqual(['2026-11'])
})

test('counts orders that were on time and late', async () => {
  await sample('In time', 60, 'manual', 100)
  const { id } = await sample('Late', 60, 'manual')
  await room.client.read('POST', `tools/files/${id}/delay`, { delay_reason: 'Hard to hear.' })
  await sample('Under way', 60, 'manual')
  expect((await room.client.read<Usage>('GET', 'usage')).delivered).toEqual({ on_time: 1, late: 1 })
})

test('months without entries are included, and a span is half-open', async () => {
  await sample('First', 60, 'manual')
  const start = room.service.platform.clock()
  await room.service.platform.db
    .updateTable('ledger')
    .set({ created_at: Date.UTC(2026, 7, 31, 23, 59, 59, 999) })
    .where('account_id', '=', room.account.id)
    .execute()
  await sample('Second', 120, 'automated')
  const used = await room.client.read<Usage>('GET', 'usage')
  expect(used.months.map(({ month, manual_cents, automated_cents }) => [month, manual_cents, automated_cents])).toEqual(
    [
      ['2026-08', 125, 0],
      ['2026-09', 0, 0],
      ['2026-10', 0, 0],
      ['2026-11', 0, 20],
    ],
  )
  const sinceJune = await room.client.read<Usage>('GET', 'usage?from=2026-06-01T00:00:00.000Z')
  expect(sinceJune.months.map(({ month }) => month.slice(5))).toEqual(['06', '07', '08', '09', '10', '11'])
  const iso = (time: number) => new Date(time).toISOString()
  expect(await room.client.read('GET', `usage?from=${iso(start)}`)).toMatchObject({ charged_cents: 20 })
  expect(await room.client.read('GET', `usage?to=${iso(start)}`)).toMatchObject({ charged_cents: 125 })
  expect(await room.client.read('GET', `ledger?from=2026-08-01&to=2026-09-01`)).toMatchObject({ total: 1 })
  expect((await room.client.ask('GET', 'usage?from=yesterday')).status).toBe(400)
})

test('the ledger is paged, filtered and searched as text', async () => {
  for (const name of ['50% done_a', 'Fifty', 'Other']) await sample(name, 60, 'automated')
  const { id } = await sample('Refunded', 600, 'manual', 10)
  await room.service.fetch(room.account.key, `file/${id}`, { method: 'DELETE' })
  const names: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: LedgerPage = await room.client.read('GET', `ledger?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
    names.push(...page.entries.map(({ file_name, kind }) => `${kind} ${file_name}`))
    expect(page.total).toBe(5)
    cursor = page.next_cursor
  }
  expect(names).toEqual(['refund Refunded', 'charge Refunded', 'charge Other', 'charge Fifty', 'charge 50% done_a'])
  const found = async (query: string) => (await room.client.read<LedgerPage>('GET', `ledger?${query}`)).total
  expect(await found('search=0%25')).toBe(1)
  expect(await found('search=_')).toBeGreaterThan(1) // transaction ids contain it
  expect(await found('search=FIFTY')).toBe(1)
  expect(await found('kind=refund')).toBe(1)
  expect(await found("search=' or 1=1")).toBe(0)
  expect((await room.client.ask('GET', 'ledger?kind=gift')).status).toBe(400)
})

test('an entry keeps its card at that time, a refund that of its charge', async () => {
  const { id } = await sample('First card', 600, 'manual', 10)
  await room.client.read('PUT', 'payment', { test_card: 'fails_late' })
  await sample('Second card', 60, 'automated')
  await sample('Third card', 3_600, 'manual')
  await room.service.fetch(room.account.key, `file/${id}`, { method: 'DELETE' })
  const { entries } = ledgerPage.parse(await room.client.read('GET', 'ledger'))
  expect(entries.map(({ kind, card }) => `${kind}: ${card}`)).toEqual([
    'refund: Test card that pays 4242',
    'charge: Test card that pays, then fails 0341',
    'charge: null', // the balance, which the first one had topped up
    'charge: Test card that pays 4242',
  ])
  const [head, refund] = (await (await room.client.ask('GET', 'ledger.csv')).text()).split('\r\n')
  expect(head).toMatch(/,card,date,reason,/)
  expect(refund).toMatch(/,"Test card that pays 4242",2026-11-\d\d,/)
})

test('the CSV has every entry and no formula (CSV injection)', async () => {
  await sample('=SUM(A1,"y")', 60, 'automated')
  await sample('Smith, "Jane"', 60, 'automated')
  const answer = await room.client.ask('GET', 'ledger.csv')
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const bytes = new Uint8Array(await answer.arrayBuffer())
  expect([...bytes.subarray(0, 3)], 'the mark by which Excel knows UTF-8').toEqual([0xef, 0xbb, 0xbf])
  const lines = new TextDecoder().decode(bytes).trimEnd().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toContain('"Smith, ""Jane"""')
  expect(lines[1]).toContain(',0.10,"USD",')
  expect(lines[2]).toContain(`"'=SUM(`)
})

test('the sums of any span are those of its entries, to the cent', async () => {
  const { db } = room.service.platform
  const entry = fc.record({
    created_at: fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 0, 8) }),
    amount_cents: fc.integer({ min: 1, max: 100_000 }),
    status: fc.constantFrom('settled' as const, 'pending' as const, 'failed' as const),
    kind: fc.constantFrom('charge' as const, 'refund' as const),
  })
  const time = fc.option(fc.integer({ min: Date.UTC(2025, 11, 31), max: Date.UTC(2026, 0, 9) }))
  const run = fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 30 }), time, time, async (made, from, to) => {
    await db.deleteFrom('ledger').where('account_id', '=', room.account.id).execute()
    for (const [index, { status, ...each }] of made.entries()) {
      const values = {
        ...each,
        account_id: room.account.id,
        transaction_id: `tx-${index}`,
        file_id: 'f',
        file_name: 'F',
      }
      const rest = { transcript_type: 'manual' as const, duration_ms: 1_000, currency: 'USD', progress_percent: null }
      await db
        .insertInto('ledger')
        .values({ ...values, ...rest, due_at: each.created_at, status: 'pending' })
        .execute()
      await db.updateTable('ledger').set({ status }).where('transaction_id', '=', `tx-${index}`).execute()
    }
    const within = made.filter(
      ({ created_at, status }) =>
        status !== 'failed' && created_at >= (from ?? 0) && created_at < (to ?? Number.MAX_SAFE_INTEGER),
    )
    const sumOf = (kind: string) =>
      within.filter((each) => each.kind === kind).reduce((sum, { amount_cents }) => sum + amount_cents, 0)
    const row = await db.selectFrom('accounts').selectAll().where('id', '=', room.account.id).executeTakeFirstOrThrow()
    const used = await readUsage(db, row, { from, to }, 0)
    expect([used.charged_cents, 0 - used.refunded_cents]).toEqual([sumOf('charge'), sumOf('refund')])
  })
  await fc.assert(run, { numRuns: 60 })
})

test('a list of months begins and ends where it should, whatever the years', () => {
  const month = fc.integer({ min: 0, max: 60 * 12 }).map((count) => new Date(Date.UTC(2000, count, 1)))
  const text = (date: Date) => date.toISOString().slice(0, 7)
  fc.assert(
    fc.property(month, month, (a, b) => {
      const [first, last] = a <= b ? [a, b] : [b, a]
      const months = monthsBetween(text(first), text(last))
      expect([months[0], months.at(-1)]).toEqual([text(first), text(last)])
      expect(months).toHaveLength(
        (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth() + 1,
      )
    }),
  )
})

test('a refund is settled on its day', async () => {
  const { id } = await sample('Gone', 600, 'manual', 10)
  await room.service.fetch(room.account.key, `file/${id}`, { method: 'DELETE' })
  expect(room.service.platform.clock() - testStart).toBeLessThan(dayMs) // still Monday
  room.service.advance(dayMs)
  await room.service.doChores()
  expect(await room.client.read('GET', 'ledger?kind=refund')).toMatchObject({ entries: [{ status: 'settled' }] })
})

test('refunds of the last seven days are summed up in the overview, and no longer', async () => {
  const read = async () => (await room.client.read<AccountOverview>('GET', '')).recent_refunds
  expect(await read()).toBeNull()
  const remove = async (id: string) => await room.service.fetch(room.account.key, `file/${id}`, { method: 'DELETE' })
  await remove((await sample('First', 600, 'manual', 40)).id)
  await remove((await sample('Free', 600, 'manual', 100)).id)
  const first = await read()
  expect(first).toMatchObject({ count: 1, pending: 1, amount_cents: 750, file_name: 'First' })
  expect(Date.parse(first?.last_due ?? '')).toBeGreaterThan(room.service.platform.clock())
  room.service.advance(4 * dayMs)
  await room.service.doChores()
  expect(await read()).toMatchObject({ count: 1, pending: 0, pending_cents: 0 })
  await remove((await sample('Second', 600, 'manual', 0)).id)
  expect(await read()).toMatchObject({
    count: 2,
    pending: 1,
    pending_cents: 1_250,
    amount_cents: 2_000,
    file_name: 'Second',
  })
  room.service.advance(3 * dayMs)
  expect(await read()).toMatchObject({ count: 1, file_name: 'Second' })
})
