/* Statements of the baseline for one engine only. */

/*
 * Triggers maintain `ledger_days`: each day's sums of the entries that have not failed, so that usage only adds up
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

export const sqliteLast: readonly string[] = [
  `create trigger ledger_days_insert after insert on ledger when new.status != 'failed' begin ${addToDay} end`,
  `create trigger ledger_days_update after update on ledger begin ${subtractFromDay} ${addToDay} end`,
  `create trigger ledger_days_delete after delete on ledger begin ${subtractFromDay} end`,
]

const postgresAddToDay = `insert into ledger_days as day
    select new.account_id, new.created_at / 86400000, new.kind, new.transcript_type, 1, new.amount_cents, new.duration_ms
    where new.status <> 'failed'
    on conflict (account_id, day, kind, transcript_type) do update set entries = day.entries + 1,
      amount_cents = day.amount_cents + excluded.amount_cents, duration_ms = day.duration_ms + excluded.duration_ms;`
const postgresSubtractFromDay = `update ledger_days
    set entries = entries - 1, amount_cents = amount_cents - old.amount_cents,
      duration_ms = duration_ms - old.duration_ms
    where account_id = old.account_id and day = old.created_at / 86400000 and kind = old.kind
      and transcript_type = old.transcript_type and old.status <> 'failed';`

/** A change of other columns changes no sums; one within a trigger would be counted before its entry is. */
export const sqliteDaysOfChanges: readonly string[] = [
  'drop trigger ledger_days_update',
  `create trigger ledger_days_update
    after update of account_id, created_at, kind, transcript_type, amount_cents, duration_ms, status on ledger
    begin ${subtractFromDay} ${addToDay} end`,
]

export const postgresFirst: readonly string[] = [
  `create function parley_now() returns bigint language sql volatile
    as $$ select (extract(epoch from clock_timestamp()) * 1000)::bigint $$`,
]

/** On SQLite the search index is a file of its own (`search/sqlite-index.ts`). */
export const postgresLast: readonly string[] = [
  'create index api_keys_revoked on api_keys (revoked_at) where revoked_at is not null',
  `create function count_ledger_day() returns trigger language plpgsql as $$ begin
    if tg_op <> 'INSERT' then ${postgresSubtractFromDay} end if;
    if tg_op <> 'DELETE' then ${postgresAddToDay} end if;
    return null; end $$`,
  'create trigger ledger_days after insert or update or delete on ledger for each row execute function count_ledger_day()',
  `create table search_files (
    no bigint generated always as identity primary key,
    file_id text not null unique references files on delete cascade, account_id text not null, name text not null,
    created_at bigint not null, stamp text not null, blocks bigint not null, tokens text not null,
    places bytea not null)`,
  'alter table search_files alter column places set storage external',
  'create index search_files_account on search_files (account_id, no)',
  "create index search_files_tokens on search_files using gin (array_to_tsvector(string_to_array(tokens, ' ')))",
  `create table search_blocks (
    id bigint primary key, file_no bigint not null references search_files on delete cascade, packed bytea not null)`,
  'create index search_blocks_file on search_blocks (file_no)',
]
