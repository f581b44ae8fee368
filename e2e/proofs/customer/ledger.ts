import type { Balance } from '../../../src/contract/account/balance.ts'
import type { AccountClient } from '../../../src/service/testing/account-client.ts'

/** Something ordered during the walk, which nobody transcribes, and what it cost. */
export type Order = { name: string; cents: number; project: string | null }

type LedgerEntry = { file_name: string; amount_cents: number }

/** What orders are paid from, what is on its way back to the card, and where refunds go. */
export type Money = Pick<Balance, 'balance_cents' | 'due_cents' | 'refunds_to'>

export async function readMoney(client: AccountClient): Promise<Money> {
  const { balance_cents, due_cents, refunds_to } = await client.read<Balance>('GET', 'balance')
  return { balance_cents, due_cents, refunds_to }
}

/** The account's ledger, newest first. */
export async function readLedger(client: AccountClient): Promise<readonly LedgerEntry[]> {
  return (await client.read<{ entries: LedgerEntry[] }>('GET', 'ledger?limit=500')).entries
}

export const sumCents = (entries: readonly LedgerEntry[]): number =>
  entries.reduce((sum, { amount_cents: cents }) => sum + cents, 0)
