import * as z from 'zod/mini'

/**
 * What an account's log tells. `read`: a transcript was read or downloaded, in the format that `detail` names.
 * `recording`: deleted without its text; `keeping`: a rule was made, changed or removed.
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
  'keeping',
  'key',
  'payment',
  'webhook',
  'defaults',
  'vocabulary',
  'settings',
] as const
export type LogAction = (typeof logActions)[number]

const logEntry = z.object({
  /** ISO 8601; of several the last */
  time: z.string(),
  action: z.enum(logActions),
  /** what of it: `made “Laptop”`, `pdf` */
  detail: z.string(),
  file_id: z.nullable(z.string()),
  file_name: z.string(),
  /** the name that the key had then; empty where Parley did it by itself, or its operator */
  key: z.string(),
  /** from where: an IP address; empty if none is known */
  address: z.string(),
  /** the same again within an hour is counted here */
  times: z.int(),
})
export type LogEntry = z.infer<typeof logEntry>

/**
 * Answer of `GET log?from=&to=&action=&search=&cursor=&limit=` (limit at most 500), newest first; `search` finds in file
 * names, details, key names and addresses. `GET log.csv` has the same filters and answers with all entries.
 */
export const logPage = z.object({ entries: z.array(logEntry), next_cursor: z.nullable(z.string()) })
export type LogPage = z.infer<typeof logPage>
