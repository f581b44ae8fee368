import type { Invoice } from '../../contract/account/invoices.ts'
import { shortFileName, visibleText } from '../../contract/interface/file-name.ts'
import { centsToDecimal } from '../../contract/interface/price.ts'
import { renderSheet, type Sheet, type SheetRow } from '../../formats/documents/pdf/sheet.ts'
import { lengthInWords } from '../../text/clock-time.ts'
import { bankRefundPrefix } from '../orders/books/enter-in-ledger.ts'
import { billingLines } from '../orders/money/invoices/billing.ts'
import { pdfKit } from '../text/transcripts/pdf-kit.ts'

const day = (instant: string) => instant.slice(0, 10)

/** Columns of what is on it: shares of the width of the page. */
const columns = [
  { from: 0, to: 0.12 },
  { from: 0.12, to: 0.48 },
  { from: 0.48, to: 0.86 },
  { from: 0.82, to: 1, isRight: true },
] as const

function cells(texts: readonly [string, string, string, string], look: SheetRow['look'], after = 4): SheetRow {
  return { look, after, cells: columns.map((column, index) => ({ ...column, text: texts[index] ?? '' })) }
}

const line = (text: string, look: SheetRow['look'], after = 0): SheetRow => ({
  look,
  after,
  cells: [{ text, from: 0, to: 1 }],
})

function sums({ total_cents, vat_cents, vat_percent, currency }: Invoice): SheetRow[] {
  const money = (cents: number) => `${centsToDecimal(cents)} ${currency}`
  const vat =
    vat_percent > 0
      ? [
          cells(['', '', 'Net', money(total_cents - vat_cents)], 'text'),
          cells(['', '', `VAT ${vat_percent} %`, money(vat_cents)], 'text'),
        ]
      : []
  return [...vat, cells(['', '', 'Total', money(total_cents)], 'strong', 18)]
}

type Item = Invoice['items'][number]

/** Only the bank undoes an entry: it took the payment back, and with it what was to be refunded of it. */
const isByBank = ({ undone, transaction_id }: Item) => undone || transaction_id.startsWith(bankRefundPrefix)

/** Why a credit note corrects: what we gave back, or what the bank took back. */
function reason({ corrects, items, currency }: Invoice): string {
  const taken = -items.filter(isByBank).reduce((sum, { amount_cents }) => sum + amount_cents, 0)
  if (items.every(isByBank)) return `Corrects invoice ${corrects}. The bank took this payment back: it is unpaid.`
  const ofBank = taken === 0 ? '' : ` The bank took back ${centsToDecimal(taken)} ${currency}, which is unpaid.`
  return `Corrects invoice ${corrects}.${ofBank}`
}

/** Where refunds went, as it was when the paper was written; on papers from before it was recorded in general words. */
function givenBack({ kind, items, currency }: Invoice): string[] {
  const refunds = items.filter((item) => item.kind === 'refund' && !isByBank(item))
  if (refunds.length === 0) return []
  if (refunds.some(({ to_card_cents }) => to_card_cents === null))
    return kind === 'invoice'
      ? []
      : [`${items.some(isByBank) ? 'The rest' : 'What is given back'} went to the balance or to the card.`]
  const money = (cents: number) => `${centsToDecimal(cents)} ${currency}`
  const toCard = refunds.reduce((sum, { to_card_cents }) => sum + (to_card_cents ?? 0), 0)
  const toBalance = -refunds.reduce((sum, { amount_cents }) => sum + amount_cents, 0) - toCard
  const due = refunds.flatMap((item) => (item.to_card_cents && item.due ? [day(item.due)] : [])).toSorted()
  return [
    ...(toBalance > 0 ? [`Given back to the balance: ${money(toBalance)}, at once.`] : []),
    ...(toCard > 0 ? [`Given back to the card: ${money(toCard)}, due ${due.at(-1)}.`] : []),
  ]
}

function notes(invoice: Invoice): SheetRow[] {
  const { kind, reverse_charge, is_test } = invoice
  const words = [
    kind === 'invoice'
      ? 'Paid when it was ordered, from the balance that the card fills: nothing is due.'
      : reason(invoice),
    ...givenBack(invoice),
    ...(reverse_charge ? ['Reverse charge: the recipient of the service accounts for the VAT.'] : []),
    ...(is_test ? ['This is a test: no money moved, and this is no invoice.'] : []),
  ]
  return words.map((text) => line(text, 'small', 2))
}

/** The words of an invoice, as they stand on paper. */
function invoiceSheet(invoice: Invoice): Sheet {
  const { id, kind, seller, customer, created, from, to, items, currency } = invoice
  const title = `${kind === 'invoice' ? 'Invoice' : 'Credit note'} ${id}`
  const buyer = customer === null ? 'Erased' : billingLines(customer)
  const row = (label: string, text: string): SheetRow => ({
    look: 'text',
    after: 3,
    cells: [
      { text: label, from: 0, to: 0.15 },
      { text, from: 0.15, to: 1 },
    ],
  })
  const lines = (label: string, text: string) =>
    text.split(/\r?\n/).map((each, index) => row(index === 0 ? label : '', each))
  const head = cells(['Date', 'For', 'Number', currency], 'strong')
  const set = items.map((item) =>
    cells([day(item.created), describe(item), item.transaction_id, centsToDecimal(item.amount_cents)], 'item'),
  )
  return {
    title,
    created,
    again: [line(title, 'small', 12), head],
    rows: [
      line(title, 'title', 16),
      ...lines('From', seller),
      ...lines('To', buyer),
      row('Date', day(created)),
      row('Of', `${day(from)} to ${day(to)}, in UTC`),
      { look: 'text', after: 12, cells: [] },
      head,
      ...set.slice(0, -1),
    ],
    // No page has a head of columns above nothing but notes.
    end: [...set.slice(-1), { look: 'text', after: 4, cells: [] }, ...sums(invoice), ...notes(invoice)],
  }
}

/** Two lines of the narrow column. */
const longestName = 60

/** The name of its file, what was made of it, and what it would have cost. */
function describe(item: Item): string {
  const { file_name, to_card_cents, seconds } = item
  const name = file_name === null ? [] : [shortFileName(visibleText(file_name), longestName)]
  // A paper that was written before lines had names stays as it was.
  const manual = to_card_cents === null ? 'Typed transcript' : 'Manual transcript'
  const what = item.transcript_type === 'manual' ? manual : 'Automated transcript'
  return [...name, `${what}${becameOf(item)}, ${lengthInWords(seconds * 1_000)}`, ...listPrice(item)].join('\n')
}

function becameOf(item: Item): string {
  if (item.undone && item.kind === 'refund') return ', refund that was canceled'
  if (isByBank(item)) return ', taken back by the bank'
  return item.kind === 'charge' ? '' : ', refund'
}

/** `List price 1.00, less 0.64: 6 min free of charge and discount`; nothing where that was charged. */
function listPrice({ kind, undone, amount_cents, discount_cents, free_seconds, seconds }: Item): string[] {
  if (kind === 'refund' || undone || !discount_cents) return []
  const list = amount_cents + discount_cents
  // The discount of the account is on what is not free; a cent is a matter of rounding.
  const freeCents = Math.min(discount_cents, Math.round((list * free_seconds) / seconds))
  const restCents = discount_cents - freeCents
  const free = free_seconds > 0 ? [`${lengthInWords(free_seconds * 1_000)} free of charge`] : []
  const less = [...free, ...(restCents > 1 || free.length === 0 ? ['discount'] : [])]
  return [`List price ${centsToDecimal(list)}, less ${centsToDecimal(discount_cents)}: ${less.join(' and ')}`]
}

/** An invoice as PDF, by the maker of transcripts' documents. */
export async function invoicePdf(invoice: Invoice): Promise<Buffer> {
  return Buffer.concat([...(await renderSheet(invoiceSheet(invoice), await pdfKit()))])
}
