import * as z from 'zod/mini'

/**
 * Actions in the account's audit log. `read`: a transcript was read or downloaded, in the format named in `detail`.
 * `recording`: deleted without its text; `retention`: a retention rule was created, changed or removed.
 */
export const logActions = [
  'ordered',
  'read',
  'corrected',
  'review',
  'labels',
  'project',
  'deleted',
  'recording',
  'retention',
  'key',
  'payment',
  'webhook',
  'defaults',
  'vocabulary',
  'settings',
  'account',
] as const
export type LogAction = (typeof logActions)[number]

const logEntry = z.object({
  /** ISO 8601 of the first one, by which entries are ordered */
  first: z.string(),
  /** ISO 8601 of the last one, which is another if `times` is above 1 */
  time: z.string(),
  /** what was done */
  action: z.enum(logActions),
  /** details: `made “Laptop”`, `pdf` */
  detail: z.string(),
  file_id: z.nullable(z.string()),
  file_name: z.string(),
  /** the key's name at the time; empty if Parley or its operator acted */
  key: z.string(),
  /** client IP address; empty if unknown */
  address: z.string(),
  /** repetitions within an hour, counted in one entry */
  times: z.int(),
})
export type LogEntry = z.infer<typeof logEntry>

/**
 * Response of `GET log?from=&to=&action=&search=&cursor=&limit=` (limit at most 500), newest first; `search` matches
 * file names, details, key names and addresses. `GET log.csv` takes the same filters and returns all entries.
 */
export const logPage = z.object({
  /** newest first */
  entries: z.array(logEntry),
  next_cursor: z.nullable(z.string()),
})
export type LogPage = z.infer<typeof logPage>
