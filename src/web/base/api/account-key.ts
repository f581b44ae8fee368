import type { Session } from './client.ts'

/** Prefix of every query key of an account: all data read with an account's key is found, and dropped, by it. */
export function accountKey({ environment, account }: Session) {
  return [environment, account] as const
}
