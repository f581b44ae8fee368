import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { eraseStatements } from './closing/erase-statements.ts'

/*
 * What may only grow must survive a restore: revocations, deletions, removed cards, money. The database that is
 * replaced is newer than the backup, so it decides on everything about accounts, keys, money and the audit log; of files
 * and the work on them the backup decides, without what has been deleted since. Entries of orders that are newer than
 * the backup stay in the ledger without a file. An account that was erased is erased in the backup, too. A table that `tables` does not name is the backup's.
 */

/** `none`: there is none; `other`: of another installation; `unreadable`: damaged */
type Source = 'replaced' | 'none' | 'other' | 'unreadable'

export type CarryReport = {
  source: Source
  /** what was carried over from the replaced database, by kind */
  carried: Record<string, number>
  /** what is in the replaced database alone, by kind: the restore loses it */
  lost: Record<string, number>
  /** ids of orders that are lost */
  lostFiles: string[]
}

/** How rows are carried. `own`: those of accounts in the replaced database stand in place of the backup's. */
type Rule = 'own' | 'add' | { key: string; where?: string }

const known = 'in (select id from old.accounts)'

/** In an order that foreign keys allow. */
const tables: Readonly<Record<string, Rule>> = {
  accounts: { key: 'id' },
  api_keys: { key: 'id', where: 'api_keys.revoked_at is null or excluded.revoked_at is not null' },
  staff: { key: 'id', where: 'staff.revoked_at is null or excluded.revoked_at is not null' },
  secrets: { key: 'name' },
  projects: { key: 'id' },
  payment_methods: 'own',
  payment_customers: 'own',
  waiting_top_ups: 'own',
  free_minutes: 'own',
  webhooks: 'own',
  keeping_rules: 'own',
  charge_intents: 'own',
  billing: 'own',
  deliveries: 'own',
  delivery_tries: 'add',
  idempotency: { key: 'account_id, key', where: 'excluded.created_at >= idempotency.created_at' },
  vocabulary: 'add',
  dismissed_proposals: 'add',
  deleted_files: 'add',
  deleted_projects: 'add',
  work_claims: { key: 'part_id, claim' },
  closings: 'own',
}

/** Deleted since: absent, though the replaced database knew it, and not lost in an earlier restore. */
const gone = `select id from main.files f where not exists (select 1 from old.files o where o.id = f.id)
  and id not in (select value from json_each(?))
  and (exists (select 1 from old.ledger l where l.file_id = f.id)
    or exists (select 1 from old.deleted_files d where d.id = f.id)
    or exists (select 1 from old.account_log a where a.account_id = f.account_id and a.file_id = f.id
      and a.action = 'deleted'))`

/** Counted before anything is written. */
const carried: Readonly<Record<string, string>> = {
  'keys revoked': `main.api_keys n join old.api_keys o using (id)
    where n.revoked_at is null and o.revoked_at is not null`,
  'staff revoked': 'main.staff n join old.staff o using (id) where n.revoked_at is null and o.revoked_at is not null',
  'files deleted': '(select id from gone)',
  'recordings deleted': `main.files n join old.files o using (id)
    where n.recording_deleted_at is null and o.recording_deleted_at is not null`,
  'cards removed or changed': `main.payment_methods n left join old.payment_methods o using (account_id)
    where n.account_id ${known} and o.token is not n.token`,
  'webhooks removed or changed': `main.webhooks n left join old.webhooks o using (account_id)
    where n.account_id ${known} and (o.secret is not n.secret or o.url is not n.url)`,
  'ledger entries': 'old.ledger o left join main.ledger n using (transaction_id) where n.status is not o.status',
  accounts: 'old.accounts where id not in (select id from main.accounts)',
  'keys created': 'old.api_keys where id not in (select id from main.api_keys)',
}

const lost: Readonly<Record<string, string>> = {
  orders: '(select id from lost_files)',
  corrections: `old.correction_changes o left join main.correction_changes n using (file_id, revision, created_at)
    where n.file_id is null and o.file_id in (select id from kept)`,
  'review steps': `old.review_steps o left join main.review_steps n using (file_id, revision, created_at)
    where n.file_id is null and o.file_id in (select id from kept)`,
  'typed parts': `old.work_texts o join old.work_parts p on p.id = o.part_id
    left join main.work_texts n using (part_id)
    where p.file_id in (select id from kept) and o.revision > coalesce(n.revision, 0)`,
  'names, notes and tags': `old.files o join main.files n using (id)
    where id in (select id from kept) and o.labels_json is not n.labels_json`,
}

function countAll(database: DatabaseSync, queries: Readonly<Record<string, string>>): Record<string, number> {
  const counts = Object.entries(queries).map(([name, from]): [string, number] => {
    return [name, Number(database.prepare(`select count(*) as n from ${from}`).get()?.n)]
  })
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

/** Columns of a table that both databases have, as either may be a migration ahead. */
function sharedColumns(database: DatabaseSync, table: string): string[] {
  const query = `select name from pragma_table_info(?, 'main') intersect select name from pragma_table_info(?, 'old')`
  return database
    .prepare(query)
    .all(table, table)
    .map(({ name }) => String(name))
}

function carryTable(database: DatabaseSync, table: string, rule: Rule): void {
  const columns = sharedColumns(database, table)
  if (columns.length === 0) return // one of them is from before this table
  const names = columns.join(', ')
  if (rule === 'own') database.exec(`delete from main.${table} where account_id ${known}`)
  const insert = `insert into main.${table} (${names}) select ${names} from old.${table} where true`
  const set = columns.map((name) => `${name} = excluded.${name}`).join(', ')
  const isUpdated = typeof rule === 'object'
  const conflict = isUpdated ? `(${rule.key}) do update set ${set} where ${rule.where ?? 'true'}` : 'do nothing'
  database.exec(`${insert} on conflict ${conflict}`)
}

/** A database of an older version has no balances: triggers make them of its ledger. */
const hasBalances = (database: DatabaseSync) => hasTable(database, 'movements')

const hasTable = (database: DatabaseSync, name: string) =>
  database.prepare('select 1 from old.sqlite_master where name = ?').get(name) !== undefined

/** In the order of their numbers, which a trigger counts. */
function carryInvoices(database: DatabaseSync, listed: (table: string) => string): void {
  const [rows, items] = [listed('invoices').replace('row_id, ', ''), listed('invoice_items')]
  database.exec(`
    insert into main.invoices (id, ${rows}) select id, ${rows} from old.invoices where true order by series, number
      on conflict do nothing;
    insert into main.invoice_items (${items}) select ${items} from old.invoice_items where true on conflict do nothing`)
}

/** Movements in their order, so that no book is below zero in between. */
function carryBalances(database: DatabaseSync, listed: (table: string) => string): void {
  const [topUps, parts, movements] = [listed('top_ups'), listed('card_refunds'), listed('movements')]
  database.exec(`
    insert into main.top_ups (${topUps}) select ${topUps} from old.top_ups where true order by id
      on conflict (transaction_id) do update set reversed_cents = excluded.reversed_cents;
    insert into main.card_refunds (${parts}) select ${parts} from old.card_refunds where true
      on conflict (idempotency_key) do update set status = excluded.status, next_try_at = excluded.next_try_at
      where excluded.status <> 'pending' or card_refunds.status = 'pending';
    insert into main.movements (${movements}) select ${movements} from old.movements o where not exists (
      select 1 from main.movements n where (n.reference, n.cause) = (o.reference, o.cause)) order by id`)
}

/** Entries keep their order, not their numbers: another restore may have used those. */
function carryMoneyAndLog(database: DatabaseSync): void {
  const listed = (table: string) => {
    const columns = sharedColumns(database, table).filter((name) => name !== 'id')
    return columns.join(', ')
  }
  const [ledger, log] = [listed('ledger'), listed('account_log')]
  if (hasBalances(database)) carryBalances(database, listed)
  if (hasTable(database, 'invoices')) carryInvoices(database, listed)
  database.exec(`
    insert into main.ledger (${ledger}) select ${ledger} from old.ledger where true order by id
      on conflict (transaction_id) do update set status = excluded.status, next_try_at = excluded.next_try_at,
        due_at = excluded.due_at, project_id = excluded.project_id, via = coalesce(excluded.via, ledger.via)
      where excluded.status <> 'pending' or ledger.status = 'pending';
    insert into main.account_log (${log}) select ${log} from old.account_log o where not exists (
      select 1 from main.account_log n where (n.account_id, n.action, n.detail, n.file_id, n.key_id, n.created_at)
        = (o.account_id, o.action, o.detail, o.file_id, o.key_id, o.created_at)) order by id`)
}

/** A project's name that the replaced database gives to another one makes way. */
const freeNames = `update main.projects set name = id where id in (select id from old.projects)
  or exists (select 1 from old.projects o where (o.account_id, o.name) = (projects.account_id, projects.name))`

/** Flags and refunds of files that both have; a job of one that was given up since would refund it again. */
const carryFiles = `
  update main.files set given_up = o.given_up, refund_cents = o.refund_cents, total_cents = o.total_cents,
    delete_when_ready = max(files.delete_when_ready, o.delete_when_ready), keeping_since = o.keeping_since,
    recording_deleted_at = coalesce(files.recording_deleted_at, o.recording_deleted_at),
    recording_deleted_by = coalesce(files.recording_deleted_by, o.recording_deleted_by),
    project_id = o.project_id, delay_reason = iif(o.given_up = 1, o.delay_reason, files.delay_reason)
    from old.files o where o.id = files.id;
  delete from main.jobs where file_id in (select id from main.files where given_up = 1 or recording_deleted_at > 0);
  delete from main.recognitions where file_id in (select id from main.files where given_up = 1);
  update main.files set project_id = null where project_id in (select id from main.deleted_projects);
  update main.ledger set project_id = null where project_id in (select id from main.deleted_projects);
  delete from main.projects where id in (select id from main.deleted_projects);
  delete from main.jobs where file_id in (select id from gone);
  delete from main.pieces where file_id in (select id from gone);
  delete from main.files where id in (select id from gone);
  update main.files set duplicates_json = (select iif(count(*) = 0, null, json_group_array(value))
      from json_each(files.duplicates_json) where value not in (select id from gone))
    where duplicates_json is not null`

/** Claims go on behind the last one of the books; clients read everything again, as their cursors are of other rows. */
const moveCounters = `
  update main.work_parts set staff_id = null, held_until = 0, claim = c.last
    from (select part_id, max(claim) as last from main.work_claims group by part_id) c
    where c.part_id = work_parts.id and c.last > work_parts.claim;
  delete from main.events;
  insert into main.account_cursors (account_id, file_version, event_seq, tombstones_purged, events_purged)
    select account_id, max(file_version) + 1, max(event_seq) + 1, max(file_version) + 1, max(event_seq) + 1
    from (select account_id, file_version, event_seq from main.account_cursors
      union all select account_id, file_version, event_seq from old.account_cursors) group by account_id
    on conflict (account_id) do update set file_version = excluded.file_version, event_seq = excluded.event_seq,
      tombstones_purged = excluded.tombstones_purged, events_purged = excluded.events_purged`

function carryAll(database: DatabaseSync, lostBefore: readonly string[]): Omit<CarryReport, 'source'> {
  database.prepare(`create temp table gone as ${gone}`).run(JSON.stringify(lostBefore))
  database.exec(`create temp table lost_files as
      select id from old.files where id not in (select id from main.files);
    create temp table kept as select id from main.files where id not in (select id from gone)`)
  const lostFiles = database.prepare('select id from lost_files order by id').all()
  const counts = { carried: countAll(database, carried), lost: countAll(database, lost) }
  database.exec(freeNames)
  for (const [table, rule] of Object.entries(tables)) carryTable(database, table, rule)
  carryMoneyAndLog(database)
  database.exec(carryFiles)
  database.exec(moveCounters)
  const erased = database.prepare('select account_id from main.closings where erased_at is not null').all()
  for (const { account_id } of erased)
    for (const statement of eraseStatements(String(account_id))) database.exec(statement)
  database.exec('drop table gone; drop table lost_files; drop table kept')
  return { ...counts, lostFiles: lostFiles.map(({ id }) => String(id)) }
}

const empty = { carried: {}, lost: {}, lostFiles: [] }

/** SQLite's codes for a file that cannot be read: I/O, damaged, cannot be opened, not a database. */
const unreadable = new Set([10, 11, 14, 26])

/** @returns whether it is of the same installation as the backup; accounts are never deleted */
function attach(database: DatabaseSync, old: string): Source {
  if (!existsSync(old)) return 'none'
  const address = pathToFileURL(old)
  address.search = 'mode=ro'
  database.prepare('attach ? as old').run(address.href)
  if (database.prepare('pragma old.quick_check(1)').get()?.quick_check !== 'ok') return 'unreadable'
  const { n } = database.prepare("select count(*) as n from old.sqlite_master where name = 'accounts'").get() ?? {}
  if (n === 0) return 'other'
  const shared = database.prepare('select 1 from main.accounts join old.accounts using (id) limit 1').get()
  return shared === undefined ? 'other' : 'replaced'
}

/**
 * Carries over from a database that a backup replaces what must not be undone.
 * @param backup the path of the backup's database, which is changed in one transaction
 * @param old the path of the replaced one, which may not exist, and is only read
 * @param lostBefore ids of files that earlier restores have lost: they were not deleted
 * @param mode `try` only reports
 */
export function carryOver(
  backup: string,
  old: string,
  lostBefore: readonly string[],
  mode: 'write' | 'try',
): CarryReport {
  const database = new DatabaseSync(backup)
  // Of what was deleted or erased since, no word stays in pages that are free.
  database.exec('pragma secure_delete = on')
  try {
    const source = attach(database, old)
    if (source === 'other') {
      // Whatever it has is not in the backup; of a database that is not Parley's nobody knows.
      return { ...empty, source, ...countOther(database) }
    }
    if (source !== 'replaced') return { ...empty, source }
    database.exec('begin; pragma defer_foreign_keys = on')
    const report = carryAll(database, lostBefore)
    database.exec(mode === 'write' ? 'commit' : 'rollback')
    // Rows that moved within a page can leave words there that `secure_delete` does not reach.
    if (mode === 'write') database.exec('vacuum main')
    return { source, ...report }
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
    if (!unreadable.has(code)) throw error
    return { ...empty, source: 'unreadable' }
  } finally {
    database.close()
  }
}

function countOther(database: DatabaseSync): Pick<CarryReport, 'lost' | 'lostFiles'> {
  const isParley = database.prepare("select 1 from old.sqlite_master where name = 'files'").get() !== undefined
  const files = isParley ? database.prepare('select id from old.files').all() : []
  return { lost: files.length > 0 ? { orders: files.length } : {}, lostFiles: files.map(({ id }) => String(id)) }
}

/** Revokes every API key and staff key of a database: for restores after which revoked ones would work again. */
export const revokeAllKeys = (now: number): string[] =>
  ['api_keys', 'staff'].map((table) => `update ${table} set revoked_at = ${now} where revoked_at is null`)
