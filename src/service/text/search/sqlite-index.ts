import { rmSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setImmediate as untilIdle } from 'node:timers/promises'
import { type Block, packBlock, unpackBlock, unpackText } from './passages.ts'
import type { Query } from './query.ts'
import {
  blocksOfFile,
  type Entry,
  type FileRange,
  type IndexedFile,
  indexedTerms,
  indexedTokens,
  lastBlockId,
  type SearchIndex,
} from './search-index.ts'

/** Increment when the stored data changes: an index of another format is rebuilt. */
const format = 2

// The tokens are ours: `ascii` only splits them at spaces. The words are not stored a second time (`content=''`), and
// deleted data is overwritten immediately.
const schema = `
  create table files (
    no integer primary key autoincrement, id text not null unique, account_id text not null, name text not null,
    created_at integer not null, stamp text not null, blocks integer not null) strict;
  create index files_account on files (account_id, no);
  create table blocks (id integer primary key, packed blob not null) strict;
  create virtual table words using fts5 (tokens, content='', tokenize='ascii');
  insert into words (words, rank) values ('secure-delete', 1);
  insert into words (words, rank) values ('automerge', 8);
  insert into words (words, rank) values ('hashsize', 8000000);
  pragma user_version = ${format}`

const columns = 'no, id, name, created_at as createdAt, stamp, blocks'

function connect(path: string): DatabaseSync {
  const db = new DatabaseSync(path)
  // Large pages hold several blocks each. A crash loses at most the newest files, which are then read again.
  // Checkpoints are rare, as most pages of the log change again soon (32 MB).
  db.exec(`pragma page_size = 16384; pragma journal_mode = wal; pragma synchronous = normal;
    pragma secure_delete = on; pragma cache_size = -32000; pragma wal_autocheckpoint = 2000`)
  return db
}

function open(path: string): DatabaseSync {
  const db = connect(path)
  const { user_version: found } = db.prepare('pragma user_version').get() as { user_version: number }
  if (found === format) return db
  db.close()
  removeIndex(path)
  const fresh = connect(path)
  fresh.exec(`begin; ${schema}; commit`)
  return fresh
}

/**
 * Batch size of a commit of new files, or fewer if no more arrive for this long: each commit makes FTS5 begin another
 * list of all its tokens, which it merges later.
 */
const filesOfCommit = 16
const committedAfterMs = 100

/** Deletes the files of an index. */
export function removeIndex(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
}

/**
 * True for SQLite's errors about a file that is damaged or not a database (SQLITE_CORRUPT, _NOTADB, with any extended
 * code).
 */
export function isDamaged(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
  return code === 11 || code === 26
}

/** The index in its own SQLite file, by FTS5. Blocks the thread, which is dedicated to it. */
export class SqliteIndex implements SearchIndex {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  /** new files not yet committed; searches find them already */
  #waiting = 0
  #timer: NodeJS.Timeout | undefined

  /** @throws if the file is damaged */
  constructor(path: string) {
    this.#db = open(path)
  }

  #statement(text: string): StatementSync {
    const statement = this.#statements.get(text) ?? this.#db.prepare(text)
    this.#statements.set(text, statement)
    return statement
  }

  #all<Row>(text: string, ...values: SQLInputValue[]): Row[] {
    return this.#statement(text).all(...values) as Row[]
  }

  #run(text: string, ...values: SQLInputValue[]): void {
    this.#statement(text).run(...values)
  }

  /** Works in the open transaction, or in a new one, which stays open. A failure rolls back its other files, too. */
  #write(work: () => void): void {
    if (!this.#db.isTransaction) this.#db.exec('begin immediate')
    try {
      work()
    } catch (error) {
      this.#waiting = 0
      if (this.#db.isTransaction) this.#db.exec('rollback')
      throw error
    }
  }

  #commit(): void {
    clearTimeout(this.#timer)
    this.#waiting = 0
    if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec('commit')
  }

  #commitSoon(): void {
    this.#waiting += 1
    if (this.#waiting === filesOfCommit) this.#commit()
    else if (this.#waiting === 1) this.#timer = setTimeout(() => this.#commit(), committedAfterMs)
    else this.#timer?.refresh()
  }

  async stampsOf(ids: readonly string[]) {
    const found = this.#all<{ id: string; stamp: string }>(
      'select id, stamp from files where id in (select value from json_each(?))',
      JSON.stringify(ids),
    )
    return new Map(found.map(({ id, stamp }) => [id, stamp]))
  }

  async put(entry: Entry) {
    const { id, accountId, name, createdAt, stamp, blocks } = entry
    const [before] = this.#all<IndexedFile>(`select ${columns} from files where id = ?`, id)
    this.#write(() => {
      // No "on conflict" and no "returning": SQLite makes FTS5 flush its buffer before each such statement.
      if (before === undefined) {
        const row = [id, accountId, name, createdAt, stamp, blocks.length]
        this.#run(
          'insert into files (id, account_id, name, created_at, stamp, blocks) values (?, ?, ?, ?, ?, ?)',
          ...row,
        )
      } else {
        this.#run('update files set name = ?, stamp = ?, blocks = ? where id = ?', name, stamp, blocks.length, id)
      }
      const [file] = this.#all<{ no: number }>('select no from files where id = ?', id)
      const top = lastBlockId(file?.no ?? 0)
      // Last one first: FTS5 buffers ascending ids.
      for (let index = Math.max(before?.blocks ?? 0, blocks.length) - 1; index >= 0; index--) {
        this.#putBlock(top - index, accountId, before?.name ?? null, name, blocks[index])
      }
    })
    if (before === undefined) this.#commitSoon()
    else this.#forget()
  }

  /**
   * Writes a block if it has changed. Its old tokens are removed by naming them all.
   * @param nameBefore null: the file is new, without any blocks
   */
  #putBlock(
    blockId: number,
    accountId: string,
    nameBefore: string | null,
    name: string,
    block: Block | undefined,
  ): void {
    const [kept] =
      nameBefore === null ? [] : this.#all<{ packed: Uint8Array }>('select packed from blocks where id = ?', blockId)
    const packed = block === undefined ? undefined : packBlock(block)
    if (kept !== undefined && packed !== undefined && nameBefore === name && packed.equals(kept.packed)) return
    if (kept !== undefined && nameBefore !== null) {
      const tokens = indexedTokens(accountId, nameBefore, unpackBlock(unpackText(kept.packed)))
      this.#run("insert into words (words, rowid, tokens) values ('delete', ?, ?)", blockId, tokens)
      this.#run('delete from blocks where id = ?', blockId)
    }
    if (block === undefined || packed === undefined) return
    this.#run('insert into blocks (id, packed) values (?, ?)', blockId, packed)
    this.#run('insert into words (rowid, tokens) values (?, ?)', blockId, indexedTokens(accountId, name, block))
  }

  async remove(id: string) {
    const [file] = this.#all<IndexedFile & { account: string }>(
      `select ${columns}, account_id as account from files where id = ?`,
      id,
    )
    if (file === undefined) return
    // Block by block, last one first: searches run in between, and remains after a crash are found and removed later.
    for (let left = file.blocks - 1; left >= 0; left--) {
      this.#write(() => {
        this.#putBlock(lastBlockId(file.no) - left, file.account, file.name, file.name, undefined)
        this.#run('update files set blocks = ? where no = ?', left, file.no)
      })
      this.#commit()
      await untilIdle()
    }
    this.#run('delete from files where no = ?', file.no)
    this.#forget()
  }

  /** Erases deleted data from older pages of the log, too. */
  #forget(): void {
    this.#commit()
    this.#db.exec('pragma wal_checkpoint(truncate)')
  }

  async ids(after: string, limit: number) {
    return this.#all<{ id: string }>('select id from files where id > ? order by id limit ?', after, limit).map(
      ({ id }) => id,
    )
  }

  async files(accountId: string, { below, from, before, only }: FileRange, limit: number) {
    const named = only === null ? '' : 'and id in (select value from json_each(?))'
    return this.#all<IndexedFile>(
      `select ${columns} from files where account_id = ? and no < ? and created_at >= ? and created_at < ? ${named}
        order by no desc limit ?`,
      accountId,
      below,
      from ?? 0,
      before ?? Number.MAX_SAFE_INTEGER,
      ...(only === null ? [] : [JSON.stringify(only)]),
      limit,
    )
  }

  async filesOf(nos: readonly number[]) {
    const list = 'select value from json_each(?)'
    const found = this.#all<IndexedFile>(`select ${columns} from files where no in (${list})`, JSON.stringify(nos))
    return new Map(found.map((file) => [file.no, file]))
  }

  async candidates(accountId: string, query: Query, below: number, only: FileRange['only'], limit: number) {
    const match = indexedTerms(accountId, query)
      .map(({ tokens, isPrefix }) => `"${tokens.join(' ')}"${isPrefix ? ' *' : ''}`)
      .join(' AND ')
    // Scanned files are mostly of one period: older ones are not read.
    const nos =
      only === null
        ? null
        : this.#all<{ no: number }>(
            'select no from files where id in (select value from json_each(?)) order by no',
            JSON.stringify(only),
          ).map(({ no }) => no)
    const named = nos === null ? '' : `and rowid / ${blocksOfFile} in (select value from json_each(?))`
    return this.#all<{ rowid: number }>(
      `select rowid from words where words match ? and rowid < ? and rowid >= ? ${named} order by rowid desc limit ?`,
      match,
      below,
      nos === null ? 0 : lastBlockId((nos[0] ?? 0) - 1),
      ...(nos === null ? [] : [JSON.stringify(nos)]),
      limit,
    ).map(({ rowid }) => rowid)
  }

  async blocks(ids: readonly number[]) {
    const found = this.#all<{ id: number; packed: Uint8Array }>(
      'select id, packed from blocks where id in (select value from json_each(?))',
      JSON.stringify(ids),
    )
    return new Map(found.map(({ id, packed }) => [id, unpackText(packed)]))
  }

  async close() {
    this.#commit()
    this.#db.close()
  }
}
