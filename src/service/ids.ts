import { randomBytes } from 'node:crypto'

/** A new identifier: the prefix and 96 random bits in hex. Letters and digits alone, so that it can stand in any path. */
export function mintId(prefix: string): string {
  return `${prefix}${randomBytes(12).toString('hex')}`
}
