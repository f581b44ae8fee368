import { type SqlBool, sql } from 'kysely'

/** Of a query with `files`, in the very words of the index `files_unfinished`: orders that are being worked on. */
export const isUnfinished = sql<SqlBool>`files.progress_percent < 100 and files.given_up = 0`

/**
 * Live manual orders that cost something and that nobody has begun: no part is held, done or typed in. On their delivery
 * date they are given back (decision 145), so nothing but an operator moves that date. Of a query with `files`.
 * @param now milliseconds since 1970
 */
export const isUnbegun = (now: number) => sql<SqlBool>`(files.environment = 'live' and files.progress_percent = 0
  and ${isUnfinished} and files.total_cents > 0 and files.options_json like '%"transcript_type":"manual"%'
  and not exists (select 1 from work_parts p left join work_texts t on t.part_id = p.id
    where p.file_id = files.id and (p.reached > 0 or p.held_until > ${now} or t.revision > 0)))`
