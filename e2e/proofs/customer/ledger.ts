import type { Balance } from '../../../src/contract/account/balance.ts'
import type { FilePage } from '../../../src/contract/account/file-pages.ts'
import type { AccountClient } from '../../../src/service/testing/account-client.ts'

/** A recording made for an order: its length, and what makes it differ from others of that length. */
export type Sound = { seconds: number; variant: number }

/**
 * Something ordered during the walk, which nobody transcribes, what it cost, how far it is said to be, and the rules that
 * new files had for their captions.
 */
export type Order = {
  name: string
  cents: number
  project: string | null
  sound: Sound
  percent: number
  rules: string
}

type LedgerEntry = { file_name: string; amount_cents: number }

/** What orders are paid from, what is on its way back to the card, and where refunds go. */
export type Money = Pick<Balance, 'balance_cents' | 'due_cents' | 'refunds_to'>

export async function readMoney(client: AccountClient): Promise<Money> {
  const { balance_cents, due_cents, refunds_to } = await client.read<Balance>('GET', 'balance')
  return { balance_cents, due_cents, refunds_to }
}

/** The id of something ordered. */
export async function findOrder(client: AccountClient, name: string): Promise<string> {
  const { files } = await client.read<FilePage>('GET', 'files')
  return files.find(({ metadata }) => metadata.name.startsWith(name))?.id ?? ''
}

/** The account's ledger, newest first. */
export async function readLedger(client: AccountClient): Promise<readonly LedgerEntry[]> {
  return (await client.read<{ entries: LedgerEntry[] }>('GET', 'ledger?limit=500')).entries
}

export const sumCents = (entries: readonly LedgerEntry[]): number =>
  entries.reduce((sum, { amount_cents: cents }) => sum + cents, 0)
