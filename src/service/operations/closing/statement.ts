import type { Db } from '../../platform/db/open.ts'
import type { ErasureReport } from './erase-account.ts'
import { moneyOfClosed, moneyOfErased, readMoneyLeft, readPaidBack } from './money-left.ts'

const day = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
const count = (n: number, one: string, many = `${one}s`) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`

/**
 * The statement of a closed account as Markdown, for whoever has its address: it names no person and no file.
 * @param keptYears how long money is kept
 * @returns null if there is no such closing
 */
export async function closingStatement(db: Db, id: string, keptYears: number): Promise<string | null> {
  const closing = await db.selectFrom('closings').selectAll().where('id', '=', id).executeTakeFirst()
  if (closing === undefined) return null
  const { account_id, closed_at, erase_at, erased_at, report_json } = closing
  const head = `# Closed account\n\nAccount \`${account_id}\` was closed on ${day(closed_at)}.`
  const left = await readMoneyLeft(db, account_id)
  if (erased_at === null) {
    return `${head}

It is erased on ${day(erase_at)}, or within an hour after it. Until then it can be read, exported and opened again: sign in
with one of its keys. This page then says what was erased.

${moneyOfClosed(left)}`
  }
  const report = JSON.parse(report_json ?? '{}') as ErasureReport
  const invoices = report.invoices_kept
    ? ` So do ${count(report.invoices_kept, 'invoice')}, with the name and address on them and without names of files.`
    : ''
  const kept =
    report.ledger_entries_kept === 0
      ? 'Nothing is kept.'
      : `${count(report.ledger_entries_kept, 'charge and refund', 'charges and refunds')} stay, without names of files, cards and
keys, for ${count(keptYears, 'year')}, as books must be kept.${invoices}`
  return `${head}

It was erased on ${day(erased_at)}, with all that belonged to it:

- ${count(report.files, 'file')} (recordings of ${count(report.recordings_bytes, 'byte')}) with their transcripts, corrections,
  versions, reviews, names, notes and tags, and their words in the index of the search
- ${count(report.keys, 'key')}, settings, default options, vocabulary, projects, rules, webhook and its deliveries, card, log

${kept}

${moneyOfErased(left, await readPaidBack(db, account_id, closed_at))}

Backups that were made before hold it until they are removed. If one is restored here, the account is erased again.`
}
