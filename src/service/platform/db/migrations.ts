import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { postgresSchema } from './postgres/postgres-schema.ts'
import type { Database } from './schema.ts'

/** The statements of one step, for both engines. PostgreSQL's first has what SQLite's first five have made. */
type Migration = { name: string; sqlite: readonly string[]; postgres: readonly string[] }

/*
 * How triggers keep `ledger_days`: each day's sums of the entries that have not failed, so that usage only adds up
 * days.
 */
const addToDay = `insert into ledger_days
  select new.account_id, new.created_at / 86400000, new.kind, new.transcript_type, 1, new.amount_cents, new.duration_ms
  where new.status != 'failed'
  on conflict do update set entries = entries + 1, amount_cents = amount_cents + excluded.amount_cents,
    duration_ms = duration_ms + excluded.duration_ms;`
const subtractFromDay = `update ledger_days
  set entries = entries - 1, amount_cents = amount_cents - old.amount_cents, duration_ms = duration_ms - old.duration_ms
  where account_id = old.account_id and day = old.created_at / 86400000 and kind = old.kind
    and transcript_type = old.transcript_type and old.status != 'failed';`

/** Applied in order, each once, each in a transaction. One that has shipped is never changed. */
export const migrations: readonly Migration[] = [
  {
    name: '001-first',
    sqlite: [
      `create table accounts (
        id text primary key, environment text not null, name text not null, currency text not null,
        discount_percent real not null, custom_formatting_enabled integer not null,
        default_options_json text not null, settings_json text not null, created_at integer not null) strict`,
      `create table api_keys (
        id text primary key, account_id text not null references accounts, name text not null,
        hash text not null unique, last_four text not null, created_at integer not null, last_used_at integer,
        expires_at integer, revoked_at integer) strict`,
      'create index api_keys_account on api_keys (account_id)',
      `create table payment_methods (
        account_id text primary key references accounts, brand text not null, last_four text not null,
        exp_month integer not null, exp_year integer not null, token text not null, created_at integer not null) strict`,
      `create table files (
        id text primary key, account_id text not null references accounts, environment text not null,
        name text not null, media_extension text not null, media_kind text not null, content_hash text not null,
        bytes integer not null, duration_ms integer not null, cost_cents integer not null,
        discount_cents integer not null, total_cents integer not null, refund_cents integer not null,
        currency text not null, transaction_id text not null, created_at integer not null,
        delivery_at integer not null, ready_at integer, delay_reason text, duplicates_json text,
        options_json text not null, progress_percent real not null, version integer not null, expires_at integer,
        delete_when_ready integer not null, given_up integer not null, readable_ms integer) strict`,
      'create index files_newest on files (account_id, created_at desc, id desc)',
      'create index files_version on files (account_id, version)',
      'create index files_content on files (account_id, content_hash)',
      'create index files_expiry on files (expires_at) where expires_at is not null',
      `create table deleted_files (
        id text primary key, account_id text not null, version integer not null, deleted_at integer not null) strict`,
      'create index deleted_files_version on deleted_files (account_id, version)',
      `create table ledger (
        id integer primary key autoincrement, account_id text not null references accounts, kind text not null,
        transaction_id text not null unique, file_id text not null, file_name text not null,
        transcript_type text not null, duration_ms integer not null, amount_cents integer not null,
        currency text not null, progress_percent real, created_at integer not null, due_at integer not null,
        status text not null) strict`,
      'create index ledger_account on ledger (account_id, created_at desc)',
      'create index ledger_file on ledger (file_id)',
      `create table ledger_days (
        account_id text not null, day integer not null, kind text not null, transcript_type text not null,
        entries integer not null, amount_cents integer not null, duration_ms integer not null,
        primary key (account_id, day, kind, transcript_type)) strict, without rowid`,
      `create trigger ledger_days_insert after insert on ledger when new.status != 'failed' begin
        ${addToDay} end`,
      `create trigger ledger_days_update after update on ledger begin ${subtractFromDay} ${addToDay} end`,
      `create trigger ledger_days_delete after delete on ledger begin ${subtractFromDay} end`,
      `create table charge_intents (
        idempotency_key text primary key, account_id text not null, amount_cents integer not null,
        currency text not null, status text not null, transaction_id text, created_at integer not null) strict`,
      `create table idempotency (
        account_id text not null, key text not null, fingerprint text not null, status integer not null,
        body text not null, created_at integer not null, primary key (account_id, key)) strict`,
      `create table jobs (
        id text primary key, kind text not null, file_id text, account_id text not null, state text not null,
        run_after integer not null, attempts integer not null, payload_json text not null,
        created_at integer not null) strict`,
      'create index jobs_next on jobs (state, run_after)',
      'create index jobs_file on jobs (file_id)',
      `create table pieces (
        file_id text not null, position integer not null, start_ms integer not null, end_ms integer not null,
        words_json text not null, resume_ms integer, voices blob, primary key (file_id, position)) strict`,
      `create table webhooks (
        account_id text primary key references accounts, url text not null, secret text not null,
        previous_secret text, previous_secret_until integer, paused_at integer, pause_reason text,
        simulate_failure integer not null, created_at integer not null) strict`,
      `create table deliveries (
        id text primary key, account_id text not null references accounts, file_id text, file_name text not null,
        progress_percent real not null, state text not null, attempts integer not null, retry_step integer not null,
        next_attempt_at integer, response_status integer, response_ms integer, error text,
        created_at integer not null, updated_at integer not null) strict`,
      'create index deliveries_newest on deliveries (account_id, created_at desc)',
      'create index deliveries_due on deliveries (state, next_attempt_at)',
      'create index deliveries_file on deliveries (file_id, state)',
      `create table delivery_tries (
        delivery_id text not null references deliveries on delete cascade, number integer not null,
        tried_at integer not null, status integer, took_ms integer not null, error text, request_json text not null,
        response_json text, primary key (delivery_id, number)) strict`,
      `create table events (
        id integer primary key autoincrement, account_id text not null, kind text not null, data_json text not null,
        created_at integer not null) strict`,
      'create index events_account on events (account_id, id)',
      `create table uploads (
        id text primary key, account_id text not null references accounts, bytes integer not null,
        request_json text not null, file_id text, created_at integer not null, touched_at integer not null) strict`,
      'create index uploads_touched on uploads (touched_at)',
      'create table secrets (name text primary key, value text not null) strict',
      'create table counters (name text primary key, value integer not null) strict',
      "insert into counters (name, value) values ('file_version', 0), ('tombstones_purged', 0), ('events_purged', 0)",
    ],
    postgres: postgresSchema,
  },
  {
    name: '002-refund-tries',
    sqlite: [
      'alter table ledger add column next_try_at integer',
      "create index ledger_pending on ledger (due_at) where status = 'pending'",
    ],
    postgres: [],
  },
  {
    // Counted over the whole database until here; every account goes on from where all of them were.
    name: '003-cursors-of-accounts',
    sqlite: [
      `create table account_cursors (
        account_id text primary key references accounts, file_version integer not null default 0,
        event_seq integer not null default 0, tombstones_purged integer not null default 0,
        events_purged integer not null default 0) strict`,
      `insert into account_cursors
        select id, (select value from counters where name = 'file_version'),
          coalesce((select seq from sqlite_sequence where name = 'events'), 0),
          (select value from counters where name = 'tombstones_purged'),
          (select value from counters where name = 'events_purged') from accounts`,
      `create table events_of_accounts (
        account_id text not null, seq integer not null, kind text not null, data_json text not null,
        created_at integer not null, primary key (account_id, seq)) strict, without rowid`,
      'insert into events_of_accounts select account_id, id, kind, data_json, created_at from events',
      'drop table events',
      'alter table events_of_accounts rename to events',
      'create index events_age on events (created_at)',
      'drop table counters',
    ],
    postgres: [],
  },
  {
    name: '004-leases-of-orders',
    sqlite: [
      'alter table charge_intents drop column status',
      'alter table charge_intents drop column transaction_id',
      'alter table charge_intents add column is_void integer not null default 0',
      "alter table charge_intents add column node text not null default ''",
      'alter table charge_intents add column leased_until integer not null default 0',
      'alter table idempotency rename to idempotency_before',
      `create table idempotency (
        account_id text not null, key text not null, fingerprint text not null, body text, created_at integer not null,
        fence integer not null, node text not null, leased_until integer not null,
        primary key (account_id, key)) strict`,
      `insert into idempotency
        select account_id, key, fingerprint, body, created_at, 1, '', 0 from idempotency_before`,
      'drop table idempotency_before',
    ],
    postgres: [],
  },
  {
    name: '005-leases-of-jobs-and-deliveries',
    sqlite: [
      "alter table jobs add column node text not null default ''",
      'alter table jobs add column fence integer not null default 0',
      'alter table jobs add column leased_until integer not null default 0',
      "create index jobs_turns on jobs (kind, account_id, created_at) where state != 'failed'",
      `create table turns (
        kind text not null, account_id text not null, served_at integer not null,
        primary key (kind, account_id)) strict, without rowid`,
      "alter table deliveries add column node text not null default ''",
      'alter table deliveries add column leased_until integer not null default 0',
      'alter table webhooks add column failing_since integer',
    ],
    postgres: [],
  },
  {
    name: '006-promised',
    sqlite: ['alter table files add column promised_at integer'],
    postgres: ['alter table files add column promised_at bigint'],
  },
  {
    name: '007-several-nodes',
    sqlite: [
      "alter table uploads add column node text not null default ''",
      'alter table uploads add column fence integer not null default 0',
      'alter table uploads add column leased_until integer not null default 0',
      'create table nodes (id text primary key, seen_at integer not null) strict',
      'create table chores (name text primary key, node text not null, leased_until integer not null) strict',
      `create table demo_counts (
        hour integer not null, address text not null, count integer not null,
        primary key (hour, address)) strict, without rowid`,
    ],
    postgres: [
      `alter table uploads add column node text not null default '', add column fence bigint not null default 0,
        add column leased_until bigint not null default 0`,
      'create table nodes (id text primary key, seen_at bigint not null)',
      'create table chores (name text primary key, node text not null, leased_until bigint not null)',
      `create table demo_counts (
        hour bigint not null, address text not null, count bigint not null, primary key (hour, address))`,
    ],
  },
  {
    name: '008-corrections',
    sqlite: correctionTables('integer', ' strict'),
    postgres: correctionTables('bigint', ''),
  },
  {
    name: '009-corrected-files',
    sqlite: ['alter table files add column corrections integer not null default 0'],
    postgres: ['alter table files add column corrections bigint not null default 0'],
  },
  { name: '010-review', sqlite: reviewTables('integer', ' strict'), postgres: reviewTables('bigint', '') },
  {
    name: '011-vocabulary',
    sqlite: vocabularyTables('integer', ' strict'),
    postgres: vocabularyTables('bigint', ''),
  },
  {
    name: '012-cards-of-charges',
    sqlite: ['alter table ledger add column card text'],
    postgres: ['alter table ledger add column card text'],
  },
  {
    name: '013-account-log',
    sqlite: accountLogTable('integer primary key autoincrement', 'integer', ' strict'),
    postgres: accountLogTable('bigint generated by default as identity primary key', 'bigint', ''),
  },
  // With SQLite the index is a file of its own (`search/sqlite-index.ts`).
  { name: '014-search', sqlite: [], postgres: searchTables() },
  {
    name: '015-labels',
    sqlite: ['alter table files add column labels_json text'],
    postgres: ['alter table files add column labels_json text'],
  },
  { name: '016-projects', sqlite: projectTables('integer', ' strict'), postgres: projectTables('bigint', '') },
  {
    name: '017-recognitions',
    sqlite: ['alter table jobs add column step text', ...recognitionTable('integer', ' strict')],
    postgres: ['alter table jobs add column step text', ...recognitionTable('bigint', '')],
  },
  { name: '018-keeping', sqlite: keepingTables('integer', ' strict'), postgres: keepingTables('bigint', '') },
  // The index is made anew: one of tokens and files is a tenth of one of tokens and blocks.
  {
    name: '019-search-by-files',
    sqlite: [],
    postgres: [
      'truncate search_files cascade',
      'alter table search_blocks drop column tokens',
      `alter table search_files add column tokens text not null, add column places bytea not null,
        alter column places set storage external`,
      "create index search_files_tokens on search_files using gin (array_to_tsvector(string_to_array(tokens, ' ')))",
    ],
  },
  {
    name: '020-work',
    sqlite: workTables('integer', 'real', ' strict'),
    postgres: workTables('bigint', 'double precision', ''),
  },
  {
    name: '021-parts-of-uploads',
    sqlite: uploadParts('integer', ' strict'),
    postgres: uploadParts('bigint', ''),
  },
  {
    name: '022-pace-of-nodes',
    sqlite: ['alter table nodes add column pace real'],
    postgres: ['alter table nodes add column pace double precision'],
  },
  {
    name: '023-pay',
    sqlite: ['alter table work_claims add column pay_cents integer'],
    postgres: ['alter table work_claims add column pay_cents bigint'],
  },
  {
    name: '024-recognition-of-nodes',
    sqlite: ['alter table nodes add column recognition_json text'],
    postgres: ['alter table nodes add column recognition_json text'],
  },
]

function uploadParts(whole: string, strict: string): string[] {
  return [
    'alter table uploads add column object_id text',
    'alter table uploads add column multipart_id text',
    `alter table uploads add column received ${whole} not null default 0`,
    `alter table uploads add column part_number ${whole} not null default 0`,
    `alter table uploads add column tail ${whole}`,
    `create table upload_parts (
      upload_id text not null references uploads on delete cascade, number ${whole} not null, bytes ${whole} not null,
      etag text not null, primary key (upload_id, number))${strict}`,
  ]
}

function workTables(whole: string, real: string, strict: string): string[] {
  return [
    `create table staff (
      id text primary key, name text not null, role text not null, hash text not null unique, last_four text not null,
      created_at ${whole} not null, revoked_at ${whole})${strict}`,
    `create table work_parts (
      id text primary key, file_id text not null references files on delete cascade, account_id text not null,
      position ${whole} not null, start_ms ${whole} not null, end_ms ${whole} not null, step text,
      reached ${whole} not null default 0, waiting_since ${whole} not null, staff_id text references staff,
      held_until ${whole} not null default 0, claimed_at ${whole} not null default 0, claim ${whole} not null default 0,
      assigned_to text references staff, mean_conf ${real}, rework_json text not null default '[]',
      note text not null default '', heard_json text not null default '[]', blanks ${whole} not null default 0,
      unique (file_id, position))${strict}`,
    'create index work_parts_waiting on work_parts (step) where step is not null',
    'create index work_parts_holder on work_parts (staff_id) where staff_id is not null',
    `create table work_texts (
      part_id text primary key references work_parts on delete cascade, words_json text not null,
      names_json text not null, fingerprint text not null, words ${whole} not null, set_json text,
      revision ${whole} not null default 0, step_set_json text)${strict}`,
    `create table work_claims (
      part_id text not null, claim ${whole} not null, file_id text not null, step text not null,
      staff_id text not null references staff, sound_ms ${whole} not null, claimed_at ${whole} not null,
      ended_at ${whole}, ending text, reason text, saves ${whole} not null default 0, words ${whole},
      changed_words ${whole}, primary key (part_id, claim))${strict}`,
    'create index work_claims_file on work_claims (file_id)',
    'create index work_claims_staff on work_claims (staff_id, claimed_at)',
  ]
}

function recognitionTable(whole: string, strict: string): string[] {
  return [
    `create table recognitions (
      file_id text primary key references files on delete cascade, account_id text not null, engine text,
      sections ${whole} not null default 0, heard_ms ${whole} not null default 0, voices_json text)${strict}`,
    'create index recognitions_account on recognitions (account_id)',
    'alter table nodes add column hears text',
  ]
}

function projectTables(whole: string, strict: string): string[] {
  return [
    `create table projects (
      id text primary key, account_id text not null references accounts, name text not null, budget_cents ${whole},
      options_json text, preset text, created_at ${whole} not null, unique (account_id, name))${strict}`,
    'alter table files add column project_id text references projects',
    'create index files_project on files (project_id) where project_id is not null',
    'alter table ledger add column project_id text references projects',
    'create index ledger_project on ledger (project_id) where project_id is not null',
  ]
}

function keepingTables(whole: string, strict: string): string[] {
  return [
    `alter table files add column keeping_since ${whole}`,
    `alter table files add column recording_deleted_at ${whole}`,
    'alter table files add column recording_deleted_by text',
    'create index files_ready on files (account_id, ready_at, id) where ready_at is not null',
    `create table keeping_rules (
      account_id text not null references accounts, scope text not null, target text not null, tag text not null,
      recording_days ${whole}, all_days ${whole}, primary key (account_id, scope, target))${strict}`,
  ]
}

function searchTables(): string[] {
  return [
    `create table search_files (
    no bigint generated always as identity primary key,
    file_id text not null unique references files on delete cascade, account_id text not null, name text not null,
    created_at bigint not null, stamp text not null, blocks bigint not null)`,
    'create index search_files_account on search_files (account_id, no)',
    `create table search_blocks (
    id bigint primary key, file_no bigint not null references search_files on delete cascade, packed bytea not null,
    tokens tsvector not null)`,
    'create index search_blocks_file on search_blocks (file_no)',
    'create index search_blocks_tokens on search_blocks using gin (tokens)',
  ]
}

function correctionTables(whole: string, strict: string): string[] {
  return [
    `create table texts (
      file_id text primary key references files on delete cascade, ready_at ${whole} not null,
      fingerprint text not null, words ${whole} not null)${strict}`,
    `create table corrections (
      file_id text primary key references files on delete cascade, account_id text not null references accounts,
      revision ${whole} not null, fingerprint text not null, base_names_json text not null,
      names_json text not null)${strict}`,
    `create table correction_patches (
      file_id text not null references files on delete cascade, from_word ${whole} not null, to_word ${whole} not null,
      patch_json text not null, primary key (file_id, from_word, to_word))${strict}`,
    `create table correction_changes (
      file_id text not null references files on delete cascade, revision ${whole} not null, key_id text not null,
      key_name text not null, label text not null, corrections ${whole} not null, change_json text not null, name text,
      created_at ${whole} not null, primary key (file_id, revision))${strict}`,
  ]
}

function reviewTables(whole: string, strict: string): string[] {
  return [
    "alter table accounts add column program_text text not null default 'original'",
    "alter table files add column review text not null default 'draft'",
    `alter table files add column approved_revision ${whole}`,
    `create table reviews (
      file_id text primary key references files on delete cascade, account_id text not null references accounts,
      revision ${whole} not null, fingerprint text not null, checked_json text not null)${strict}`,
    `create table review_steps (
      file_id text not null references files on delete cascade, revision ${whole} not null, fingerprint text not null,
      state text not null, key_id text not null, key_name text not null, corrections ${whole},
      created_at ${whole} not null, primary key (file_id, revision))${strict}`,
  ]
}

function vocabularyTables(whole: string, strict: string): string[] {
  return [
    'alter table files add column preset text',
    'alter table correction_patches add column heard text',
    'alter table correction_patches add column written text',
    `create index correction_patches_replacements on correction_patches (file_id, heard, written)
      where heard is not null`,
    'create index corrections_account on corrections (account_id)',
    `create table vocabulary (
      id text primary key, account_id text not null references accounts, preset text not null, written text not null,
      heard_json text not null, key_name text not null, created_at ${whole} not null,
      unique (account_id, preset, written))${strict}`,
    `create table vocabulary_places (
      file_id text not null references files on delete cascade, account_id text not null references accounts,
      from_word ${whole} not null, to_word ${whole} not null, written text not null, text text not null,
      is_undone ${whole} not null default 0, primary key (file_id, from_word))${strict}`,
    'create index vocabulary_places_account on vocabulary_places (account_id, is_undone, written, file_id)',
    `create table dismissed_proposals (
      account_id text not null references accounts, heard text not null, written text not null,
      primary key (account_id, heard, written))${strict}`,
  ]
}

function accountLogTable(counted: string, whole: string, strict: string): string[] {
  return [
    `create table account_log (
      id ${counted}, account_id text not null references accounts, action text not null, detail text not null,
      file_id text not null, file_name text not null, key_id text not null, key_name text not null,
      address text not null, times ${whole} not null, created_at ${whole} not null, at ${whole} not null)${strict}`,
    'create index account_log_newest on account_log (account_id, id desc)',
    'create index account_log_same on account_log (account_id, file_id, action, created_at desc)',
    'create index account_log_age on account_log (at)',
  ]
}

/** Which migrations a database has had. */
export const migrationsTable =
  'create table if not exists migrations (name text primary key, applied_at integer not null) strict'

/**
 * Brings an SQLite database up to date, in one transaction, as each costs a wait for the disk at the first start. Safe to
 * call from several processes at once.
 */
export async function migrate(db: Kysely<Database>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql.raw(migrationsTable).execute(trx)
    for (const { name, sqlite } of migrations) {
      const inserted =
        await sql`insert or ignore into migrations (name, applied_at) values (${name}, ${Date.now()})`.execute(trx)
      if (inserted.numAffectedRows === 0n) continue
      for (const statement of sqlite) await sql.raw(statement).execute(trx)
    }
  })
}
