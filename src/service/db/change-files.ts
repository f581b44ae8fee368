import type { Updateable } from 'kysely'
import { nextFileVersion } from './outbox.ts'
import type { Database } from './schema.ts'
import type { AccountTrx } from './write-account.ts'

/** SQLite and PostgreSQL bind so many ids at once without complaint. */
const atOnce = 500

/** Pieces of a list that one statement takes. */
export function chunks<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / atOnce) }, (_, index) =>
    items.slice(index * atOnce, (index + 1) * atOnce),
  )
}

/** Gives many files the same values, and each a version of its own. A thousand take a few statements. */
export async function changeFiles(
  trx: AccountTrx,
  files: readonly string[],
  values: Pick<Updateable<Database['files']>, 'project_id' | 'keeping_since' | 'labels_json'>,
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
      .set((eb) => ({ ...values, version: eb('changed.place', '+', before) }))
      .whereRef('changed.id', '=', 'files.id')
      .execute()
  }
}
