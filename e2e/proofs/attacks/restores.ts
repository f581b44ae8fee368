import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backup } from '../../../src/service/operations/backup.ts'
import { restore } from '../../../src/service/operations/restore.ts'
import { restoreInto } from '../../../src/service/operations/restore-into.ts'
import { defaultConfig } from '../../../src/service/platform/config.ts'
import type { PostgresConfig } from '../../../src/service/platform/db/postgres/postgres-config.ts'
import { openSchema } from '../../../src/service/testing/postgres-schemas.ts'
import { makeTone, startTestService } from '../../../src/service/testing/test-service.ts'
import { Tally } from '../torture/rounds.ts'
import { askWork, History, repeat } from './history.ts'

const histories = 50
/** Acts before a backup, and after it. */
const actsBetween = 12

/** A backup, and the files of each account in it. */
type Kept = { file: string; files: string[]; wishes: string[]; keys: string[] }

const open = (dataDir: string, postgres: PostgresConfig | null) => startTestService({ dataDir, postgres, role: 'api' })

class Tallies {
  readonly keys = new Tally('keys of customers and staff')
  readonly files = new Tally('files')
  readonly cards = new Tally('cards')
  readonly books = new Tally('entries of the books')
  readonly orders = new Tally('orders repeated')
  readonly histories = new Tally('histories')

  get all(): Tally[] {
    return [this.histories, this.keys, this.files, this.cards, this.books, this.orders]
  }
}

async function keep(history: History, dataDir: string, file: string): Promise<Kept> {
  await backup(dataDir, file)
  history.diary.push(`backup ${file.split('/').at(-1)}`)
  const files = await Promise.all(history.accounts.map((account) => history.files(account)))
  const keys = [...history.accounts.flatMap((each) => each.keys), ...history.staff]
  return {
    file,
    files: files.flat(),
    wishes: history.accounts.flatMap(({ wishes }) => wishes.map(({ key }) => key)),
    keys: keys.filter(({ isRevoked }) => !isRevoked).map(({ key }) => key),
  }
}

/** Restores with consent to the loss that the refusal names. */
async function restoreAgreed(dataDir: string, file: string): Promise<string[]> {
  const consent = { lose: 0, revokeAllKeys: false }
  try {
    await restore(dataDir, file, consent)
    return []
  } catch (error) {
    const words = error instanceof Error ? error.message : ''
    const lose = /--lose (\d+)\.$/.exec(words)?.[1]
    if (lose === undefined) throw error
    await restore(dataDir, file, { ...consent, lose: Number(lose) })
    return [...words.matchAll(/[A-Za-z0-9_-]{12,}/g)].map(String)
  }
}

/** Everything that may only grow is as it was before the restore; of files there are those of the backup, without deleted ones. */
async function compare(history: History, kept: Kept, tallies: Tallies): Promise<void> {
  const where = () => `after ${history.diary.join(', ')}`
  for (const account of history.accounts) {
    const files = await history.files(account)
    for (const id of files) {
      tallies.files.count(!history.deleted.has(id), `${id} was deleted and is back ${where()}`)
      tallies.files.count(kept.files.includes(id), `${id} is not of the backup ${where()}`)
    }
    for (const { key, isRevoked } of account.keys) {
      const { status } = await history.service.fetch(key, 'files')
      tallies.keys.count(status === (isRevoked ? 401 : 200), `a key is ${status}, revoked: ${isRevoked} ${where()}`)
    }
    const { payment_method } = await history.client(account).read<{ payment_method: object | null }>('GET', 'payment')
    tallies.cards.count((payment_method !== null) === account.hasCard, `a card is ${payment_method} ${where()}`)
    await compareBooks(history, account, tallies)
    for (const wish of account.wishes.slice(-3)) {
      if (!account.hasCard) continue
      const fault = await repeat(history, account, wish).then(() => null, String)
      tallies.orders.count(fault === null, `${fault} ${where()}`)
    }
  }
  const all = (await Promise.all(history.accounts.map((account) => history.files(account)))).flat()
  for (const id of kept.files) {
    tallies.files.count(history.deleted.has(id) || all.includes(id), `${id} of the backup is missing ${where()}`)
  }
  for (const { key, isRevoked } of history.staff) {
    const status = await askWork(history, key)
    tallies.keys.count(status === (isRevoked ? 401 : 200), `a staff key is ${status}, revoked: ${isRevoked} ${where()}`)
  }
}

type Account = History['accounts'][number]

/** To the cent: the same entries, and the usage that they come to. */
async function compareBooks(history: History, account: Account, { books }: Tallies): Promise<void> {
  const now = await history.readLedger(account)
  const inWords = ({ transaction_id, kind, file_id, amount_cents }: (typeof now)[number]) =>
    `${kind} ${amount_cents} ${transaction_id} ${file_id}`
  const [before, after] = [account.entries, now].map((entries) => entries.map(inWords).toSorted())
  books.count(before?.join() === after?.join(), `${before?.join('; ')} became ${after?.join('; ')}`)
  type Used = { charged_cents: number; refunded_cents: number }
  const { charged_cents, refunded_cents } = await history.client(account).read<Used>('GET', 'usage')
  const sum = now.reduce((cents, { amount_cents }) => cents + amount_cents, 0)
  books.count(charged_cents - refunded_cents === sum, `usage is ${charged_cents} - ${refunded_cents}, the books ${sum}`)
}

/** Random acts, backups between them, and restores of any of the backups, the service going on after each. */
async function liveThrough(seed: number, directory: string, tone: Uint8Array, tallies: Tallies): Promise<void> {
  const dataDir = join(directory, 'data')
  const history = new History(await open(dataDir, null), seed, tone)
  try {
    const kept: Kept[] = []
    for (let round = 0; round < 3; round += 1) {
      for (let count = history.random.between(2, actsBetween); count > 0; count -= 1) await history.act()
      kept.push(await keep(history, dataDir, join(directory, `${round}.tar`)))
      for (let count = history.random.between(2, actsBetween); count > 0; count -= 1) await history.act()
      if (round === 0) continue
      await history.remember()
      await history.service.close()
      const chosen = history.random.any(kept)
      history.diary.push(`restore ${chosen.file.split('/').at(-1)}`)
      await restoreAgreed(dataDir, chosen.file)
      history.service = await open(dataDir, null)
      await compare(history, chosen, tallies)
    }
  } finally {
    await history.service.close()
  }
}

/** The same into an empty PostgreSQL, which has nothing to carry over: no key of the backup works afterwards. */
async function moveOver(
  seed: number,
  directory: string,
  into: PostgresConfig,
  given: { tone: Uint8Array; tallies: Tallies },
) {
  const dataDir = join(directory, 'data')
  const { tallies, tone } = given
  const history = new History(await open(dataDir, null), seed, tone)
  for (let count = 2 * actsBetween; count > 0; count -= 1) await history.act()
  const kept = await keep(history, dataDir, join(directory, 'backup.tar'))
  await history.remember()
  for (let count = actsBetween; count > 0; count -= 1) await history.act()
  await history.service.close()
  const target = join(directory, 'target')
  await restoreInto({ ...defaultConfig, dataDir: target, postgres: into }, into, kept.file, true)
  history.service = await open(target, into)
  try {
    for (const { key } of [...history.accounts.flatMap(({ keys }) => keys)]) {
      tallies.keys.count((await history.service.fetch(key, 'files')).status === 401, 'a key works')
    }
    for (const { key } of history.staff) tallies.keys.count((await askWork(history, key)) === 401, 'a staff key works')
    await compareRows(history, kept, tallies)
  } finally {
    await history.service.close()
  }
}

/** The target's rows, as nobody has a key. */
async function compareRows({ service: { platform }, accounts }: History, kept: Kept, tallies: Tallies): Promise<void> {
  const files = await platform.db.selectFrom('files').select('id').orderBy('id').execute()
  tallies.files.count(
    files
      .map(({ id }) => id)
      .toSorted()
      .join() === kept.files.toSorted().join(),
    'other files are there',
  )
  const rows = await platform.db.selectFrom('ledger').select(['transaction_id', 'amount_cents']).execute()
  const expected = accounts.flatMap(({ entries }) => entries)
  const inWords = (all: readonly { transaction_id: string; amount_cents: number }[]) =>
    all
      .map((row) => `${row.transaction_id} ${Number(row.amount_cents)}`)
      .toSorted()
      .join()
  tallies.books.count(inWords(rows) === inWords(expected), `${rows.length} entries became of ${expected.length}`)
  const wishes = await platform.db.selectFrom('idempotency').select('key').execute()
  for (const wish of kept.wishes)
    tallies.orders.count(
      wishes.some(({ key }) => key === wish),
      `${wish} is forgotten`,
    )
}

/**
 * Random histories between backup and restore: nothing that was revoked, deleted or removed comes back, and nothing is
 * charged twice.
 * @param postgres null: restores that carry over; else into an empty schema of that server
 */
export async function attackWithRestores(postgres: PostgresConfig | null, seed: number): Promise<Tally[]> {
  const tallies = new Tallies()
  const tone = await makeTone(1)
  for (let each = seed; each < seed + histories; each += 1) {
    const directory = await mkdtemp(join(tmpdir(), 'parley-history-'))
    const lived =
      postgres === null
        ? liveThrough(each, directory, tone, tallies)
        : moveOver(each, directory, await openSchema(postgres.url.replace(/&options=.*/, ''), false), { tone, tallies })
    const fault = await lived.then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.stack : String(error)),
    )
    tallies.histories.count(fault === null, `seed ${each}: ${fault}`)
    await rm(directory, { recursive: true })
  }
  // Nobody has a key to an emptied target, and so to a card.
  return postgres === null ? tallies.all : tallies.all.filter((tally) => tally !== tallies.cards)
}
