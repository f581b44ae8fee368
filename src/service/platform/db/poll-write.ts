import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from './open.ts'
import { type AccountTrx, writeAccount } from './write-account.ts'

type Poll = { longestPollMs: number; waitsForMs: number; signal?: AbortSignal }

/**
 * Repeats a transaction of an account, with growing pauses, until it returns something: for what another request, on any
 * node, has in hand.
 * @param attempt returns null if it is still in the way
 * @returns null if it stayed so for `waitsForMs`, or the signal is aborted
 */
export async function pollWrite<Result>(
  db: Db,
  accountId: string,
  attempt: (trx: AccountTrx) => Promise<Result | null>,
  { longestPollMs, waitsForMs, signal }: Poll,
): Promise<Result | null> {
  const startedMs = performance.now()
  for (let pauseMs = 10; ; pauseMs = Math.min(2 * pauseMs, longestPollMs)) {
    const result = await writeAccount(db, accountId, attempt)
    if (result !== null) return result
    if (performance.now() - startedMs > waitsForMs || signal?.aborted) return null
    await wait(pauseMs)
  }
}
