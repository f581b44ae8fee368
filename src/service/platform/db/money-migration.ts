import { sqliteDaysOfChanges } from './engine-statements.ts'
import type { Migration } from './migration.ts'

/*
 * Double entry (decision 130). A movement takes an amount out of one book of an account and puts it into another, so the
 * books of an account always add up to zero. Triggers keep the books, and refuse what must not happen: a balance below
 * zero, more given back for an order than was paid for it, more sent back to a card than it gave, a movement changed.
 */

type Dialect = { whole: string; counted: string; strict: string; keyed: string }

const createTables = ({ whole, counted, strict, keyed }: Dialect) => [
  `create table movements (
    id ${counted}, account_id text not null references accounts, currency text not null, cause text not null,
    reference text not null, source text not null, target text not null,
    amount_cents ${whole} not null check (amount_cents > 0), created_at ${whole} not null,
    check (source <> target), unique (reference, cause))${strict}`,
  'create index movements_account on movements (account_id, created_at desc)',
  `create table books (
    account_id text not null, currency text not null, book text not null, amount_cents ${whole} not null,
    primary key (account_id, currency, book),
    check (book in ('card', 'loss') or amount_cents >= 0))${keyed}`,
  `create table top_ups (
    id ${counted}, account_id text not null references accounts, transaction_id text not null unique,
    idempotency_key text not null unique, amount_cents ${whole} not null check (amount_cents > 0),
    currency text not null, card text, created_at ${whole} not null, reversed_cents ${whole} not null default 0,
    check (reversed_cents between 0 and amount_cents))${strict}`,
  'create index top_ups_account on top_ups (account_id, created_at desc)',
  `create table card_refunds (
    idempotency_key text primary key, account_id text not null references accounts,
    top_up text not null references top_ups (transaction_id), refund text,
    amount_cents ${whole} not null check (amount_cents > 0), currency text not null, created_at ${whole} not null,
    due_at ${whole} not null, status text not null, next_try_at ${whole})${strict}`,
  'create index card_refunds_top_up on card_refunds (top_up)',
  'create index card_refunds_refund on card_refunds (refund) where refund is not null',
  "create index card_refunds_pending on card_refunds (due_at) where status = 'pending'",
  `alter table accounts add column top_up_cents ${whole} not null default 2000`,
  "alter table accounts add column refunds_to text not null default 'card'",
  `alter table charge_intents add column top_up_cents ${whole}`,
  'update charge_intents set top_up_cents = amount_cents',
  `alter table ledger add column top_up_cents ${whole}`,
  'alter table ledger add column via text',
]

const columns = 'movements (account_id, currency, cause, reference, source, target, amount_cents, created_at)'

/** Money that cards paid before there was a balance: topped up by the price of an order, and spent on it at once. */
const direct = {
  topUp: (row: string) =>
    `insert into top_ups (account_id, transaction_id, idempotency_key, amount_cents, currency, card, created_at)
     select ${row}.account_id, ${row}.transaction_id, ${row}.transaction_id, ${row}.amount_cents, ${row}.currency,
       ${row}.card, ${row}.created_at`,
  move: (row: string, cause: string, reference: string, books: string, sign = '') =>
    `insert into ${columns} select ${row}.account_id, ${row}.currency, '${cause}', ${row}.${reference}, ${books},
       ${sign}${row}.amount_cents, ${row}.created_at`,
  cardRefund: (row: string, charge: string) =>
    `insert into card_refunds (idempotency_key, account_id, top_up, refund, amount_cents, currency, created_at, due_at,
       status, next_try_at)
     select ${row}.transaction_id, ${row}.account_id, ${charge}.transaction_id, ${row}.transaction_id,
       -${row}.amount_cents, ${row}.currency, ${row}.created_at, ${row}.due_at, ${row}.status, ${row}.next_try_at`,
}

const isPaid = (row: string) => `${row}.kind = 'charge' and ${row}.status = 'settled' and ${row}.amount_cents > 0`
/** A refund of `c`, a charge that a card paid. */
const isRefund = (row: string) =>
  `${row}.kind = 'refund' and ${row}.status <> 'failed' and ${row}.amount_cents < 0
   and c.file_id = ${row}.file_id and ${isPaid('c')} and -${row}.amount_cents <= c.amount_cents
   and exists (select 1 from top_ups t where t.transaction_id = c.transaction_id)`
const isFirst = "r.id = (select min(id) from ledger f where f.file_id = r.file_id and f.kind = 'refund')"

/** Of the entries that the ledger has. */
const moveOld = [
  `${direct.topUp('c')} from ledger c where ${isPaid('c')} order by c.id`,
  `${direct.move('c', 'top-up', 'transaction_id', "'card', 'balance'")} from ledger c where ${isPaid('c')} order by c.id`,
  `${direct.move('c', 'order', 'file_id', "'balance', 'orders'")} from ledger c where ${isPaid('c')} order by c.id`,
  `${direct.move('r', 'refund', 'file_id', "'orders', 'refunds'", '-')} from ledger r, ledger c
    where ${isRefund('r')} and ${isFirst} order by r.id`,
  `${direct.cardRefund('r', 'c')} from ledger r, ledger c where ${isRefund('r')} and ${isFirst} order by r.id`,
  `insert into ${columns} select account_id, currency, 'refund-paid', idempotency_key, 'refunds', 'card', amount_cents,
    due_at from card_refunds where status = 'settled'`,
  "update ledger set via = 'direct'",
]

/** Of an entry that a node of an older version writes while both serve, or that a restore carries over from it. */
const moveNew = [
  `${direct.topUp('new')} where ${isPaid('new')};`,
  `${direct.move('new', 'top-up', 'transaction_id', "'card', 'balance'")} where ${isPaid('new')};`,
  `${direct.move('new', 'order', 'file_id', "'balance', 'orders'")} where ${isPaid('new')};`,
  `${direct.move('new', 'refund', 'file_id', "'orders', 'refunds'", '-')} from ledger c where ${isRefund('new')};`,
  `${direct.cardRefund('new', 'c')} from ledger c where ${isRefund('new')};`,
  `insert into ${columns} select account_id, currency, 'refund-paid', idempotency_key, 'refunds', 'card', amount_cents,
    due_at from card_refunds where refund = new.transaction_id and status = 'settled';`,
  "update ledger set via = 'direct' where id = new.id;",
].join('\n')

const book = (column: 'source' | 'target', sign: '+' | '-') => `
  insert into books (account_id, currency, book, amount_cents) values (new.account_id, new.currency, new.${column}, 0)
    on conflict do nothing;
  update books set amount_cents = amount_cents ${sign} new.amount_cents
    where account_id = new.account_id and currency = new.currency and book = new.${column};`
// What comes in first: a book is never below zero in between.
const keepBooks = book('target', '+') + book('source', '-')

const overpaid = `select sum(case when target = 'orders' then amount_cents else -amount_cents end) from movements
  where reference = new.reference and 'orders' in (source, target)`
const overRefunded = `select t.reversed_cents + coalesce(sum(r.amount_cents), 0) - t.amount_cents from top_ups t
  left join card_refunds r on r.top_up = t.transaction_id and r.status <> 'failed'
  where t.transaction_id = new.top_up group by t.reversed_cents, t.amount_cents`
const words = {
  overpaid: 'more is given back for an order than was paid',
  overRefunded: 'more goes back to a card than it gave',
  changed: 'movements of money are never changed',
}

const refuse = (message: string, over: string) => `select raise(abort, '${message}') where (${over});`
const sqlite = [
  `create trigger movements_kept after insert on movements begin
    ${refuse(words.overpaid, `new.source = 'orders' and (${overpaid}) < 0`)} ${keepBooks} end`,
  ...['update', 'delete'].map(
    (change) => `create trigger movements_${change} before ${change} on movements begin
      select raise(abort, '${words.changed}'); end`,
  ),
  `create trigger card_refunds_kept after insert on card_refunds begin
    ${refuse(words.overRefunded, `(${overRefunded}) > 0`)} end`,
  `create trigger ledger_direct after insert on ledger when new.via is null begin ${moveNew} end`,
]

const raise = (message: string, over: string) => `if ${over} then raise exception '${message}'; end if;`
const trigger = (name: string, event: string, body: string) => [
  `create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
  `create trigger ${name} after ${event} for each row execute function ${name}()`,
]
const postgres = [
  ...trigger(
    'movements_kept',
    'insert on movements',
    raise(words.overpaid, `new.source = 'orders' and (${overpaid}) < 0`) + keepBooks,
  ),
  ...trigger('movements_changed', 'update or delete on movements', `raise exception '${words.changed}';`),
  ...trigger('card_refunds_kept', 'insert on card_refunds', raise(words.overRefunded, `(${overRefunded}) > 0`)),
  ...trigger('ledger_direct', 'insert on ledger', `if new.via is null then ${moveNew} end if;`),
]

const addBudgets = (whole: string) => [
  `alter table accounts add column budget_cents ${whole}`,
  "alter table accounts add column budget_per text not null default 'month'",
  "alter table projects add column budget_per text not null default 'all'",
]
export const budgets: Migration = {
  name: '039-budgets',
  sqlite: addBudgets('integer'),
  postgres: addBudgets('bigint'),
}

export const balances: Migration = {
  name: '038-balances',
  sqlite: [
    ...createTables({
      whole: 'integer',
      counted: 'integer primary key autoincrement',
      strict: ' strict',
      keyed: ' strict, without rowid',
    }),
    ...sqliteDaysOfChanges,
    ...sqlite.slice(0, -1),
    ...moveOld,
    ...sqlite.slice(-1),
  ],
  postgres: [
    ...createTables({
      whole: 'bigint',
      counted: 'bigint generated by default as identity primary key',
      strict: '',
      keyed: '',
    }),
    ...postgres.slice(0, -2),
    ...moveOld,
    ...postgres.slice(-2),
  ],
}
