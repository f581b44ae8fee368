import type { Migration } from './migration.ts'

/** Prices that were told for a while (decision 143), and which recordings were ordered at them. */
const createQuotes = (whole: string, real: string, strict: string) => [
  `create table quotes (
      id text primary key, account_id text not null references accounts, currency text not null,
      options_json text not null, rates_json text not null, discount_percent ${real} not null,
      created_at ${whole} not null, expires_at ${whole} not null)${strict}`,
  'create index quotes_by_account on quotes (account_id, expires_at)',
  `create table quote_lines (
      quote_id text not null references quotes on delete cascade, position ${whole} not null,
      duration_ms ${whole} not null, total_cents ${whole} not null, file_id text,
      primary key (quote_id, position))${strict}`,
]
export const quotes: Migration = {
  name: '050-quotes',
  sqlite: createQuotes('integer', 'real', ' strict'),
  postgres: createQuotes('bigint', 'double precision', ''),
}

const giveReasons = ['alter table ledger add column reason text']
/** Why money was given back. */
export const refundReasons: Migration = { name: '051-refund-reasons', sqlite: giveReasons, postgres: giveReasons }

const countFree = (whole: string, strict: string) => [
  `create table free_minutes (
      file_id text primary key, account_id text not null references accounts, ms ${whole} not null,
      is_settled ${whole} not null, created_at ${whole} not null)${strict}`,
  'create index free_minutes_by_account on free_minutes (account_id, created_at)',
  `alter table ledger add column free_ms ${whole} not null default 0`,
]
/** Which orders used the free minutes of an account (decision 144). */
export const freeMinutes: Migration = {
  name: '052-free-minutes',
  sqlite: countFree('integer', ' strict'),
  postgres: countFree('bigint', ''),
}
