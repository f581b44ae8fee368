import { randomBytes } from 'node:crypto'

let lastMs = 0
let sequence = 0

/**
 * A new identifier: prefix, time, a counter within the millisecond, and 64 random bits. Letters and digits only, so
 * that it can be part of any path; later ids sort after earlier ones, so that "newest first" has no ties.
 */
export function mintId(prefix: string): string {
  const ms = Math.max(Date.now(), lastMs)
  sequence = ms === lastMs ? sequence + 1 : 0
  lastMs = ms
  const time = ms.toString(36).padStart(9, '0')
  return `${prefix}${time}${sequence.toString(36).padStart(3, '0')}${randomBytes(8).toString('hex')}`
}
