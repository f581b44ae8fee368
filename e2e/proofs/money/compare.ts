import type { Selectable } from 'kysely'
import { vatCents } from '../../../src/contract/account/invoices.ts'
import type { Database } from '../../../src/service/platform/db/schema.ts'
import type { Tally } from '../torture/rounds.ts'
import type { Seen } from './history.ts'
import { freeMinutes } from './prices.ts'
import type { World } from './world.ts'

const sum = <Row>(rows: readonly Row[], cents: (row: Row) => number) => rows.reduce((all, row) => all + cents(row), 0)

type Table =
  | 'ledger'
  | 'movements'
  | 'books'
  | 'top_ups'
  | 'card_refunds'
  | 'invoices'
  | 'files'
  | 'charge_intents'
  | 'free_minutes'

async function read<Name extends Table | 'waiting_top_ups'>({ db }: World, table: Name, id: string) {
  const rows = await db
    .selectFrom(table as 'ledger')
    .selectAll()
    .where('account_id', '=', id)
    .execute()
  return rows as unknown as Selectable<Database[Name]>[]
}

/** Compares all that is known of an account's money, in the books, on its pages and at the provider. */
export async function compareAccount(world: World, seen: Seen, tally: Tally, name: string): Promise<void> {
  const { id } = seen
  const { shown, made: madeOf, claims } = seen.wishes
  const is = (one: unknown, other: unknown, what: string) =>
    tally.count(one === other, `${name} (${id}): ${what}: ${String(one)} is not ${String(other)}`)
  for (const { isRight, about } of claims) tally.count(isRight, `${name} (${id}): ${about}`)
  const books = await read(world, 'books', id)
  const book = (which: string) => books.find((each) => each.book === which)?.amount_cents ?? 0
  is(
    sum(books, ({ amount_cents }) => amount_cents),
    0,
    'the books add up',
  )
  is(book('refunds'), 0, 'no refund is on its way after its day')
  // A key under which Stripe stores an error of its own is given up after five minutes of a clock that cannot be set.
  const made = new Set(world.provider.state.intents.map(({ metadata }) => metadata.parley_key))
  const left = (await read(world, 'charge_intents', id)).filter(({ idempotency_key: key }) => made.has(key))
  is(left.length, 0, 'payments decided')
  is((await read(world, 'waiting_top_ups', id)).length, 0, 'payments that wait for the bank')
  const ledger = await read(world, 'ledger', id)
  const counted = ledger.filter(({ status }) => status !== 'failed')
  const net = sum(counted, ({ amount_cents }) => amount_cents)
  is(net, book('orders'), 'the ledger is the book of orders')
  for (const [file, { ms, prices, limit, mostFreeMs }] of shown) {
    const charges = ledger.filter(({ kind, file_id }) => kind === 'charge' && file_id === file)
    const [{ amount_cents: charged = 0, duration_ms = 0, free_ms = 0 } = {}] = charges
    const isAsShown = charges.length === 1 && prices(duration_ms, free_ms).includes(charged)
    const isWithin = charged <= (limit ?? charged) && free_ms <= mostFreeMs + 100 && Math.abs(duration_ms - ms) < 100
    const of = `${duration_ms} of ${ms} ms, ${free_ms} of ${mostFreeMs} free`
    const words = `${charged} and not one of ${prices(duration_ms, free_ms)}, at most ${limit}; ${of}`
    tally.count(isAsShown && isWithin, `${name}: ${file} is charged ${charges.length} times ${words}`)
  }
  is(new Set(madeOf.values()).size, madeOf.size, 'each wish is one file')
  for (const file of await read(world, 'files', id)) {
    const own = counted.filter(({ file_id }) => file_id === file.id)
    const paid = own.filter(({ kind, via }) => kind === 'charge' || via === 'bank')
    is(
      file.total_cents,
      sum(paid, ({ amount_cents }) => amount_cents),
      `total of ${file.id}`,
    )
  }
  const invoices = await read(world, 'invoices', id)
  is(
    sum(invoices, ({ total_cents }) => total_cents),
    net,
    'invoices are the ledger',
  )
  for (const one of invoices) is(one.vat_cents, vatCents(one.total_cents, 8.1), `VAT of ${one.id}`)
  if (seen.budget !== null) tally.count(net <= seen.budget, `${name}: ${net} of a budget of ${seen.budget}`)
  await compareFree(world, seen, ledger, is)
  await compareProvider(world, id, is)
}

type Is = (one: unknown, other: unknown, what: string) => void

/** Free minutes: no more than there are in a month, and given back as money is. */
async function compareFree(world: World, seen: Seen, ledger: Selectable<Database['ledger']>[], is: Is): Promise<void> {
  const rows = await read(world, 'free_minutes', seen.id)
  is(rows.filter(({ is_settled }) => is_settled !== 1).length, 0, 'free minutes that no order has')
  for (const [month, own] of Map.groupBy(rows, ({ created_at }) => new Date(created_at).toISOString().slice(0, 7)))
    is(sum(own, ({ ms }) => ms) <= freeMinutes * 60_000, true, `free minutes of ${month}`)
  for (const [file, progress] of seen.deleted) {
    const charge = ledger.find(({ kind, file_id }) => kind === 'charge' && file_id === file)
    const row = rows.find(({ file_id }) => file_id === file)
    if (charge === undefined || charge.free_ms === 0) continue
    is(row?.ms, Math.round((charge.free_ms * progress) / 100), `free minutes of ${file}, deleted at ${progress} %`)
  }
}

/** The provider's books of the account, to the cent. */
async function compareProvider(world: World, id: string, is: Is): Promise<void> {
  const { state } = world.provider
  const mine = state.intents.filter(({ metadata, charge }) => metadata.parley_account === id && charge !== null)
  const refundsOf = (intent: string) => state.refunds.filter(({ payment_intent }) => payment_intent === intent)
  const isVoid = (key = '') => key.endsWith('-void')
  const standing = mine.filter((one) => !refundsOf(one.id).some(({ metadata }) => isVoid(metadata.parley_key)))
  const keys = standing.map(({ metadata }) => metadata.parley_key)
  is(new Set(keys).size, keys.length, 'no wish is charged twice')
  const topUps = await read(world, 'top_ups', id)
  const shownOf = (rows: [string, number][]) => rows.toSorted(([a], [b]) => a.localeCompare(b)).join(' ')
  is(
    shownOf(topUps.map((each) => [each.transaction_id, each.amount_cents])),
    shownOf(standing.map((each) => [`test_${each.id}`, each.amount])),
    'top-ups are charges',
  )
  const parts = (await read(world, 'card_refunds', id)).filter(({ status }) => status === 'settled')
  const sent = standing.flatMap(({ id: intent }) => refundsOf(intent))
  is(
    shownOf(parts.map((each) => [each.idempotency_key, each.amount_cents])),
    shownOf(sent.map((each) => [each.metadata.parley_key ?? each.id, each.amount])),
    'refunds are refunds',
  )
  for (const topUp of topUps) {
    const own = state.disputes.filter((each) => `test_${each.payment_intent}` === topUp.transaction_id)
    const lost = own.filter(({ status }) => status !== 'won' && !status.startsWith('warning'))
    const back = sum(
      parts.filter(({ top_up }) => top_up === topUp.transaction_id),
      (part) => part.amount_cents,
    )
    const most = topUp.amount_cents - back
    is(
      topUp.reversed_cents,
      Math.min(
        most,
        sum(lost, ({ amount }) => amount),
      ),
      `reversed of ${topUp.transaction_id}`,
    )
  }
}

/** Numbers of every series are 1, 2, 3 …, and each entry is on one invoice. */
export async function compareNumbers({ db }: World, tally: Tally): Promise<void> {
  const rows = await db
    .selectFrom('invoices')
    .select(['series', 'number'])
    .orderBy('series')
    .orderBy('number')
    .execute()
  for (const [series, own] of Map.groupBy(rows, (row) => row.series))
    tally.count(
      own.every(({ number }, index) => number === index + 1),
      `numbers of ${series} have a gap`,
    )
  const totals = await db
    .selectFrom('invoices as v')
    .innerJoin('invoice_items as i', 'i.invoice', 'v.id')
    .select((eb) => ['v.id', 'v.total_cents', eb.fn.sum<number>('i.amount_cents').as('items')])
    .groupBy(['v.id', 'v.total_cents'])
    .execute()
  for (const { id, total_cents, items } of totals)
    tally.count(total_cents === Number(items), `${id} adds up to ${items}`)
}
