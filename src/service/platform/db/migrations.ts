import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { StartError } from '../start-error.ts'
import { baseline } from './baseline.ts'
import { cleanTexts } from './clean-text.ts'
import { customersOfCharges, invoices, linesOfInvoices, vatOfCharges } from './invoice-migration.ts'
import type { Migration } from './migration.ts'
import { balances, budgets } from './money-migration.ts'
import { freeMinutes, quotes, refundReasons } from './price-migrations.ts'
import type { Database } from './schema.ts'

/** Orders still name a deleted project: they are told apart from orders with a wrong id. */
const deletedProjects = 'create table deleted_projects (id text primary key, account_id text not null)'
const keepDeletedProjects: Migration = {
  name: '026-deleted-projects',
  sqlite: [`${deletedProjects} strict`],
  postgres: [deletedProjects],
}

const captionRulesColumn = 'alter table files add column caption_rules_json text'
const keepCaptionRules: Migration = {
  name: '027-caption-rules',
  sqlite: [captionRulesColumn],
  postgres: [captionRulesColumn],
}

const newCaptionRulesColumn = 'alter table accounts add column caption_rules_json text'
const rulesOfNewCaptions: Migration = {
  name: '061-rules-of-new-captions',
  sqlite: [newCaptionRulesColumn],
  postgres: [newCaptionRulesColumn],
}

const limitBytes = (whole: string) => [`alter table accounts add column byte_limit ${whole}`]
const byteLimits: Migration = {
  name: '028-byte-limits',
  sqlite: limitBytes('integer'),
  postgres: limitBytes('bigint'),
}

const nameRetention = ["update account_log set action = 'retention' where action = 'keeping'"]
const retentionInLog: Migration = { name: '029-retention-in-log', sqlite: nameRetention, postgres: nameRetention }

const recordSteps = (whole: string, real: string) => [
  `alter table work_claims add column heard_share ${real}`,
  ...['doubts', 'blanks', 'decided_at'].map((name) => `alter table work_claims add column ${name} ${whole}`),
  ...['explanation', 'verdict', 'decided_by'].map((name) => `alter table work_claims add column ${name} text`),
  "alter table work_claims add column odd text not null default ''",
  "create index work_claims_waiting on work_claims (file_id) where verdict = 'waiting'",
]
const workDone: Migration = {
  name: '030-work-done',
  sqlite: recordSteps('integer', 'real'),
  postgres: recordSteps('bigint', 'double precision'),
}

const listeningCopyColumn = 'alter table files add column listening_copy text'
const listeningCopies: Migration = {
  name: '031-listening-copies',
  sqlite: [listeningCopyColumn],
  postgres: [listeningCopyColumn],
}

const videoColumns = (whole: string) => `create table captioned_videos (
      id text primary key, file_id text not null references files on delete cascade, account_id text not null,
      kind text not null, variant text not null, rules_json text not null, state text not null,
      percent ${whole} not null default 0, bytes ${whole} not null default 0, error_status ${whole}, error text,
      created_at ${whole} not null, done_at ${whole}, unique (file_id, kind, variant))`
const videoIndex = 'create index captioned_videos_by_account on captioned_videos (account_id)'
const captionedVideos: Migration = {
  name: '032-captioned-videos',
  sqlite: [`${videoColumns('integer')} strict`, videoIndex],
  postgres: [videoColumns('bigint'), videoIndex],
}

const reviewColumns = [
  'alter table work_texts add column before_set_json text',
  "alter table work_parts add column places_json text not null default '[]'",
]
const reviewedPlaces: Migration = { name: '033-reviewed-places', sqlite: reviewColumns, postgres: reviewColumns }

const heardColumn = ['alter table files add column heard_json text']
const heardSound: Migration = { name: '034-heard-sound', sqlite: heardColumn, postgres: heardColumn }

const soundColumn = ['alter table files add column sound text']
const orderSound: Migration = { name: '035-order-sound', sqlite: soundColumn, postgres: soundColumn }

const batchColumn = ['alter table files add column batch text']
const orderBatch: Migration = { name: '036-order-batch', sqlite: batchColumn, postgres: batchColumn }

const limitKeys = [
  'alter table api_keys add column limits_json text',
  'alter table ledger add column key_id text',
  'create index ledger_by_key on ledger (key_id, created_at) where key_id is not null',
]
const keyLimits: Migration = { name: '037-key-limits', sqlite: limitKeys, postgres: limitKeys }

/** Stripe's customer of each account, in each of its modes (decision 134). */
const createPaymentCustomers = `create table payment_customers (
  account_id text not null references accounts, mode text not null, customer text not null,
  primary key (account_id, mode))`
const paymentCustomers: Migration = {
  name: '045-payment-customers',
  sqlite: [`${createPaymentCustomers} strict`],
  postgres: [createPaymentCustomers],
}

const tellExpiry = (whole: string) => [`alter table payment_methods add column expiry_told_at ${whole}`]
const expiringCards: Migration = {
  name: '046-expiring-cards',
  sqlite: tellExpiry('integer'),
  postgres: tellExpiry('bigint'),
}

const createWaiting = (whole: string) => `create table waiting_top_ups (
  id text primary key, account_id text not null references accounts, idempotency_key text not null unique,
  amount_cents ${whole} not null, currency text not null, card text not null, url text not null,
  is_void ${whole} not null, created_at ${whole} not null)`
const waitingTopUps: Migration = {
  name: '047-waiting-top-ups',
  sqlite: [`${createWaiting('integer')} strict`],
  postgres: [createWaiting('bigint')],
}

const closeAccounts = (whole: string, strict: string) => [
  `alter table accounts add column closed_at ${whole}`,
  `create table closings (
      id text primary key, account_id text not null unique references accounts, closed_at ${whole} not null,
      erase_at ${whole} not null, erased_at ${whole}, report_json text)${strict}`,
  `create table exports (
      id text primary key, account_id text not null references accounts, with_recordings ${whole} not null,
      state text not null, files_done ${whole} not null default 0, files ${whole} not null default 0,
      bytes ${whole} not null default 0, error text, created_at ${whole} not null, done_at ${whole})${strict}`,
]
const closings: Migration = {
  name: '049-closings',
  sqlite: closeAccounts('integer', ' strict'),
  postgres: closeAccounts('bigint', ''),
}

/** Chores look for late orders and for those that nobody has begun several times a minute; nearly all files are ready. */
const unfinishedIndex = [
  'create index files_unfinished on files (delivery_at) where progress_percent < 100 and given_up = 0',
]
const unfinishedFiles: Migration = { name: '058-unfinished-files', sqlite: unfinishedIndex, postgres: unfinishedIndex }

/** Applied in order, each once, each in a transaction. Never change one that has shipped. */
export const migrations: readonly Migration[] = [
  baseline,
  cleanTexts,
  keepDeletedProjects,
  keepCaptionRules,
  byteLimits,
  retentionInLog,
  workDone,
  listeningCopies,
  captionedVideos,
  reviewedPlaces,
  heardSound,
  orderSound,
  orderBatch,
  keyLimits,
  balances,
  budgets,
  paymentCustomers,
  expiringCards,
  waitingTopUps,
  closings,
  quotes,
  refundReasons,
  freeMinutes,
  invoices,
  vatOfCharges,
  unfinishedFiles,
  customersOfCharges,
  linesOfInvoices,
  rulesOfNewCaptions,
]

/** The migrations that a database has applied. */
export const migrationsTable =
  'create table if not exists migrations (name text primary key, applied_at integer not null) strict'

/**
 * @param applied names of the database's migrations; empty for a new one. Those before the baseline's are replaced by
 *   it.
 * @param mostBehind how many migrations the database may be ahead of this program
 * @returns the missing ones
 * @throws StartError if it predates the baseline, or is newer than that
 */
export function findMissing(applied: readonly string[], mostBehind: 0 | 1): readonly Migration[] {
  if (applied.length > 0 && !applied.includes(baseline.name)) {
    throw new StartError(
      'The database is of a version of Parley from before its first release, which this one cannot open.',
    )
  }
  const unknown = applied.filter((name) => name > baseline.name && !migrations.some((each) => each.name === name))
  if (unknown.length > mostBehind) {
    throw new StartError(
      'The database is newer than this version of Parley. Update Parley, or restore the backup made before the update.',
    )
  }
  return migrations.filter(({ name }) => !applied.includes(name))
}

/**
 * Migrates an SQLite database in one transaction, as each costs a wait for the disk at the first start. Safe to call
 * from several processes at once. A newer one is refused: no other node needs it, and backups of it could not be
 * restored here.
 * @throws StartError as `findMissing`; nothing is changed then
 */
export async function migrate(db: Kysely<Database>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql.raw(migrationsTable).execute(trx)
    const applied = await sql<{ name: string }>`select name from migrations`.execute(trx)
    for (const { name, sqlite } of findMissing(
      applied.rows.map((row) => row.name),
      0,
    )) {
      for (const statement of sqlite) await sql.raw(statement).execute(trx)
      await sql`insert into migrations (name, applied_at) values (${name}, ${Date.now()})`.execute(trx)
    }
  })
}
