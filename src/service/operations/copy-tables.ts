import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { sql } from 'kysely'
import type { Db } from '../platform/db/open.ts'
import { recordingsSecret } from '../platform/db/postgres/recordings-mark.ts'
import { refineText } from '../platform/refine-text.ts'
import { explainError, StartError } from '../platform/start-error.ts'

/** PostgreSQL's limit of parameters per statement, with a margin. */
const mostValues = 20_000
const mostRows = 200
const batchCharacters = 8_000_000

/** Tables that are not copied, each with the reason. */
export const leftTables: Readonly<Record<string, string>> = {
  migrations: 'each database has its own',
  uploads: 'unfinished uploads are files of the old directory; clients begin them anew',
  upload_parts: 'of unfinished uploads',
  nodes: 'processes that share a database',
  chores: 'leases of these processes',
  ledger_days: 'triggers make it of the ledger',
  books: 'triggers make it of the movements',
  invoice_series: 'triggers make it of the invoices',
}

type Row = Record<string, SQLInputValue>

/** All tables to copy, each after those that it references. Read from the schema, so that none is forgotten. */
export function listTables(source: DatabaseSync): readonly string[] {
  const all = source.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'").all()
  const left = new Set(all.map(({ name }) => String(name)).filter((name) => !(name in leftTables)))
  const ordered: string[] = []
  const add = (name: string): void => {
    if (!left.delete(name)) return
    for (const { table } of source.prepare(`select "table" from pragma_foreign_key_list(?)`).all(name))
      add(String(table))
    ordered.push(name)
  }
  for (const name of [...left].toSorted()) add(name)
  return ordered
}

function* readBatches(source: DatabaseSync, table: string): Generator<Row[]> {
  let [batch, characters]: [Row[], number] = [[], 0]
  for (const row of source.prepare(`select * from ${table}`).iterate() as Iterable<Row>) {
    batch.push(row)
    for (const value of Object.values(row)) characters += typeof value === 'string' ? value.length : 0
    const isFull = batch.length === mostRows || batch.length * Object.keys(row).length > mostValues
    if (!isFull && characters < batchCharacters) continue
    yield batch
    ;[batch, characters] = [[], 0]
  }
  if (batch.length > 0) yield batch
}

/** @returns the first columns of a row, which name it */
const nameRow = (row: Row) =>
  Object.entries(row)
    .slice(0, 2)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(', ')

/** Inserts rows that the target lacks. @throws StartError naming the row that it does not take */
async function insertRows(target: Db, table: string, batch: readonly Row[]): Promise<void> {
  const columns = Object.keys(batch[0] ?? {})
  const values = batch.map((row) => {
    const own = columns.map((name) => {
      const value = row[name]
      if (typeof value === 'string') return refineText(value)
      return value instanceof Uint8Array ? Buffer.from(value) : value
    })
    return sql`(${sql.join(own)})`
  })
  const names = sql.join(columns.map((name) => sql.ref(name)))
  const insert = sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)} on conflict do nothing`
  try {
    await insert.execute(target)
  } catch (cause) {
    const [row] = batch
    // SQLSTATE 22 and 23: the data itself is refused.
    const isOfData = cause instanceof Error && 'code' in cause && /^2[23]/.test(String(cause.code))
    if (!isOfData || row === undefined) throw cause
    if (batch.length > 1) {
      for (const one of batch) await insertRows(target, table, [one])
      return
    }
    const words = `The target does not take a row of the table ${table} (${nameRow(row)}): ${explainError(cause)}.`
    throw new StartError(words, { cause })
  }
}

/** Copies the rows of a table that the target lacks. @returns how many rows the source has */
export async function copyTable(source: DatabaseSync, target: Db, table: string): Promise<number> {
  let rows = 0
  for (const batch of readBatches(source, table)) {
    await insertRows(target, table, batch)
    rows += batch.length
  }
  return rows
}

/** Advances the target's sequences beyond the copied rows. */
export async function setCounters(target: Db): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = current_schema() and identity_generation = 'BY DEFAULT'`.execute(target)
  for (const { table, column } of rows) {
    const sequence = sql`pg_get_serial_sequence(${sql.lit(table)}, ${sql.lit(column)})`
    const last = sql`(select max(${sql.ref(column)}) from ${sql.table(table)})`
    await sql`select setval(${sequence}, coalesce(${last}, 0) + 1, false)`.execute(target)
  }
}

/** Row count of a table, and the sum of each money column, in cents. */
type Sums = Record<string, number>

function columnsOfMoney(source: DatabaseSync, table: string): string[] {
  const columns = source.prepare('select name from pragma_table_info(?)').all(table)
  return columns.map(({ name }) => String(name)).filter((name) => name.endsWith('_cents'))
}

/**
 * Compares row counts and money sums of every table.
 * @returns the number of rows, and the ledger's total in cents
 * @throws StartError if they differ
 */
export async function compareTables(source: DatabaseSync, target: Db): Promise<{ rows: number; ledgerCents: number }> {
  let [rows, ledgerCents] = [0, 0]
  for (const table of [...listTables(source), 'ledger_days']) {
    const money = columnsOfMoney(source, table).map((name) => `coalesce(sum(${name}), 0) as ${name}`)
    // For a day whose entries have all failed, either database may or may not have a row.
    const counted = table === 'ledger_days' ? 'coalesce(sum(entries), 0)' : 'count(*)'
    const where = table === 'secrets' ? `where name <> '${recordingsSecret}'` : ''
    const asked = `select ${[`${counted} as rows`, ...money].join(', ')} from ${table} ${where}`
    const own = source.prepare(asked).get() as Sums
    const {
      rows: [there = {}],
    } = await sql.raw<Sums>(asked).execute(target)
    for (const [name, value] of Object.entries(own)) {
      if (there[name] === value) continue
      throw new StartError(
        `${table}: ${name} is ${there[name]} at the target and ${value} here. Nothing was switched over.`,
      )
    }
    if (table !== 'ledger_days') rows += own.rows ?? 0
    if (table === 'ledger') ledgerCents = own.amount_cents ?? 0
  }
  return { rows, ledgerCents }
}
