import type { LogAction, LogEntry, LogPage } from '../../../contract/account/audit-log.ts'
import { csvNumber, csvText } from '../../../contract/common/csv.ts'
import type { Db } from '../../platform/db/open.ts'
import { type Cursor, cutPage, hasText, writeCsv } from '../../platform/db/pages.ts'
import type { AccountLogRow } from '../../platform/db/schema.ts'
import { iso } from '../../platform/iso-time.ts'
import type { Platform } from '../../platform/platform.ts'

export type LogFilter = { from: number | null; to: number | null; action: LogAction | null; search: string | null }

/** How long entries are kept. */
export const logRetentionMs = 365 * 24 * 60 * 60_000

function toLogEntry(row: AccountLogRow): LogEntry {
  return {
    first: iso(row.created_at),
    time: iso(row.at),
    action: row.action,
    detail: row.detail,
    file_id: row.file_id === '' ? null : row.file_id,
    file_name: row.file_name,
    key: row.key_name,
    address: row.address,
    times: row.times,
  }
}

const searched = ['file_name', 'detail', 'key_name', 'address', 'file_id'] as const

/** Newest first by first occurrence, so that an entry whose count grows does not move between pages. */
function matching(db: Db, accountId: string, { from, to, action, search }: LogFilter, before: Cursor | null) {
  let query = db.selectFrom('account_log').selectAll().where('account_id', '=', accountId)
  if (from !== null) query = query.where('at', '>=', from)
  if (to !== null) query = query.where('created_at', '<', to)
  if (action !== null) query = query.where('action', '=', action)
  if (search !== null) query = query.where(hasText(searched, search))
  if (before !== null) query = query.where('id', '<', Number(before.id))
  return query.orderBy('id', 'desc')
}

/** A page of the account's log, newest first. */
export async function readLogPage(
  db: Db,
  accountId: string,
  filter: LogFilter,
  before: Cursor | null,
  limit: number,
): Promise<LogPage> {
  const rows = await matching(db, accountId, filter, before)
    .limit(limit + 1)
    .execute()
  const { page, next_cursor } = cutPage(rows, limit)
  return { entries: page.map(toLogEntry), next_cursor }
}

const csvHead = '\ufefftime,action,detail,file_id,file_name,key,address,times'

function csvLine(entry: LogEntry): string {
  const texts = [entry.time, entry.action, entry.detail, entry.file_id ?? '', entry.file_name, entry.key, entry.address]
  return [...texts.map(csvText), csvNumber(entry.times)].join(',')
}

/** All matching entries as CSV. */
export function logCsv(db: Db, accountId: string, filter: LogFilter): AsyncGenerator<string> {
  const read = (before: Cursor | null, limit: number) => matching(db, accountId, filter, before).limit(limit).execute()
  return writeCsv(csvHead, read, (row) => csvLine(toLogEntry(row)))
}

/** Deletes entries older than a year. */
export async function purgeLog({ db, clock }: Platform): Promise<void> {
  await db
    .deleteFrom('account_log')
    .where('at', '<', clock() - logRetentionMs)
    .execute()
}
