import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { Invoice } from '../../contract/account/invoices.ts'
import { invoicePdf } from './invoice-pdf.ts'

const at = '2026-11-16T12:00:00Z'
const item = (number: number): Invoice['items'][number] => ({
  ...{ transaction_id: `tx_${number}`, kind: 'charge', undone: false, transcript_type: 'manual', seconds: 600 },
  ...{ created: at, amount_cents: 1_250, file_name: 'Talk.mp3', discount_cents: 0, free_seconds: 0 },
  ...{ to_card_cents: 0, due: at },
})

const of = (items: Invoice['items'], more: Partial<Invoice> = {}): Invoice => ({
  ...{ id: 'PAR-7', kind: 'invoice', created: at, from: at, to: at, currency: 'EUR', corrects: null, is_test: true },
  ...{ total_cents: 75_000, vat_cents: 11_975, vat_percent: 19, reverse_charge: false, seller: 'S', customer: null },
  ...{ ...more, items },
})
const textOf = async (invoice: Invoice) =>
  execFileSync('pdftotext', ['-layout', '-', '-'], { input: await invoicePdf(invoice) }).toString()

const pagesWith = async (items: number) =>
  (await textOf(of(Array.from({ length: items }, (_, index) => item(index))))).split('\f').slice(0, -1)

test('each further page of an invoice says of which it is, and what its columns are', async () => {
  const pages = await pagesWith(30)
  expect(pages).toHaveLength(2)
  for (const page of pages) expect(page).toMatch(/Invoice PAR-7[\s\S]*Date +For +Number +EUR/)
})

test('no page of an invoice has a head above sums and notes alone', async () => {
  // Around the number that fills the first page, so that its end would be divided at each place.
  for (let items = 14; items <= 28; items += 1) {
    const last = (await pagesWith(items)).at(-1)
    expect(last, `${items} items`).toMatch(/tx_\d+[\s\S]*Total[\s\S]*no money moved/)
  }
})

test('a line names its recording, what was made of it, and its list price where it cost less', async () => {
  const [free, both] = [{ free_seconds: 300 }, { free_seconds: 300, discount_cents: 800 }]
  const text = await textOf(
    of([
      { ...item(1), file_name: 'Interview.mp3' },
      { ...item(2), transcript_type: 'automated', file_name: `${'a'.repeat(60)} end.mp3`, discount_cents: 250 },
      { ...item(3), ...free, amount_cents: 625, discount_cents: 625 },
      { ...item(4), ...both, amount_cents: 450 },
    ]),
  )
  expect(text).toMatch(/Interview\.mp3 +tx_1 +12\.50\n +Manual transcript, 10 min\n/)
  expect(text, 'shortened in the middle').toMatch(/a{20,} +tx_2 +12\.50\n +a+…a+ end\.mp3\n/)
  const flat = text.replaceAll(/\s+/g, ' ')
  for (const words of [
    'Automated transcript, 10 min List price 15.00, less 2.50: discount 2026',
    'List price 12.50, less 6.25: 5 min free of charge 2026',
    'List price 12.50, less 8.00: 5 min free of charge and discount ',
  ])
    expect(flat).toContain(words)
})

test('names from right to left leave the rest of their line as it is', async () => {
  const text = await textOf(of([{ ...item(1), file_name: '\u202eגשם מקומי 2026.mp3\u2066' }]))
  expect(text).toMatch(/גשם.*tx_1 +12\.50\n +Manual transcript, 10 min\n/)
  // pdftotext marks what is set from right to left itself: the name has none of its own.
  expect(text).not.toMatch(/[\u202d\u202e\u2066-\u2069]/)
})

test('a credit note says where the money went, and one from before that was recorded says what it said', async () => {
  const [kind, corrects] = ['credit-note', 'PAR-1'] as const
  const refund = { ...item(1), kind: 'refund', amount_cents: -500, due: '2026-11-17T12:00:00Z' } as const
  const text = await textOf(of([refund, { ...refund, amount_cents: -250, to_card_cents: 200 }], { kind, corrects }))
  expect(text).toContain('Given back to the balance: 5.50 EUR, at once.')
  expect(text).toContain('Given back to the card: 2.00 EUR, due 2026-11-17.')
  const old = { ...refund, to_card_cents: null, file_name: null, due: null }
  const before = await textOf(of([old], { kind, corrects }))
  expect(before).toContain('Typed transcript, refund, 10 min')
  expect(before).toContain('What is given back went to the balance or to the card.')
})
