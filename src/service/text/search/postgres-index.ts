import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/open.ts'
import { openPostgres } from '../../platform/db/postgres/open-postgres.ts'
import type { PostgresConfig } from '../../platform/db/postgres/postgres-config.ts'
import { packBlock, unpackText } from './passages.ts'
import type { Query } from './query.ts'
import {
  blocksOfFile,
  type Entry,
  type FileRange,
  fileNumber,
  type IndexedFile,
  indexedTerms,
  lastBlockId,
  type SearchIndex,
  tokensAndPlaces,
} from './search-index.ts'

/** A `tsvector` holds a megabyte of tokens: about 90,000 different words of a file. */
const mostTokenBytes = 1_000_000
/** For how many files matching blocks are looked up until there are enough; all blocks of the others are candidates. */
const filesLookedUp = 128
const filesEnough = 48
const filesAtOnce = 24

type Token = { token: string; isPrefix: boolean }

function tokensOfQuery(accountId: string, query: Query): Token[] {
  return indexedTerms(accountId, query).flatMap(({ tokens, isPrefix }) =>
    tokens.map((token, at) => ({ token, isPrefix: isPrefix && at === tokens.length - 1 })),
  )
}

/** The blocks of a file that have all tokens, ascending. @param file as written by `put` */
function blocksWith(sought: readonly Token[], file: { tokens: string; places: string }): number[] {
  const [tokens, places] = [file.tokens.split(' '), file.places.split(';')]
  const [first, ...others] = sought.map(({ token, isPrefix }) => {
    const having = isPrefix ? places.filter((_, at) => tokens[at]?.startsWith(token)) : [places[tokens.indexOf(token)]]
    return new Set(having.flatMap((blocks) => blocks?.split(',').map(Number) ?? []))
  })
  return [...(first ?? [])].filter((block) => others.every((one) => one.has(block))).sort((one, other) => one - other)
}

const columns = sql`no, file_id as id, name, created_at as "createdAt", stamp, blocks`

/** The index in PostgreSQL tables, shared by all nodes. Deleted with the rows of files. */
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

  /** One node at a time indexes a file; the others skip it. */
  async put(entry: Entry) {
    // Nothing if the file has been deleted.
    const { tokens, places } = tokensAndPlaces(entry, mostTokenBytes)
    const row = sql`
      insert into search_files (file_id, account_id, name, created_at, stamp, blocks, tokens, places)
      select id, ${entry.accountId}, ${entry.name}, ${entry.createdAt}::bigint, ${entry.stamp},
        ${entry.blocks.length}::bigint, ${tokens}, ${zstdCompressSync(places.join(';'))}::bytea
      from files
      where id = ${entry.id} and pg_try_advisory_xact_lock(hashtextextended(${`search ${entry.id}`}, 0))`
    const blocks = entry.blocks.map((block, index) => ({ index, packed: packBlock(block) }))
    // Most are new: one statement, and one round trip to the database.
    const { numAffectedRows } = await sql`
      with made as (${row} on conflict (file_id) do nothing returning no)
      insert into search_blocks (id, file_no, packed) ${selectBlocks(sql`made`, blocks)}`.execute(this.#db)
    if (numAffectedRows === 0n) await this.#db.transaction().execute((trx) => replace(trx, row, blocks))
  }

  async remove(id: string) {
    await sql`delete from search_files where file_id = ${id}`.execute(this.#db)
  }

  async ids(after: string, limit: number) {
    const { rows } = await sql<{ id: string }>`
      select file_id as id from search_files where file_id > ${after} order by file_id limit ${limit}`.execute(this.#db)
    return rows.map(({ id }) => id)
  }

  async files(accountId: string, { below, from, before, only }: FileRange, limit: number) {
    const { rows } = await sql<IndexedFile>`
      select ${columns} from search_files
      where account_id = ${accountId} and no < ${below} and created_at >= ${from ?? 0}
        and created_at < ${before ?? Number.MAX_SAFE_INTEGER} and (${only}::text[] is null or file_id = any(${only}))
      order by no desc limit ${limit}`.execute(this.#db)
    return rows
  }

  async filesOf(nos: readonly number[]) {
    const { rows } = await sql<IndexedFile>`select ${columns} from search_files where no = any(${nos})`.execute(
      this.#db,
    )
    return new Map(rows.map((file) => [file.no, file]))
  }

  async candidates(accountId: string, query: Query, below: number, only: FileRange['only'], limit: number) {
    const tokens = tokensOfQuery(accountId, query)
    const wanted = tokens.map(({ token, isPrefix }) => `'${token}'${isPrefix ? ':*' : ''}`).join(' & ')
    const rows = await this.#db.transaction().execute(async (trx) => {
      // Forces the index: if most files have a token, PostgreSQL would read the tokens of all files, 0.5 ms each.
      await sql`set local enable_seqscan = off`.execute(trx)
      const found = await sql<{ no: number; blocks: number }>`
        with found as materialized (
          select no, blocks, account_id, file_id from search_files
          where array_to_tsvector(string_to_array(tokens, ' ')) @@ ${wanted}::tsquery)
        select no, blocks from found
        where account_id = ${accountId} and no <= ${fileNumber(below - 1)}
          and (${only}::text[] is null or file_id = any(${only}))
        order by no desc limit ${limit + filesLookedUp}`.execute(trx)
      return found.rows
    })
    const found: number[] = []
    const add = (id: number) => id < below && found.length < limit && found.push(id)
    let lookedUp = 0
    for (let having = 0; lookedUp < Math.min(rows.length, filesLookedUp) && having < filesEnough; ) {
      for (const { no, ...file } of await this.#places(rows.slice(lookedUp, lookedUp + filesAtOnce))) {
        const blocks = blocksWith(tokens, file)
        if (blocks.length > 0) having++
        for (const index of blocks) add(lastBlockId(no) - index)
      }
      lookedUp += filesAtOnce
    }
    for (const { no, blocks } of rows.slice(lookedUp)) {
      if (found.length === limit) break
      for (let index = 0; index < blocks; index++) add(lastBlockId(no) - index)
    }
    return found
  }

  async #places(files: readonly { no: number }[]) {
    const { rows } = await sql<{ no: number; tokens: string; places: Buffer }>`
      select no, tokens, places from search_files where no = any(${files.map(({ no }) => no)}) order by no desc`.execute(
      this.#db,
    )
    return rows.map(({ places, ...file }) => ({ ...file, places: zstdDecompressSync(places).toString() }))
  }

  async blocks(ids: readonly number[]) {
    const { rows } = await sql<{ id: number; packed: Uint8Array }>`
      select id, packed from search_blocks where id = any(${ids})`.execute(this.#db)
    return new Map(rows.map(({ id, packed }) => [id, unpackText(packed)]))
  }

  async close() {
    await this.#db.destroy()
  }
}

type Packed = { index: number; packed: Buffer }

/**
 * Rows of blocks. Their bytes are sent as one value, as an array of them would be sent as text. @param made a table of
 * one row: `no`
 */
function selectBlocks(made: RawBuilder<unknown>, blocks: readonly Packed[]): RawBuilder<unknown> {
  const begins: number[] = []
  let end = 1
  for (const { packed } of blocks) {
    begins.push(end)
    end += packed.byteLength
  }
  const lengths = blocks.map(({ packed }) => packed.byteLength)
  // As `lastBlockId` counts.
  return sql`
    select no * ${blocksOfFile}::bigint + ${blocksOfFile - 1}::bigint - index, no,
      substring(${Buffer.concat(blocks.map(({ packed }) => packed))}::bytea from begins for length)
    from ${made}, unnest(${blocks.map(({ index }) => index)}::bigint[], ${begins}::int[], ${lengths}::int[])
      as fresh (index, begins, length)`
}

/** Stores a file that may already exist, and the blocks that are missing. @param row inserts the file's own row */
async function replace(trx: Trx, row: RawBuilder<unknown>, blocks: readonly Packed[]): Promise<void> {
  const { rows } = await sql<{ no: number }>`${row}
    on conflict (file_id) do update set name = excluded.name, stamp = excluded.stamp, blocks = excluded.blocks,
      tokens = excluded.tokens, places = excluded.places
    returning no`.execute(trx)
  const no = rows[0]?.no
  if (no === undefined) return
  const there = await sql<{ id: number; packed: Buffer }>`
    select id, packed from search_blocks where file_no = ${no}`.execute(trx)
  const kept = new Map(there.rows.map(({ id, packed }) => [id, packed]))
  const fresh = blocks.filter(({ index, packed }) => kept.get(lastBlockId(no) - index)?.equals(packed) !== true)
  await sql`
    delete from search_blocks
    where file_no = ${no} and (id <= ${lastBlockId(no) - blocks.length} or id = any(${fresh.map(({ index }) => lastBlockId(no) - index)}))`.execute(
    trx,
  )
  await sql`
    insert into search_blocks (id, file_no, packed)
    ${selectBlocks(sql`(select ${no}::bigint as no) as known`, fresh)}`.execute(trx)
}
