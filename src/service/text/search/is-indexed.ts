import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { dataPaths } from '../../platform/data-directory.ts'
import type { Platform } from '../../platform/platform.ts'

/** Whether the index of the search has files of an account, read beside the thread that writes it. */
export async function isIndexed({ db, config }: Platform, accountId: string): Promise<boolean> {
  if (config.postgres !== null) {
    const { rows } = await sql`select 1 from search_files where account_id = ${accountId} limit 1`.execute(db)
    return rows.length > 0
  }
  const path = dataPaths(config.dataDir).searchIndex
  if (!existsSync(path)) return false
  using index = new DatabaseSync(path, { readOnly: true })
  return index.prepare('select 1 from files where account_id = ? limit 1').get(accountId) !== undefined
}
