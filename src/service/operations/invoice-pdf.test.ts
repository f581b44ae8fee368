import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { Invoice } from '../../contract/account/invoices.ts'
import { invoicePdf } from './invoice-pdf.ts'

const at = '2026-11-16T12:00:00Z'
const item = (number: number): Invoice['items'][number] => ({
  ...{ transaction_id: `tx_${number}`, kind: 'charge', undone: false, transcript_type: 'manual', seconds: 600 },
  ...{ created: at, amount_cents: 1_250 },
})

test('each further page of an invoice says of which it is, and what its columns are', async () => {
  const pdf = await invoicePdf({
    ...{ id: 'PAR-7', kind: 'invoice', created: at, from: at, to: at, currency: 'EUR', corrects: null, is_test: false },
    ...{ total_cents: 75_000, vat_cents: 11_975, vat_percent: 19, reverse_charge: false, seller: 'S', customer: null },
    items: Array.from({ length: 60 }, (_, index) => item(index)),
  })
  const pages = execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf }).toString().split('\f').slice(0, -1)
  expect(pages).toHaveLength(2)
  for (const page of pages) expect(page).toMatch(/Invoice PAR-7[\s\S]*Date +For +Number +EUR/)
})
