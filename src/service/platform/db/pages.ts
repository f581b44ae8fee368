import { type RawBuilder, sql } from 'kysely'

/** Cursor pagination, newest first: time and id of a page's last row. The next page begins after it. */
export type Cursor = { createdAt: number; id: string | number }

/** Condition for rows after a cursor; true for all without one. Order by `created_at desc, id desc`. */
export function isAfter(cursor: Cursor | null): RawBuilder<boolean> {
  if (cursor === null) return sql<boolean>`true`
  return sql<boolean>`(created_at, id) < (${cursor.createdAt}, ${cursor.id})`
}

/**
 * Cuts rows to a page. The query must read one row more than a page has.
 * @returns the page, and the cursor as text if there is another
 */
export function cutPage<Row extends { created_at: number; id: string | number }>(
  rows: readonly Row[],
  limit: number,
): { page: Row[]; next_cursor: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next_cursor = rows.length > limit && last !== undefined ? `${last.created_at}-${last.id}` : null
  return { page, next_cursor }
}

/** Condition for rows that contain a text in one of these columns, ignoring case; without wildcards. */
export function hasText(columns: readonly string[], text: string): RawBuilder<boolean> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  const finds = columns.map((column) => sql`lower(${sql.ref(column)}) like lower(${pattern}) escape '\\'`)
  return sql<boolean>`(${sql.join(finds, sql` or `)})`
}

/** All rows as CSV, read a thousand at a time. @param read the rows after a cursor, newest first */
export async function* writeCsv<Row extends { created_at: number; id: string | number }>(
  head: string,
  read: (before: Cursor | null, limit: number) => Promise<Row[]>,
  toLine: (row: Row) => string,
): AsyncGenerator<string> {
  yield `${head}\r\n`
  for (let before: Cursor | null = null; ; ) {
    const rows: Row[] = await read(before, 1_000)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.map((row) => `${toLine(row)}\r\n`).join('')
    before = { createdAt: last.created_at, id: last.id }
  }
}
