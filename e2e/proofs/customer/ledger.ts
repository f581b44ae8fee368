import type { AccountClient } from '../../../src/service/testing/account-client.ts'

/** Something ordered during the walk, which nobody transcribes, and what it cost. */
export type Order = { name: string; cents: number; project: string | null }

type LedgerEntry = { file_name: string; amount_cents: number }

/** The account's ledger, newest first. */
export async function readLedger(client: AccountClient): Promise<readonly LedgerEntry[]> {
  return (await client.read<{ entries: LedgerEntry[] }>('GET', 'ledger?limit=500')).entries
}

export const sumCents = (entries: readonly LedgerEntry[]): number =>
  entries.reduce((sum, { amount_cents: cents }) => sum + cents, 0)
