import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { baseline } from './baseline.ts'
import { migrations, migrationsTable } from './migrations.ts'
import { openDb } from './open.ts'

/** SHA-256 of each migration's statements, as deployed databases have run them. A new migration adds its line here. */
const shipped: Readonly<Record<string, string>> = {
  '024-recognition-of-nodes': 'f86653883410920d8f4ad4f8161909ac3462cb396e0ab7cb1540c207095b9ca6',
  '025-clean-texts': '8ea0089ba53a46b3ffd35f1f67ee9f45eb004c72f7e41ecf452ef2fd4dcf934a',
  '026-deleted-projects': '5b7ff4f07c5f1e82b4df59ae6cf8f0cddce9ebd7d4a43f5d185df26ac60e98fb',
  '027-caption-rules': '60a70f4253c82fc37939c90eec5092ec646ff5f1619ac4a8a16e4c54d8812ae1',
  '028-byte-limits': '881a14e16eba04cb89cfcb0cc4cc3be9f1e23fe20c8140633e42f060f0f5b430',
  '029-retention-in-log': '6147efb4a291a1d4f597d717e313ad95700451483eb9a5777b1d52b520bfa0ae',
  '030-work-done': 'd4863c62f16618b2f05b08777322f2349bc622f4c8635a580a219189923a2bc6',
  '031-listening-copies': '719f908430c1037e9a4a22bb8b97ddc82a384a4e40c5e60162b54cdfbf71a4b7',
  '032-captioned-videos': '093dbfb59ab2683f0ac7ec08efc04d6fa142ccee7184a6782225823bbd4404d6',
  '033-reviewed-places': 'eaeaace5b5446d1bed89e436c4eb3ce60b42e8a49462380d05cfa124ddcca4ca',
  '034-heard-sound': '6cd36a1d810ae75dcc0603686f86c5db68476ba9f35478677888b0d420d8f892',
  '035-order-sound': 'e8188f065c93fa323789a0008895fefd3521ab8f854a18a41f6ff87f884cf73a',
  '036-order-batch': '167f0814bdb5ade4ac0a829f094b738610de0a8c2b112dc380c3fedf7e96b13b',
  '037-key-limits': 'a5fcd35d5dd0c0288cf8f5c3e8c6991cafb53ebed13196538349ba720add2b11',
  '038-balances': '4fd43dd84ea8a8e3dcd66b3583a29f5455eac02f85d3c17cd22162fdadf393a9',
  '039-budgets': '56016e80c34d4c9c480486ffdf4de5c91bd7ebef0bd83b72938d79a0bba626fd',
  '045-payment-customers': '71c154b03386063d9577ae569873095afcfc744a773cd6378365753a6e0ed22f',
  '046-expiring-cards': 'b45eeb86b3ee347afe70e6b43e4fbb990108599d2d8eb0b05b05a4abb9de7d47',
  '047-waiting-top-ups': '14b7358a2a0f941ffe3abad129be10081f1b63cb34006244485c2d4aaf1b30f1',
  '049-closings': '43f7f178751d412e781f8eef22450f6161535209ba0c2f043f23363d2999a72d',
  '050-quotes': '56d7808f3ec60cc5c6156e7f77943f6babe5d187f5f24dcf02595b507fdf5e61',
  '051-refund-reasons': '79facdf96e2dfd954ed9f31b5f8d9a30c6e89cf4531a547ab104dda4308b5072',
  '052-free-minutes': '69107a894fd98a574b163b0dab5c8115e879f88f14302be7353bd4a5d6617c6d',
  '054-invoices': '49721c304042a639d9e861522128fc198bd6236e74c5f3b2e80a7ab88e63bf08',
  '055-vat-of-charges': '84c034072b0c733420e023bfa035554ee949dbe336442362eff83604f79c9dc1',
  '058-unfinished-files': '79c3dd94265134ed9d781eb795cbb1765bc8bf18526dd566d1d3b836aaf1e4eb',
  '059-customers-of-charges': 'b1859ada73824dd58ff67b23ec470cabca39e61af6cd417ab71dc7884bbc2d4b',
  '060-lines-of-invoices': 'c4ea37d55e6aee6b64f4ea77cf9c917ad6cd008de2524c287c02a65adee87412',
  '061-rules-of-new-captions': 'ccbca8d08b7ac3fdec09b7ba43e9bc1c22a97180d77a91de0e939b6a4f405d33',
}
/** SHA-256 of the objects created by the 24 migrations before the baseline: `sqlite_master`, lines joined. */
const schemaOf24 = 'd35a507a5a3dacbe429a36c16c95df1616f31e424c66acdb664e28ccd28869b0'

const sha256 = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')

it('a migration that has shipped is never changed: another one follows it', () => {
  const digests = migrations.map(({ name, sqlite, postgres }) => [name, sha256([sqlite, postgres])])
  expect(digests).toEqual(Object.entries(shipped))
})

it('the name of a migration that follows the baseline sorts after it', () => {
  const names = migrations.map(({ name }) => name)
  expect(names[0]).toBe(baseline.name)
  expect(names.toSorted()).toEqual(names)
})

let directory: string
let path: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-migrations-'))
  path = join(directory, 'parley.db')
})
afterEach(() => rm(directory, { recursive: true }))

/** A database with the baseline's schema, which says that it has applied these migrations. */
function makeDatabase(applied: readonly string[]): void {
  change((db) => {
    db.exec('pragma journal_mode = wal')
    for (const statement of [migrationsTable, ...baseline.sqlite]) db.exec(statement)
    for (const name of applied) db.prepare('insert into migrations values (?, 0)').run(name)
  })
}

function change<Result>(work: (db: DatabaseSync) => Result): Result {
  const db = new DatabaseSync(path)
  try {
    return work(db)
  } finally {
    db.close()
  }
}

it('the baseline makes the schema of the 24 migrations before it', () => {
  const db = new DatabaseSync(':memory:')
  for (const statement of [migrationsTable, ...baseline.sqlite]) db.exec(statement)
  const objects = db.prepare('select type, name, tbl_name, sql from sqlite_master order by 1, 2').all()
  const joined = objects.map(({ type, name, tbl_name, sql }) => [
    type,
    name,
    tbl_name,
    typeof sql === 'string' ? sql.replaceAll(/\s+/g, ' ') : null,
  ])
  expect(sha256(joined)).toBe(schemaOf24)
})

it('a database with all 24 applied keeps them, and gets those that follow', async () => {
  const all = ['001-first', '023-pay', baseline.name]
  makeDatabase(all)
  await (await openDb(path)).destroy()
  const applied = change((db) => db.prepare('select name, applied_at from migrations order by name').all())
  expect(applied).toEqual([
    ...all.map((name) => ({ name, applied_at: 0 })),
    ...migrations.slice(1).map(({ name }) => ({ name, applied_at: expect.any(Number) })),
  ])
})

it('U+0000 is removed from texts and from JSON, and nothing else', async () => {
  makeDatabase([baseline.name])
  const settings = { 'k\0': 'q\0 \\u0000 \\\0 "' }
  change((db) => {
    const account = "insert into accounts values ('a', 'live', ?, 'USD', 0, 0, '{}', ?, 1, 'original')"
    db.prepare(account).run('x\0"\\y\u0001é', JSON.stringify(settings))
    const project = db.prepare("insert into projects values (?, 'a', ?, null, null, null, 1)")
    for (const [id, name] of Object.entries({ p: 'same', q: 'sa\0me', r: 'other\0' })) project.run(id, name)
  })
  await (await openDb(path)).destroy()
  const [account] = change((db) => db.prepare('select name, settings_json from accounts').all())
  expect(account?.name).toBe('x"\\y\u0001é')
  expect(JSON.parse(String(account?.settings_json))).toEqual({ k: 'q \\u0000 \\ "' })
  const projects = change((db) => db.prepare('select name from projects order by id').all())
  expect(projects.map(({ name }) => name)).toEqual(['same', 'sa\0me', 'other'])
})

it.each([
  ['older than the baseline', ['001-first', '023-pay'], /of a version of Parley from before its first release/],
  ['newer', [baseline.name, '998-next'], /newer than this version of Parley\. Update Parley, or restore the backup/],
])('one %s is refused, and not changed', async (_name, applied, words) => {
  makeDatabase(applied)
  const before = await readFile(path)
  await expect(openDb(path)).rejects.toThrow(words)
  expect((await readFile(path)).equals(before)).toBe(true)
})

/** Entries of a database from before there was a balance. */
const oldEntries = (charge: string) => `insert into ledger (account_id, kind, transaction_id, file_id, file_name,
    transcript_type, duration_ms, amount_cents, currency, created_at, due_at, status) values
  ('a', 'charge', '${charge}-1', '${charge}-kept', 'F', 'manual', 1, 125, 'USD', 1, 1, 'settled'),
  ('a', 'charge', '${charge}-2', '${charge}-deleted', 'F', 'manual', 1, 250, 'USD', 2, 2, 'settled'),
  ('a', 'refund', '${charge}-3', '${charge}-deleted', 'F', 'manual', 1, -200, 'USD', 3, 9, 'pending'),
  ('a', 'charge', '${charge}-4', '${charge}-failed', 'F', 'manual', 1, 500, 'USD', 4, 4, 'failed'),
  ('a', 'charge', '${charge}-5', '${charge}-free', 'F', 'manual', 1, 0, 'USD', 4, 4, 'settled')`

it('what cards have paid before there was a balance is in the books, also what an older node enters later', async () => {
  makeDatabase([baseline.name])
  change((db) => {
    db.exec("insert into accounts values ('a', 'live', 'A', 'USD', 0, 0, '{}', '{}', 1, 'original')")
    db.exec(oldEntries('tx'))
  })
  const books = () =>
    change((db) => Object.fromEntries(db.prepare('select book, amount_cents from books').all().map(Object.values)))
  const days = () => change((db) => db.prepare('select sum(amount_cents) as cents from ledger_days').get())
  await (await openDb(path)).destroy()
  expect(await books()).toEqual({ card: -375, balance: 0, orders: 175, refunds: 200 })
  expect(await days()).toEqual({ cents: 175 })
  change((db) => db.exec(oldEntries('later')))
  expect(await books()).toEqual({ card: -750, balance: 0, orders: 350, refunds: 400 })
  expect(await days()).toEqual({ cents: 350 })
  const parts = change((db) => db.prepare('select idempotency_key, top_up, amount_cents from card_refunds').all())
  expect(parts).toEqual([
    { idempotency_key: 'tx-3', top_up: 'tx-2', amount_cents: 200 },
    { idempotency_key: 'later-3', top_up: 'later-2', amount_cents: 200 },
  ])
})
