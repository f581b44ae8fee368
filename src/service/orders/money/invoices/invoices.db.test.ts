import { execFileSync } from 'node:child_process'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BillingDetails, Invoice, InvoicePage, Invoicing } from '../../../../contract/account/invoices.ts'
import type { LedgerPage, Usage } from '../../../../contract/account/usage.ts'
import { dayMs } from '../../../../contract/common/durations.ts'
import { eraseStatements } from '../../../operations/closing/erase-statements.ts'
import { accountClient } from '../../../testing/account-client.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { readInvoice } from './read-invoices.ts'

const seller = 'Example Ltd, 1 High Street, London'
let kit: TestService
beforeAll(async () => {
  kit = await startTestService({
    ...{ seller, sellerVatNumber: 'GB123456789', vatPercent: 19, invoicePrefix: 'PAR-', role: 'api' },
  })
})
afterAll(() => kit.close())

const details: BillingDetails = {
  company: 'Müller & Söhne GmbH',
  address: 'Hauptstraße 1\n10115 Berlin',
  vat_number: 'de 123 456 789',
  reverse_charge: false,
}

async function customer(given: BillingDetails | null = details) {
  const { id, key } = await kit.account()
  const client = accountClient(kit.address, key)
  await client.read('PUT', 'payment', { test_card: 'succeeds' })
  if (given !== null) await client.read('PUT', 'invoicing', given)
  const open = async () => (await client.read<Invoicing>('GET', 'invoicing')).open_cents
  const listed = async () => (await client.read<InvoicePage>('GET', 'invoices')).invoices
  return {
    ...{ id, key, client, open, listed },
    order: async (progress_percent = 20, seconds = 600) =>
      (await client.read<{ id: string }>('POST', 'tools/files', { seconds, progress_percent })).id,
    remove: async (file: string) =>
      expect((await kit.fetch(key, `file/${file}`, { method: 'DELETE' })).status).toBe(200),
    /** Writes what the plan names, and nothing else. */
    write: async () => {
      const { plan } = await client.read<Invoicing>('GET', 'invoicing')
      const { invoices } = await client.read<InvoicePage>('POST', 'invoices')
      expect(invoices).toMatchObject(plan.map(({ company, ...paper }) => paper))
      for (const [index, { id }] of invoices.entries()) {
        const { customer, vat_percent } = await client.read<Invoice>('GET', `invoices/${id}`)
        expect(customer?.company).toBe(plan[index]?.company)
        expect(vat_percent).toBe(plan[index]?.vat_percent)
      }
      return invoices
    },
    /** what invoices and what is on none add up to, against the ledger */
    isEqual: async () => {
      const { charged_cents, refunded_cents } = await client.read<Usage>('GET', 'usage')
      const sum = (await listed()).reduce((cents, { total_cents }) => cents + total_cents, 0)
      expect(sum + (await open())).toBe(charged_cents - refunded_cents)
    },
  }
}

test('an invoice has all that was charged, each entry once, with the VAT that prices include', async () => {
  const { client, order, remove, write, open, isEqual } = await customer()
  await order()
  await remove(await order(40))
  expect(await open()).toBe(1_250 + 1_250 - 750)
  const [written] = await write()
  expect(written).toMatchObject({ id: 'TEST-PAR-00001', kind: 'invoice', total_cents: 1_750, vat_cents: 279 })
  const log = await (await client.ask('GET', 'log')).text()
  expect(log).toContain('TEST-PAR-00001 written')
  expect(log).toContain('20.00 USD paid in by Test card that pays 4242')
  const { items, ...whole } = await client.read<Invoice>('GET', 'invoices/TEST-PAR-00001')
  expect(whole).toMatchObject({
    seller: `${seller}\nVAT number GB123456789`,
    customer: { ...details, vat_number: 'DE123456789' },
    is_test: true,
  })
  expect(items.map(({ amount_cents }) => amount_cents)).toEqual([1_250, 1_250, -750])
  expect((await client.ask('POST', 'invoices')).status, 'nothing is open').toBe(409)
  const csv = await (await client.ask('GET', 'invoices/TEST-PAR-00001/csv')).text()
  expect(csv.trim().split('\r\n')).toHaveLength(4)
  const pdf = Buffer.from(await (await client.ask('GET', 'invoices/TEST-PAR-00001/pdf')).arrayBuffer())
  const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf }).toString()
  for (const part of [
    'Invoice TEST-PAR-00001',
    'Müller & Söhne GmbH',
    'VAT 19 %',
    '2.79 USD',
    '14.71 USD',
    '17.50 USD',
  ])
    expect(text).toContain(part)
  await isEqual()
})

test('what changes later is on credit notes, one for each invoice that it corrects', async () => {
  const { client, order, remove, write, isEqual, listed } = await customer({ ...details, reverse_charge: true })
  const first = await order()
  const [one] = await write()
  const second = await order(0)
  const [two] = await write()
  await remove(first)
  await remove(second)
  await order()
  const notes = await write()
  expect(notes.map(({ kind, corrects, total_cents, vat_cents }) => [kind, corrects, total_cents, vat_cents])).toEqual([
    ['credit-note', one?.id, -1_000, 0],
    ['credit-note', two?.id, -1_250, 0],
    ['invoice', null, 1_250, 0],
  ])
  await isEqual()
  await client.read('PUT', 'payment', { test_card: 'fails_late' })
  await order()
  await write()
  kit.advance(11_000)
  await kit.doChores()
  const undone = await write()
  expect(undone.map(({ kind }) => kind)).toEqual(['credit-note'])
  const pdf = Buffer.from(await (await client.ask('GET', `invoices/${undone[0]?.id}/pdf`)).arrayBuffer())
  const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf }).toString()
  expect(text).toContain('taken back by the')
  expect(text).toContain('The bank took this payment back: it is unpaid.')
  await isEqual()
  expect((await listed())[0]?.reverse_charge).toBe(true)
})

test('an order is invoiced as it was taxed when it was charged, and its credit note as the invoice was', async () => {
  const { client, order, remove, write, isEqual } = await customer()
  const first = await order()
  await client.read('PUT', 'invoicing', { ...details, reverse_charge: true })
  await remove(await order(40))
  expect(
    (await write()).map(({ total_cents, vat_cents, vat_percent }) => [total_cents, vat_cents, vat_percent]),
  ).toEqual([
    [1_250, 200, 19],
    [500, 0, 0],
  ])
  await remove(first)
  await client.read('PUT', 'invoicing', { ...details, company: 'Other' })
  const [note] = await write()
  expect(note).toMatchObject({ kind: 'credit-note', total_cents: -1_000, vat_cents: -160 })
  expect(await client.read('GET', `invoices/${note?.id}`)).toMatchObject({ customer: { company: details.company } })
  await isEqual()
})

test('an order is invoiced to whom it was ordered by, and a corrected address holds for it', async () => {
  const french = { ...details, company: 'Bureau SARL', vat_number: 'FR83404833048', reverse_charge: true }
  const german = { ...details, company: 'Nachfolger GmbH', vat_number: null }
  const { client, order, remove, write, isEqual } = await customer(null)
  // Ordered before anybody was named: it goes to the first who is, with the VAT that it was ordered with.
  const unnamed = await order(20, 60)
  await client.read('PUT', 'invoicing', french)
  const byFrench = await order(20, 120)
  await client.read('PUT', 'invoicing', german)
  await order(20, 180)
  await client.read('PUT', 'invoicing', { ...german, address: 'Neue Straße 2\n28195 Bremen' })
  const billed = async () =>
    (await client.read<LedgerPage>('GET', 'ledger')).entries.map(
      ({ file_id, kind, vat_percent, reverse_charge, billed_to }) => [
        ...[file_id, kind, vat_percent, reverse_charge],
        billed_to?.split('\n').slice(0, 2).join(', '),
      ],
    )
  const after = 'Nachfolger GmbH, Neue Straße 2'
  const open = [
    [expect.anything(), 'charge', 19, false, after],
    [byFrench, 'charge', 0, true, 'Bureau SARL, Hauptstraße 1'],
  ]
  expect(await billed()).toEqual([...open, [unnamed, 'charge', 19, false, undefined]])
  const written = await write()
  const papers = await Promise.all(written.map(({ id }) => client.read<Invoice>('GET', `invoices/${id}`)))
  expect(
    papers.map(({ customer: to, vat_percent, total_cents }) => [to?.company, to?.vat_number, vat_percent, total_cents]),
  ).toEqual([
    ['Nachfolger GmbH', null, 19, 125 + 375],
    ['Bureau SARL', 'FR83404833048', 0, 250],
  ])
  expect(
    papers.map(({ customer: to, reverse_charge }) => [to?.address.split('\n')[0], to?.reverse_charge, reverse_charge]),
  ).toEqual([
    ['Neue Straße 2', false, false],
    ['Hauptstraße 1', true, true],
  ])
  // Receipts name whom the invoice names, whatever is set since; a refund has the terms of its charge.
  await client.read('PUT', 'invoicing', { ...german, address: 'Dritte Straße 3' })
  expect(await billed()).toEqual([...open, [unnamed, 'charge', 19, false, after]])
  await remove(unnamed)
  expect((await billed())[0]).toEqual([unnamed, 'refund', 19, false, after])
  await client.read('PUT', 'invoicing', details)
  await write()
  expect((await billed())[0]).toEqual([unnamed, 'refund', 19, false, after])
  await isEqual()
})

test('a recording is billed to whoever is named when it has arrived, not when its upload began', async () => {
  const { key, client } = await customer()
  const form = new FormData()
  form.append('file', new Blob([Buffer.from(await kit.tone(3))]), 'Talk.wav')
  const whole = new Request('http://localhost', { method: 'POST', body: form })
  const [bytes, type] = [new Uint8Array(await whole.arrayBuffer()), whole.headers.get('content-type') ?? '']
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const upload = { method: 'POST', headers: { 'content-type': type }, body: readable, duplex: 'half' } as const
  const answered = kit.fetch(key, 'files?transcript_type=automated', upload)
  const writer = writable.getWriter()
  await writer.write(bytes.subarray(0, 1_000))
  await client.read('PUT', 'invoicing', { ...details, company: 'Nachfolger GmbH' })
  await writer.write(bytes.subarray(1_000))
  await writer.close()
  expect((await answered).status).toBe(201)
  const [entry] = (await client.read<LedgerPage>('GET', 'ledger')).entries
  expect(entry?.billed_to).toContain('Nachfolger GmbH')
})

test('lines keep discount and way of a refund as they were written, and have names as long as the account does', async () => {
  const { id, client, remove, write } = await customer()
  const { db, changes } = kit.platform
  await db.updateTable('accounts').set({ discount_percent: 20 }).where('id', '=', id).execute()
  changes.notify({ kind: 'account', accountId: id })
  const of = { seconds: 600, progress_percent: 20, name: 'Interview.mp3' }
  const file = (await client.read<{ id: string }>('POST', 'tools/files', of)).id
  const [one] = await write()
  await remove(file)
  const [note] = await write()
  const read = async (paper = one) => (await client.read<Invoice>('GET', `invoices/${paper?.id}`)).items
  const line = { file_name: 'Interview.mp3', free_seconds: 0 }
  expect(await read()).toMatchObject([{ ...line, amount_cents: 1_000, discount_cents: 250, to_card_cents: 0 }])
  expect(await read(note)).toMatchObject([{ ...line, amount_cents: -800, to_card_cents: 800 }])
  expect((await read(note))[0]?.due).toBe(new Date(kit.platform.clock() + dayMs).toISOString())
  // What becomes of a refund later is no matter of a paper that was written.
  await db.updateTable('card_refunds').set({ status: 'failed' }).where('account_id', '=', id).execute()
  expect(await read(note)).toMatchObject([{ to_card_cents: 800 }])
  for (const statement of eraseStatements(id)) await sql.raw(statement).execute(db)
  expect(await readInvoice(db, id, one?.id ?? '')).toMatchObject({ items: [{ file_name: null, discount_cents: 250 }] })
})

test('numbers have no gaps, also of many at once, and the database keeps them so', async () => {
  const customers = await Promise.all(Array.from({ length: 8 }, () => customer()))
  for (const { order } of customers) await order()
  const written = await Promise.all(customers.flatMap(({ client }) => [0, 1].map(() => client.ask('POST', 'invoices'))))
  expect(written.map(({ status }) => status).sort()).toEqual([...Array(8).fill(201), ...Array(8).fill(409)])
  const { db } = kit.platform
  const rows = await db.selectFrom('invoices').select('number').orderBy('number').execute()
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1))
  for (const change of [
    sql`delete from invoices where number = 1`,
    sql`update invoices set total_cents = 1 where number = 1`,
    sql`update invoices set customer_json = '{"company":"X"}' where number = 1`,
    sql`delete from invoice_items`,
    sql`update invoice_items set amount_cents = 1`,
    sql`insert into invoices (id, series, number, account_id, kind, currency, total_cents, vat_cents, vat_basis_points,
      reverse_charge, is_test, seller, customer_json, from_at, to_at, created_at) select 'X', series, number + 1000,
      account_id, kind, currency, 0, 0, 0, 0, 0, '', '{}', 0, 0, 0 from invoices where number = 1`,
  ])
    await expect(change.execute(db)).rejects.toThrow(/never changed|number after the last/)
})

describe('who is invoiced', () => {
  test('is refused in words, and without it no invoice is written', async () => {
    const { client, order } = await customer(null)
    await order()
    const refused = await client.ask('POST', 'invoices')
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
      409,
      expect.stringContaining('who is invoiced'),
    ])
    for (const vat_number of ['none', 'DE12', '12345', 'XX', 'DE1234567890', "'; drop table invoices"]) {
      const answer = await client.ask('PUT', 'invoicing', { ...details, vat_number })
      expect([vat_number, answer.status]).toEqual([vat_number, 400])
    }
    for (const [vat_number, why] of [
      [null, 'needs a VAT number'],
      ['CHE123456789MWST', 'and CH is none'],
      ['GR123456789', 'Greece begin with EL'],
      ['XX123456789', 'does not look like'],
    ]) {
      const answer = await client.ask('PUT', 'invoicing', { ...details, vat_number, reverse_charge: true })
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(why ?? '')])
    }
    for (const vat_number of [
      'ATU12345678',
      'NL123456789B01',
      'FR XX 123456789',
      'CHE-123.456.789 MWST',
      'US12-3456789',
    ])
      expect((await client.ask('PUT', 'invoicing', { ...details, vat_number })).status).toBe(200)
    expect(await client.read('GET', 'settings')).toMatchObject({ billing: expect.stringContaining('US123456789') })
  })

  test('has no invoices of others, and none where the operator names no series', async () => {
    const [owner, other] = [await customer(), await customer()]
    await owner.order()
    const [written] = await owner.write()
    for (const path of ['', '/pdf', '/csv'])
      expect((await other.client.ask('GET', `invoices/${written?.id}${path}`)).status).toBe(404)
    const none = await startTestService({ role: 'api' })
    const { key } = await none.account()
    const client = accountClient(none.address, key)
    expect(await client.read('GET', 'invoicing')).toMatchObject({ seller: null })
    for (const [method, body] of [['PUT', details], ['POST']] as const)
      expect((await client.ask(method, method === 'PUT' ? 'invoicing' : 'invoices', body)).status).toBe(409)
    await none.close()
  })
})

test('once a month is over, live accounts get the invoice of it, and an erased one keeps its own', async () => {
  const { id, key } = await kit.account({ environment: 'live' })
  const client = accountClient(kit.address, key)
  await client.read('PUT', 'payment', { test_card: 'succeeds' })
  await client.read('PUT', 'invoicing', details)
  await kit.order(key, await kit.tone(60), '?transcript_type=automated')
  await kit.doChores()
  expect((await client.read<InvoicePage>('GET', 'invoices')).invoices).toEqual([])
  kit.advance(20 * dayMs)
  await kit.order(key, await kit.tone(60), '?transcript_type=automated')
  for (let times = 0; times < 2; times += 1) await kit.doChores()
  const { invoices } = await client.read<InvoicePage>('GET', 'invoices')
  expect(invoices.map(({ kind, total_cents }) => [kind, total_cents])).toEqual([['invoice', 10]])
  expect((await client.ask('POST', 'closing', { name: 'Test' })).status).toBe(200)
  kit.advance(15 * dayMs)
  for (let times = 0; times < 3; times += 1) await kit.doChores()
  const { db } = kit.platform
  const kept = await db.selectFrom('invoices').select(['kind', 'customer_json']).where('account_id', '=', id).execute()
  expect(kept.length).toBeGreaterThan(1)
  expect(kept.every(({ customer_json }) => customer_json.includes('Söhne'))).toBe(true)
  expect(await db.selectFrom('billing').selectAll().where('account_id', '=', id).execute()).toEqual([])
  kit.advance(11 * 366 * dayMs)
  await kit.doChores()
  const emptied = await db.selectFrom('invoices').select('customer_json').where('account_id', '=', id).execute()
  expect(emptied.map(({ customer_json }) => customer_json)).toEqual(kept.map(() => '{}'))
})
