import * as z from 'zod'
import { logPage } from '../../../contract/account/audit-log.ts'
import { exportedFile } from '../../../contract/account/export.ts'
import { invoice } from '../../../contract/account/invoices.ts'
import { project } from '../../../contract/account/projects.ts'
import { divideReceipt, type ReceiptPart, vatWords } from '../../../contract/account/receipt-parties.ts'
import { type LedgerLine, ledgerPage } from '../../../contract/account/usage.ts'
import { vocabulary } from '../../../contract/account/vocabulary.ts'
import { centsToDecimal } from '../../../contract/interface/price.ts'
import { readLogPage } from '../../accounts/audit-log/log-pages.ts'
import { parseLimits } from '../../accounts/auth/key-limits.ts'
import { readBalance, readMovements } from '../../orders/money/balance.ts'
import { sellerLines } from '../../orders/money/invoices/billing.ts'
import { invoiceCsv, readInvoice } from '../../orders/money/invoices/read-invoices.ts'
import { readLedgerPage } from '../../orders/money/ledger-pages.ts'
import { listProjects } from '../../orders/projects/projects.ts'
import { listRules } from '../../orders/retention/rules.ts'
import type { Account } from '../../platform/db/schema.ts'
import { iso } from '../../platform/iso-time.ts'
import type { Platform } from '../../platform/platform.ts'
import { listEntries } from '../../text/vocabulary/entries.ts'
import { invoicePdf } from '../invoice-pdf.ts'
import { asJson, type Document } from './file-documents.ts'

const pageRows = 500

const readme = (
  account: Account,
  files: number,
  withRecordings: boolean,
  at: string,
) => `Everything of the account ${account.name} (${account.id}) as it was on ${at}

files/            a folder for each of ${files} files:
  file.json         names, options, money, labels, corrections, their changes, review (schemas/file.json)
  transcript.json   the transcript as delivered, for programs
  transcript.docx   the same for people
  corrected.…       the transcript as corrected, if it was corrected
  recording.…       ${withRecordings ? 'the recording as it was sent' : 'not in this export: it was asked for without recordings'}
account.json      the account, its settings, default options, balance, top-up, where refunds go, and budget
keys.json         names and rights of the keys; the keys themselves are kept nowhere
projects.json     projects with their budgets
vocabulary.json   words and how they were heard
rules.json        rules for automatic deletion
webhook.json      where progress is sent; its secret is left out
ledger.jsonl      every charge and refund, one a line, newest first
balance.jsonl     what changed the balance, one a line, newest first
receipts/         the same by month, as text
invoices/         every invoice and credit note as PDF, CSV and JSON
log.jsonl         who did what, one a line, newest first, as far as it is kept
schemas/          JSON Schemas of these files

Files that are not ready have no transcript. JSON is UTF-8; times are ISO 8601 in UTC; money is whole cents.
`

const schemas = {
  file: exportedFile,
  projects: z.array(project),
  vocabulary: vocabulary.shape.entries,
  ledger: ledgerPage.shape.entries.def.element,
  invoice,
  log: logPage.shape.entries.def.element,
} as const

/** One entry a line, read page by page. */
async function jsonLines<Entry>(
  read: (before: { createdAt: number; id: string } | null) => Promise<{ entries: Entry[]; next_cursor: string | null }>,
  each: (entry: Entry) => void = () => undefined,
): Promise<string> {
  const lines: string[] = []
  for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
    const [createdAt, id = ''] = cursor?.split('-') ?? []
    const page = await read(cursor === null ? null : { createdAt: Number(createdAt), id })
    for (const entry of page.entries) {
      each(entry)
      lines.push(`${JSON.stringify(entry)}\n`)
    }
    cursor = page.next_cursor
  }
  return lines.join('')
}

const itemText = ({ created, kind, file_name, amount_cents, currency, transaction_id, card }: LedgerLine) =>
  [created, kind, `${centsToDecimal(amount_cents)} ${currency}`, file_name, card ?? '', transaction_id].join('\t')

function partText({ billedTo, lines, vat, ...part }: ReceiptPart<LedgerLine>): string[] {
  const money = (cents: number) => `${centsToDecimal(cents)} ${lines[0]?.currency ?? ''}`
  const taxes = vat.map((each) => {
    const words = vatWords(each, money(each.totalCents))
    return each.isReverse ? words : `${words}: ${money(each.vatCents)}`
  })
  const total = `Total: ${money(part.chargedCents + part.refundedCents)}`
  return [`Buyer: ${billedTo ?? 'not named'}`, '', ...lines.map(itemText), '', total, ...taxes, '']
}

/** Receipts of months, as the pages print them. */
function receiptText(month: string, lines: readonly LedgerLine[], seller: string | null, namedNow: string): string {
  const counted = lines.filter(({ status }) => status !== 'failed').toReversed()
  const parts = divideReceipt(counted, namedNow === '' ? null : namedNow)
  const sum = counted.reduce((cents, { amount_cents }) => cents + amount_cents, 0)
  const all = parts.length > 1 ? [`All of these: ${centsToDecimal(sum)} ${counted[0]?.currency ?? ''}`, ''] : []
  return [`Receipt ${month}`, `Seller: ${seller ?? 'not named'}`, ...parts.flatMap(partText), ...all].join('\n')
}

/** Every invoice, as it was sent. */
async function* invoiceDocuments({ db }: Platform, account: Account): AsyncGenerator<Document> {
  const rows = db.selectFrom('invoices').select(['id', 'created_at']).where('account_id', '=', account.id)
  for (const { id, created_at: changedAt } of await rows.orderBy('created_at').orderBy('id').execute()) {
    const invoice = await readInvoice(db, account.id, id)
    yield { name: `invoices/${id}.pdf`, content: await invoicePdf(invoice), changedAt }
    yield { name: `invoices/${id}.csv`, content: await invoiceCsv(db, invoice), changedAt }
    yield { name: `invoices/${id}.json`, content: asJson(invoice), changedAt }
  }
}

async function* moneyDocuments(platform: Platform, account: Account, changedAt: number): AsyncGenerator<Document> {
  const byMonth = new Map<string, LedgerLine[]>()
  const none = { from: null, to: null, kind: null, search: null }
  const ledger = await jsonLines(
    (before) => readLedgerPage(platform.db, account.id, none, before, pageRows),
    (line) => {
      const month = line.created.slice(0, 7)
      const lines = byMonth.get(month) ?? []
      byMonth.set(month, lines)
      lines.push(line)
    },
  )
  yield { name: 'ledger.jsonl', content: ledger, changedAt }
  const movements = await jsonLines(async (before) => {
    const page = await readMovements(platform.db, account, before, pageRows)
    return { entries: page.movements, next_cursor: page.next_cursor }
  })
  yield { name: 'balance.jsonl', content: movements, changedAt }
  const { billing = '' } = JSON.parse(account.settings_json) as { billing?: string }
  for (const [month, lines] of byMonth) {
    const content = receiptText(month, lines, sellerLines(platform.config), billing)
    yield { name: `receipts/${month}.txt`, content, changedAt }
  }
  yield* invoiceDocuments(platform, account)
}

/** All that the archive has of the account itself. */
export async function* accountDocuments(
  platform: Platform,
  account: Account,
  { files, withRecordings }: { files: number; withRecordings: boolean },
): AsyncGenerator<Document> {
  const { db, clock } = platform
  const changedAt = clock()
  const document = (name: string, content: unknown): Document => ({ name, content: asJson(content), changedAt })
  yield { name: 'README.txt', content: readme(account, files, withRecordings, iso(changedAt)), changedAt }
  const of = { account: account.id }
  const card = db.selectFrom('payment_methods').select(['brand', 'last_four', 'exp_month', 'exp_year'])
  yield document('account.json', {
    id: account.id,
    name: account.name,
    environment: account.environment,
    currency: account.currency,
    discount_percent: account.discount_percent,
    created: iso(account.created_at),
    program_text: account.program_text,
    default_options: JSON.parse(account.default_options_json),
    settings: JSON.parse(account.settings_json),
    balance: await readBalance(platform, account),
    payment_method: (await card.where('account_id', '=', of.account).executeTakeFirst()) ?? null,
  })
  const keys = await db.selectFrom('api_keys').selectAll().where('account_id', '=', of.account).execute()
  const shown = keys.map((key) => ({
    id: key.id,
    name: key.name,
    last_four: key.last_four,
    created: iso(key.created_at),
    last_used: iso(key.last_used_at),
    expires: iso(key.expires_at),
    revoked: iso(key.revoked_at),
    ...parseLimits(key),
  }))
  yield document('keys.json', shown)
  yield document('projects.json', await listProjects(db, of.account, changedAt))
  yield document('vocabulary.json', await listEntries(db, of.account))
  yield document('rules.json', await listRules(db, of.account))
  const webhook = db.selectFrom('webhooks').select(['url', 'paused_at']).where('account_id', '=', of.account)
  yield document('webhook.json', (await webhook.executeTakeFirst()) ?? null)
  yield* moneyDocuments(platform, account, changedAt)
  const all = { from: null, to: null, action: null, search: null }
  const log = await jsonLines((before) => readLogPage(db, of.account, all, before, pageRows))
  yield { name: 'log.jsonl', content: log, changedAt }
  for (const [name, schema] of Object.entries(schemas)) {
    yield document(`schemas/${name}.json`, z.toJSONSchema(schema as z.core.$ZodType))
  }
}
