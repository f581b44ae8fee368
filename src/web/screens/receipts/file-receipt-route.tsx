import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { vatParts } from '../../../contract/account/receipt-parties.ts'
import type { LedgerLine } from '../../../contract/account/usage.ts'
import { decimalToCents } from '../../../contract/interface/price.ts'
import { account as accountQueries } from '../../base/api/account.ts'
import { ApiError } from '../../base/api/client.ts'
import { type FileRecord, takenBackCents } from '../../base/api/metadata-reader.ts'
import { usageQueries } from '../../base/api/usage.ts'
import { clockText } from '../../base/ui/duration.ts'
import { EmptyState } from '../../base/ui/empty-state.tsx'
import { moneyText } from '../../base/ui/money.ts'
import { sizeText } from '../../base/ui/sizes.ts'
import { Skeleton } from '../../base/ui/skeleton.tsx'
import { useFile } from '../../signed-in/library/use-file.ts'
import { orderText } from '../../signed-in/options/order-text.ts'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { useSession } from '../../signed-in/session/session.ts'
import { Paper, paidWith, VatTerms } from './paper.tsx'

/** Printable receipt of one file (`/:env/files/:id/receipt`). */
export function Component() {
  const { id = '' } = useParams()
  const { environment } = useSession()
  const { record, error } = useFile(id)
  const isGone = error instanceof ApiError && error.status === 404
  const facts = useFacts(record ?? null)
  const billedTo = useEntry(record ?? null)?.billed_to ?? null
  return (
    <Paper back="files" backLabel="Files" title="Receipt" facts={facts} billedTo={billedTo}>
      {record ? (
        <Sums record={record} />
      ) : error ? (
        <EmptyState title={isGone ? 'This file was deleted' : 'The receipt could not be loaded'}>
          {isGone ? (
            <>
              What it cost, and what was refunded, is on the receipt of its month under{' '}
              <Link to={`/${environment}/usage`} className="underline">
                Usage
              </Link>
              .
            </>
          ) : (
            error.message
          )}
        </EmptyState>
      ) : (
        <Skeleton className="mx-auto h-96 w-full max-w-xl" />
      )}
    </Paper>
  )
}

function useFacts(record: FileRecord | null): [string, string][] | null {
  const dates = useDates()
  const entry = useEntry(record)
  if (record === null) return null
  const { metadata } = record
  return [
    ['Receipt number', metadata.transaction_id || '–'],
    ['Recording', metadata.name || record.id],
    ['File', record.id],
    ['Ordered', dates.date(record.createdAt)],
    ['Length', clockText(record.seconds)],
    ['Size', sizeText(Number(metadata.bytes || Number.NaN))],
    ['Order', orderText(metadata.options)],
    ...(entry?.free_seconds ? [['Free of charge', clockText(entry.free_seconds)] as [string, string]] : []),
    ['Paid with', entry === undefined || entry.status === 'failed' ? '' : paidWith(entry)],
    ['Payment', entry?.status === 'failed' ? 'Taken back by the bank: this order is unpaid.' : ''],
  ]
}

/** The charge of a file in its service's ledger; undefined if unknown. */
function useEntry(record: FileRecord | null): LedgerLine | undefined {
  const session = useSession()
  const { data: overview } = useQuery(accountQueries.overview(session))
  const search = record?.metadata.transaction_id ?? ''
  const isKept = overview?.features.usage === true && search !== ''
  const { data } = useQuery({ ...usageQueries.receipt(session, { search }), enabled: isKept })
  return data?.find(({ transaction_id }) => transaction_id === search)
}

function Sums({ record }: { record: FileRecord }) {
  const entry = useEntry(record)
  const { metadata, totalCents } = record
  const takenBack = takenBackCents(record)
  const money = (decimal: string) => moneyText(decimal === '' ? Number.NaN : decimalToCents(decimal), metadata.currency)
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-y-2 border-t border-line pt-4 tabular-nums">
      <dt className="text-ink-2">Cost</dt>
      <dd className="text-right">{money(metadata.cost)}</dd>
      <dt className="text-ink-2">{entry?.free_seconds ? 'Free minutes and discount' : 'Discount'}</dt>
      <dd className="text-right">{money(metadata.discount)}</dd>
      {takenBack > 0 && (
        <>
          <dt className="text-ink-2">Taken back by the bank</dt>
          <dd className="text-right">{moneyText(-takenBack, metadata.currency)}</dd>
        </>
      )}
      {Number(metadata.refund_amount) > 0 && (
        <>
          <dt className="text-ink-2">Refunded</dt>
          <dd className="text-right">{money(metadata.refund_amount)}</dd>
        </>
      )}
      <dt className="font-semibold">Total, {metadata.currency}</dt>
      <dd className="text-right text-md font-semibold">{moneyText(totalCents, metadata.currency)}</dd>
      <VatTerms
        isAll
        parts={entry ? vatParts([{ ...entry, amount_cents: totalCents }]) : []}
        currency={metadata.currency}
      />
    </dl>
  )
}
