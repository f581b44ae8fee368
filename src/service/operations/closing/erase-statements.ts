/*
 * What erasing an account removes from a database, of a service or of a backup: everything that says who it was, what it
 * sent and what was said. Money stays, without names, as books must be kept, and so do invoices with whom they
 * were sent to, whose names of files are the ledger's; so does how much work was paid to typists.
 */

/** Ids are minted here; none of them can end a literal. */
function literal(accountId: string): string {
  if (!/^[\w-]{1,64}$/.test(accountId)) throw new Error('not an account id')
  return `'${accountId}'`
}

/** Its rows stay, without what says who it was. */
const namelessLedger = "update ledger set file_name = '', card = null, key_id = null, project_id = null"

/** In an order that foreign keys allow. Rows of files go with them (`on delete cascade`). */
export function eraseStatements(accountId: string): string[] {
  const id = literal(accountId)
  const ofFiles = `file_id in (select id from files where account_id = ${id})`
  const emptied = [
    ...['uploads', 'deliveries', 'webhooks', 'payment_methods', 'idempotency', 'keeping_rules', 'vocabulary'],
    ...['dismissed_proposals', 'events', 'account_log', 'turns', 'deleted_files', 'deleted_projects', 'exports'],
    ...['payment_customers', 'waiting_top_ups', 'quotes', 'free_minutes', 'billing'],
  ]
  return [
    `delete from jobs where account_id = ${id} or ${ofFiles}`,
    `delete from pieces where ${ofFiles}`,
    `delete from files where account_id = ${id}`,
    ...emptied.map((table) => `delete from ${table} where account_id = ${id}`),
    `${namelessLedger} where account_id = ${id}`,
    // By itself: a database from before migration 059 has no such column, and all others to empty.
    `update ledger set customer_json = null where account_id = ${id}`,
    `update top_ups set card = null where account_id = ${id}`,
    `delete from projects where account_id = ${id}`,
    `delete from api_keys where account_id = ${id}`,
    `delete from secrets where name = 'card-session ' || ${id}`,
    `update accounts set name = '', settings_json = '{}', default_options_json = '{}' where id = ${id}`,
  ]
}

/** Rows of one of the statements below. */
const rowsAtOnce = 500

/**
 * Those of the tables that grow with every file and request, for a database that is in use: each is to be repeated until
 * it changes nothing; `eraseStatements` does the rest.
 */
export function erasePieces(accountId: string): string[] {
  const own = `account_id = ${literal(accountId)}`
  const some = (table: string, key: string, which = own) =>
    `${own} and ${key} in (select ${key} from ${table} where ${which} limit ${rowsAtOnce})`
  const grown = { account_log: 'id', deleted_files: 'id', deliveries: 'id', events: 'seq', idempotency: 'key' }
  const named = `${own} and (file_name <> '' or card is not null or key_id is not null or project_id is not null)`
  return [
    ...Object.entries(grown).map(([table, key]) => `delete from ${table} where ${some(table, key)}`),
    `${namelessLedger} where ${some('ledger', 'id', named)}`,
    `update ledger set customer_json = null where ${some('ledger', 'id', `${own} and customer_json is not null`)}`,
  ]
}
