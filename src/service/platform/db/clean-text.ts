import { baseline } from './baseline.ts'

/*
 * Removes U+0000 from stored texts, as `refineText` does from those that come in: the embedded database took it, and
 * PostgreSQL does not, so that an account could not move.
 */

const tables = baseline.sqlite.flatMap((statement): [table: string, columns: string[]][] => {
  const [, table = ''] = /^create table "?(\w+)"?/.exec(statement) ?? []
  const columns = [...statement.matchAll(/[(,]\s+(\w+) text\b/g)].map(([, name = '']) => name)
  return columns.length === 0 || table === '' ? [] : [[table, columns]]
})

/** Drops the escape from JSON; a pair of backslashes stands for one, and U+0001 for the pair meanwhile. */
const withoutEscape = (json: string, char: string) =>
  String.raw`replace(replace(replace(${json}, '\\', ${char}(1)), '\u0000', ''), ${char}(1), '\\')`

/** SQLite's `replace` cannot search for U+0000 itself: as a JSON string the text has its escape. */
const cleanText = (name: string) => `json_extract(${withoutEscape(`json_quote(${name})`, 'char')}, '$')`
const isJson = (name: string) => name.endsWith('_json')

function cleanSqlite(table: string, columns: readonly string[]): string {
  const set = columns.map((name) => `${name} = ${isJson(name) ? withoutEscape(name, 'char') : cleanText(name)}`)
  const where = columns.map((name) => `instr(${name}, ${isJson(name) ? String.raw`'\u0000'` : 'char(0)'})`)
  // A name that another row has without it stays as it is.
  return `update or ignore "${table}" set ${set.join(', ')} where ${where.join(' or ')}`
}

function cleanPostgres(table: string, columns: readonly string[]): string[] {
  return columns.filter(isJson).map((name) => {
    return String.raw`update "${table}" set ${name} = ${withoutEscape(name, 'chr')} where strpos(${name}, '\u0000') > 0`
  })
}

export const cleanTexts = {
  name: '025-clean-texts',
  sqlite: tables.map(([table, columns]) => cleanSqlite(table, columns)),
  postgres: tables.flatMap(([table, columns]) => cleanPostgres(table, columns)),
}
