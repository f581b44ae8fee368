import { type RawBuilder, sql, type Updateable } from 'kysely'
import type { Db } from './open.ts'
import { nextFileVersion } from './outbox.ts'
import type { Database, FileRow } from './schema.ts'
import type { AccountTrx } from './write-account.ts'

type ListedFile = Pick<FileRow, 'id' | 'name' | 'labels_json' | 'project_id'>

/** SQLite and PostgreSQL both accept this many bound ids. */
const atOnce = 500

/** Splits a list into chunks of one statement each. */
export function chunks<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / atOnce) }, (_, index) =>
    items.slice(index * atOnce, (index + 1) * atOnce),
  )
}

/** The row of a file; undefined if it does not exist. */
export function fileById(db: Db, id: string | null): Promise<FileRow | undefined> {
  return db.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * The existing rows of many files, if they are of the account. Accounts are compared here: given both conditions,
 * SQLite reads all rows of the account instead of looking up the ids.
 */
export async function filesOfAccount(trx: AccountTrx, ids: readonly string[]): Promise<ListedFile[]> {
  const rows: (ListedFile & { account_id: string })[] = []
  for (const some of chunks(ids)) {
    const files = trx.selectFrom('files').select(['id', 'account_id', 'name', 'labels_json', 'project_id'])
    rows.push(...(await files.where('id', 'in', some).execute()))
  }
  return rows.filter(({ account_id }) => account_id === trx.accountId)
}

function pickLabels(ids: readonly string[], labels: ReadonlyMap<string, string>): RawBuilder<string> {
  const cases = ids.map((id) => sql`when ${id} then ${labels.get(id) ?? null}`)
  return sql<string>`case files.id ${sql.join(cases, sql` `)} end`
}

/**
 * Gives many files the same values, and each its own version. A thousand take a few statements.
 * @param labels `labels_json` of each file, if it differs
 */
export async function changeFiles(
  trx: AccountTrx,
  files: readonly string[],
  values: Pick<Updateable<Database['files']>, 'project_id' | 'keeping_since'>,
  labels?: ReadonlyMap<string, string>,
): Promise<void> {
  for (const ids of chunks(files)) {
    const before = (await nextFileVersion(trx, ids.length)) - ids.length
    await trx
      .updateTable('files')
      .from((eb) =>
        eb
          .selectFrom('files')
          .select((file) => [
            'id',
            file.fn
              .agg<number>('row_number')
              .over((rows) => rows.orderBy('id'))
              .as('place'),
          ])
          .where('id', 'in', ids)
          .as('changed'),
      )
      .set((eb) => ({
        ...values,
        ...(labels && { labels_json: pickLabels(ids, labels) }),
        version: eb('changed.place', '+', before),
      }))
      .whereRef('changed.id', '=', 'files.id')
      .execute()
  }
}
