import type { LedgerLine, LedgerPage } from '../../../contract/account/usage.ts'
import { csvNumber, csvText } from '../../../contract/common/csv.ts'
import { centsToDecimal } from '../../../contract/interface/price.ts'
import type { Db } from '../../platform/db/open.ts'
import { type Cursor, cutPage, hasText, isAfter, writeCsv } from '../../platform/db/pages.ts'
import type { LedgerEntry } from '../../platform/db/schema.ts'
import { iso } from '../../platform/iso-time.ts'
import { readBilledTerms } from './invoices/billed-terms.ts'
import type { Span } from './read-usage.ts'

export type LedgerFilter = Span & { kind: LedgerEntry['kind'] | null; search: string | null }

function toLedgerLine(row: LedgerEntry): LedgerLine {
  return {
    transaction_id: row.transaction_id,
    kind: row.kind,
    file_id: row.file_id,
    file_name: row.file_name,
    transcript_type: row.transcript_type,
    seconds: row.duration_ms / 1_000,
    amount_cents: row.amount_cents,
    currency: row.currency,
    progress_percent: row.progress_percent,
    created: iso(row.created_at),
    due: iso(row.due_at),
    status: row.status,
    card: row.card,
    via: row.via,
    top_up_cents: row.top_up_cents,
    free_seconds: row.free_ms / 1_000,
    reason: row.reason,
  }
}

function matching(db: Db, accountId: string, { from, to, kind, search }: LedgerFilter) {
  let query = db.selectFrom('ledger').where('account_id', '=', accountId)
  if (from !== null) query = query.where('created_at', '>=', from)
  if (to !== null) query = query.where('created_at', '<', to)
  if (kind !== null) query = query.where('kind', '=', kind)
  if (search !== null) query = query.where(hasText(['file_name', 'transaction_id'], search))
  return query
}

function after(query: ReturnType<typeof matching>, before: Cursor | null) {
  return query.selectAll().where(isAfter(before)).orderBy('created_at', 'desc').orderBy('id', 'desc')
}

/** A page of the ledger, newest first. */
export async function readLedgerPage(
  db: Db,
  accountId: string,
  filter: LedgerFilter,
  before: Cursor | null,
  limit: number,
): Promise<LedgerPage> {
  const query = matching(db, accountId, filter)
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await after(query, before)
    .limit(limit + 1)
    .execute()
  const { page, next_cursor } = cutPage(rows, limit)
  const terms = await readBilledTerms(db, accountId, [...new Set(page.map(({ file_id }) => file_id))])
  return { entries: page.map((row) => ({ ...toLedgerLine(row), ...terms.get(row.file_id) })), total, next_cursor }
}

const csvHead =
  '\ufeffcreated,transaction_id,kind,status,file_id,file_name,transcript_type,seconds,amount,currency,progress_percent,due,via,top_up,card,date,reason,free_seconds,failed_amount'

function csvLine(line: LedgerLine): string {
  const { created, transaction_id, kind, status, file_id, file_name, transcript_type, progress_percent } = line
  // What failed moved no money: the column of amounts adds up to what was charged.
  const isFailed = status === 'failed'
  return [
    ...[created, transaction_id, kind, status, file_id, file_name, transcript_type].map(csvText),
    csvNumber(line.seconds),
    csvNumber(centsToDecimal(isFailed ? 0 : line.amount_cents)),
    csvText(line.currency),
    progress_percent === null ? '' : csvNumber(progress_percent),
    csvText(line.due),
    csvText(line.via ?? ''),
    line.top_up_cents == null ? '' : csvNumber(centsToDecimal(line.top_up_cents)),
    csvText(line.card ?? ''),
    created.slice(0, 10),
    csvText(line.reason ?? ''),
    csvNumber(line.free_seconds ?? 0),
    isFailed ? csvNumber(centsToDecimal(line.amount_cents)) : '',
  ].join(',')
}

/** All matching entries as CSV. */
export function ledgerCsv(db: Db, accountId: string, filter: LedgerFilter): AsyncGenerator<string> {
  const query = matching(db, accountId, filter)
  const read = (before: Cursor | null, limit: number) => after(query, before).limit(limit).execute()
  return writeCsv(csvHead, read, (row) => csvLine(toLedgerLine(row)))
}
