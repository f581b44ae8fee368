import type { Session } from './client.ts'

/** What the key of every query begins with: all that was read with an account's key is found, and forgotten, by it. */
export function accountKey({ environment, account }: Session) {
  return [environment, account] as const
}
