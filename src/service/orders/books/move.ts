import { type Kysely, sql } from 'kysely'
import type { MoneyBook, MoneyCause } from '../../../contract/account/balance.ts'
import type { Db, Trx } from '../../platform/db/open.ts'
import type { Account, Database } from '../../platform/db/schema.ts'
import type { AccountTrx } from '../../platform/db/write-account.ts'

/** A movement to enter. `reference` and `cause` name it: the same one is entered once. */
type Move = {
  cause: MoneyCause
  reference: string
  from: MoneyBook
  to: MoneyBook
  amountCents: number
  currency: string
}

/**
 * Takes money out of one book of the account and puts it into another. The database keeps the books, and refuses what
 * would overdraw one (decision 130).
 */
export async function move(trx: AccountTrx, move: Move, now: number): Promise<void> {
  const { cause, reference, from: source, to: target, amountCents: amount_cents, currency } = move
  const of = { account_id: trx.accountId, currency, created_at: now }
  await trx
    .insertInto('movements')
    .values({ ...of, cause, reference, source, target, amount_cents })
    .execute()
}

/** The sum of a book, in cents. */
export async function readBook(
  db: Db | Trx,
  { id, currency }: Pick<Account, 'id' | 'currency'>,
  book: MoneyBook,
): Promise<number> {
  const row = await db
    .selectFrom('books')
    .select('amount_cents')
    .where('account_id', '=', id)
    .where('currency', '=', currency)
    .where('book', '=', book)
    .executeTakeFirst()
  return row?.amount_cents ?? 0
}

/** What is left of the balance for another order: orders that are being placed have their share reserved. */
export async function readAvailable(db: Db | Trx, account: Pick<Account, 'id' | 'currency'>): Promise<number> {
  const { reserved } = await (db as Kysely<Database>)
    .selectFrom('charge_intents')
    .select(
      sql<number>`coalesce(sum(case when top_up_cents < amount_cents then amount_cents - top_up_cents else 0 end), 0)`.as(
        'reserved',
      ),
    )
    .where('account_id', '=', account.id)
    .where('currency', '=', account.currency)
    .where('is_void', '=', 0)
    .executeTakeFirstOrThrow()
  return (await readBook(db, account, 'balance')) - reserved
}
