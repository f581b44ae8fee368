import { sql } from 'kysely'
import type { Db, Trx } from '../db/open.ts'
import { openPostgres } from '../db/postgres/open-postgres.ts'
import type { PostgresConfig } from '../db/postgres/postgres-config.ts'
import { packBlock, unpackBlock } from './passages.ts'
import type { Query } from './query.ts'
import {
  type Entry,
  type FileRange,
  type IndexedFile,
  indexedTerms,
  indexedTokens,
  type SearchIndex,
  topOf,
} from './search-index.ts'

/** A `tsvector` has places up to here, and so many of a word. */
const lastPlace = 16_383
const placesOfToken = 255

/** Tokens as the text of a `tsvector`. They are letters, digits and emoji: nothing in them is to be escaped. */
function vectorOf(tokens: string): string {
  const places = new Map<string, number[]>()
  for (const [index, token] of tokens.trimEnd().split(' ').entries()) {
    const known = places.get(token) ?? []
    if (known.length < placesOfToken && index < lastPlace) known.push(index + 1)
    places.set(token, known)
  }
  return [...places].map(([token, at]) => `'${token}':${at.join()}`).join(' ')
}

const columns = sql`no, file_id as id, name, created_at as "createdAt", stamp, blocks`

/** The index in the tables of PostgreSQL, which every node shares. Deleted with the rows of files. */
export class PostgresIndex implements SearchIndex {
  readonly #db: Db

  private constructor(db: Db) {
    this.#db = db
  }

  static async open(config: PostgresConfig): Promise<PostgresIndex> {
    return new PostgresIndex(await openPostgres({ ...config, pool: 2 }))
  }

  async stampsOf(ids: readonly string[]) {
    const { rows } = await sql<{ id: string; stamp: string }>`
      select file_id as id, stamp from search_files where file_id = any(${ids})`.execute(this.#db)
    return new Map(rows.map(({ id, stamp }) => [id, stamp]))
  }

  /** One node at a time indexes a file; the other ones leave it to that. */
  async put(entry: Entry) {
    const { id, accountId, name, createdAt, stamp, blocks } = entry
    await this.#db.transaction().execute(async (trx) => {
      const lock = sql<{ ours: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended(${`search ${id}`}, 0)) as ours`
      if (!(await lock.execute(trx)).rows[0]?.ours) return
      const [before] = (await sql<IndexedFile>`select ${columns} from search_files where file_id = ${id}`.execute(trx))
        .rows
      // Nothing where the file was deleted meanwhile.
      const { rows } = await sql<{ no: number }>`
        insert into search_files (file_id, account_id, name, created_at, stamp, blocks)
        select id, ${accountId}, ${name}, ${createdAt}::bigint, ${stamp}, ${blocks.length}::bigint from files where id = ${id}
        on conflict (file_id) do update set name = excluded.name, stamp = excluded.stamp, blocks = excluded.blocks
        returning no`.execute(trx)
      if (rows[0] !== undefined) await putBlocks(trx, rows[0].no, entry, before)
    })
  }

  async remove(id: string) {
    await sql`delete from search_files where file_id = ${id}`.execute(this.#db)
  }

  async ids(after: string, limit: number) {
    const { rows } = await sql<{ id: string }>`
      select file_id as id from search_files where file_id > ${after} order by file_id limit ${limit}`.execute(this.#db)
    return rows.map(({ id }) => id)
  }

  async files(accountId: string, { below, from, before }: FileRange, limit: number) {
    const { rows } = await sql<IndexedFile>`
      select ${columns} from search_files
      where account_id = ${accountId} and no < ${below} and created_at >= ${from ?? 0}
        and created_at < ${before ?? Number.MAX_SAFE_INTEGER}
      order by no desc limit ${limit}`.execute(this.#db)
    return rows
  }

  async filesOf(nos: readonly number[]) {
    const { rows } = await sql<IndexedFile>`select ${columns} from search_files where no = any(${nos})`.execute(
      this.#db,
    )
    return new Map(rows.map((file) => [file.no, file]))
  }

  async candidates(accountId: string, query: Query, below: number, limit: number) {
    const wanted = indexedTerms(accountId, query)
      .map(({ tokens, isPrefix }) => `(${tokens.map((token) => `'${token}'`).join(' <-> ')}${isPrefix ? ':*' : ''})`)
      .join(' & ')
    // `+ 0`: by the index of tokens alone. What is common was found before it is asked (`skim`).
    const { rows } = await sql<{ id: number }>`
      select id from search_blocks where tokens @@ ${wanted}::tsquery and id < ${below}
      order by id + 0 desc limit ${limit}`.execute(this.#db)
    return rows.map(({ id }) => id)
  }

  async blocks(ids: readonly number[]) {
    const { rows } = await sql<{ id: number; packed: Uint8Array }>`
      select id, packed from search_blocks where id = any(${ids})`.execute(this.#db)
    return new Map(rows.map(({ id, packed }) => [id, unpackBlock(packed)]))
  }

  async close() {
    await this.#db.destroy()
  }
}

async function putBlocks(trx: Trx, no: number, entry: Entry, before: IndexedFile | undefined): Promise<void> {
  const { accountId, name, blocks } = entry
  const { rows } = await sql<{ id: number; packed: Buffer }>`
    select id, packed from search_blocks where file_no = ${no}`.execute(trx)
  const kept = new Map(rows.map(({ id, packed }) => [id, packed]))
  await sql`delete from search_blocks where file_no = ${no} and id <= ${topOf(no) - blocks.length}`.execute(trx)
  for (const [index, block] of blocks.entries()) {
    const id = topOf(no) - index
    const packed = packBlock(block)
    if (before?.name === name && kept.get(id)?.equals(packed)) continue
    const vector = vectorOf(indexedTokens(accountId, name, block))
    await sql`
      insert into search_blocks (id, file_no, packed, tokens) values (${id}, ${no}, ${packed}, ${vector}::tsvector)
      on conflict (id) do update set packed = excluded.packed, tokens = excluded.tokens`.execute(trx)
  }
}
