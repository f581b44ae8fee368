import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { Invoice } from '../../contract/account/invoices.ts'
import { invoicePdf } from './invoice-pdf.ts'

const at = '2026-11-16T12:00:00Z'
const item = (number: number): Invoice['items'][number] => ({
  ...{ transaction_id: `tx_${number}`, kind: 'charge', undone: false, transcript_type: 'manual', seconds: 600 },
  ...{ created: at, amount_cents: 1_250 },
})

async function pagesWith(items: number): Promise<string[]> {
  const pdf = await invoicePdf({
    ...{ id: 'PAR-7', kind: 'invoice', created: at, from: at, to: at, currency: 'EUR', corrects: null, is_test: true },
    ...{ total_cents: 75_000, vat_cents: 11_975, vat_percent: 19, reverse_charge: false, seller: 'S', customer: null },
    items: Array.from({ length: items }, (_, index) => item(index)),
  })
  return execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf }).toString().split('\f').slice(0, -1)
}

test('each further page of an invoice says of which it is, and what its columns are', async () => {
  const pages = await pagesWith(60)
  expect(pages).toHaveLength(2)
  for (const page of pages) expect(page).toMatch(/Invoice PAR-7[\s\S]*Date +For +Number +EUR/)
})

test('no page of an invoice has a head above sums and notes alone', async () => {
  // Around the number that fills the first page, so that its end would be divided at each place.
  for (let items = 24; items <= 44; items += 1) {
    const last = (await pagesWith(items)).at(-1)
    expect(last, `${items} items`).toMatch(/tx_\d+[\s\S]*Total[\s\S]*no money moved/)
  }
})
