import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type LedgerLine, type LedgerPage, ledgerPage, usage } from '../../../contract/account/usage.ts'
import { account } from './account.ts'
import { accountPages, accountQuery, askAccount, blobOfAccount } from './account-call.ts'
import { queryText } from './addresses.ts'
import type { Session } from './client.ts'

/** A time range, `from` inclusive and `to` exclusive, ISO 8601; null: open. */
export type Span = { from: string | null; to: string | null }
export type LedgerFilter = Span & { kind: 'charge' | 'refund' | null; search: string }

/** Queries of charges and refunds. */
export const usageQueries = {
  totals: (session: Session, { from, to }: Span) => {
    const more = { placeholderData: keepPreviousData }
    return accountQuery(session, ['usage', { from, to }], `usage${queryText({ from, to })}`, usage, more)
  },
  ledger: (session: Session, { from, to, kind, search }: LedgerFilter) => {
    const path = (cursor: string | null) => `ledger${queryText({ from, to, kind, search, cursor, limit: '50' })}`
    return accountPages(session, ['ledger', { from, to, kind, search }], path, ledgerPage)
  },
  /** the lines of a receipt, oldest first: a month's entries (UTC), or those of one transaction */
  receipt: (session: Session, of: Span | { search: string }) =>
    queryOptions({
      queryKey: [...account.all(session), 'receipt', of] as const,
      queryFn: ({ signal }) => wholeLedger(session, of, signal),
    }),
}

/** All matching entries, oldest first. @throws ApiError */
async function wholeLedger(session: Session, filter: Partial<LedgerFilter>, signal: AbortSignal) {
  const entries: LedgerLine[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const asked = queryText({ ...filter, ...(cursor && { cursor }), limit: '500' })
    const page: LedgerPage = await askAccount(session, `ledger${asked}`, ledgerPage, { signal })
    entries.push(...page.entries)
    cursor = page.next_cursor
  }
  return entries.reverse()
}

/** All matching ledger entries as CSV. @throws ApiError */
export async function ledgerCsv(session: Session, { from, to, kind, search }: LedgerFilter): Promise<Blob> {
  return await blobOfAccount(session, `ledger.csv${queryText({ from, to, kind, search })}`)
}
