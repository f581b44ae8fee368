import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { LedgerLine } from '../../../contract/account/usage.ts'
import { account as accountQueries } from '../../base/api/account.ts'
import { type Span, usageQueries } from '../../base/api/usage.ts'
import { clockText } from '../../base/ui/duration.ts'
import { EmptyState } from '../../base/ui/empty-state.tsx'
import { moneyText } from '../../base/ui/money.ts'
import { UnreadNotice } from '../../base/ui/notice.tsx'
import { Skeleton } from '../../base/ui/skeleton.tsx'
import { numberCellClass, TableHeadings, tableClass } from '../../base/ui/table.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { useSession } from '../../signed-in/session/session.ts'
import { Paper, paidWith, VatTerm } from './paper.tsx'

/** The time span of a month, UTC like the ledger's totals; null if invalid. */
function monthSpan(month: string): Span | null {
  const from = new Date(`${month}-01T00:00:00Z`)
  if (!/^\d{4}-\d{2}$/.test(month) || Number.isNaN(from.getTime())) return null
  const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1))
  return { from: from.toISOString(), to: to.toISOString() }
}

/** Printable receipt of a month (`/:env/usage/2026-11`): all of its charges and refunds. */
export function Component() {
  const { month = '' } = useParams()
  const session = useSession()
  const span = monthSpan(month)
  const { data, error, refetch } = useQuery({
    ...usageQueries.receipt(session, span ?? { from: null, to: null }),
    enabled: span !== null,
  })
  const { data: overview } = useQuery(accountQueries.overview(session))
  const dates = useDates()
  // Failed transactions moved no money.
  const entries = data?.filter(({ status }) => status !== 'failed')
  const isRunning = span?.to && Date.parse(span.to) > Date.now()
  const isReady = entries !== undefined && overview !== undefined && entries.length > 0
  const facts = isReady
    ? ([
        ['Receipt number', `${overview?.id ?? ''}-${month}`],
        ['Month', `${dates.longMonth(month)}, in UTC`],
      ] as const)
    : null
  return (
    <Paper
      back="usage"
      backLabel="Usage"
      title={`Receipt for ${span ? dates.longMonth(month) : month}${isRunning ? ' so far' : ''}`}
      facts={facts}
      billedTo={entries?.findLast(({ billed_to }) => billed_to != null)?.billed_to ?? null}
      wide
    >
      {error ? (
        <UnreadNotice what="The receipt" error={error} onAgain={() => void refetch()} />
      ) : span === null || entries?.length === 0 ? (
        <EmptyState title="There is no receipt">Nothing was charged or refunded in this month.</EmptyState>
      ) : isReady ? (
        <Entries entries={entries} />
      ) : (
        <Skeleton className="mx-auto h-96 w-full max-w-4xl" />
      )}
    </Paper>
  )
}

const columns = [
  { name: 'Date' },
  { name: 'Number', look: 'phone:hidden' },
  { name: 'For' },
  { name: 'Length', look: 'text-right phone:hidden' },
  { name: 'Card', look: 'phone:hidden' },
  { name: 'Amount', look: 'text-right' },
]
const cellClass = 'border-t border-line px-3 py-2 align-top'

function Entries({ entries }: { entries: readonly LedgerLine[] }) {
  const currency = entries[0]?.currency ?? ''
  const sum = (kind: LedgerLine['kind']) =>
    entries.reduce((cents, entry) => cents + (entry.kind === kind ? entry.amount_cents : 0), 0)
  const [charged, refunded] = [sum('charge'), sum('refund')]
  return (
    <>
      <div className="-mx-3">
        <table className={`${tableClass} text-sm`}>
          <TableHeadings columns={columns} />
          <tbody>
            {entries.map((entry) => (
              <Entry key={entry.transaction_id} entry={entry} />
            ))}
          </tbody>
        </table>
      </div>
      <dl className="grid break-inside-avoid grid-cols-[1fr_auto] gap-y-2 border-t border-line pt-4 tabular-nums">
        <dt className="text-ink-2">Charged</dt>
        <dd className="text-right">{moneyText(charged, currency)}</dd>
        {refunded < 0 && (
          <>
            <dt className="text-ink-2">Refunded</dt>
            <dd className="text-right">{moneyText(refunded, currency)}</dd>
          </>
        )}
        <dt className="font-semibold">Total, {currency}</dt>
        <dd className="text-right text-md font-semibold">{moneyText(charged + refunded, currency)}</dd>
        <VatTerm entries={entries} totalCents={charged + refunded} currency={currency} />
      </dl>
    </>
  )
}

/** The UTC day of an instant, as months here are UTC, in milliseconds of its local midnight. */
function utcDay(instant: string): number {
  return Date.parse(`${instant.slice(0, 10)}T00:00`)
}

function Entry({ entry }: { entry: LedgerLine }) {
  const dates = useDates()
  const isRefund = entry.kind === 'refund'
  const due = isRefund && entry.status === 'pending' ? ` · due ${dates.dayOfYear(utcDay(entry.due))}` : ''
  const free = entry.free_seconds ? ` · ${clockText(entry.free_seconds)} free` : ''
  const what = !isRefund
    ? `Transcript, ${entry.transcript_type}${free}`
    : entry.via === 'bank'
      ? 'Taken back by the bank'
      : `Refund${due}`
  return (
    <tr className="break-inside-avoid">
      <td className={`${cellClass} whitespace-nowrap`}>{dates.dayOfYear(utcDay(entry.created))}</td>
      <td className={`${cellClass} whitespace-nowrap phone:hidden`}>{entry.transaction_id}</td>
      <td className={cellClass}>
        <bdi>{entry.file_name}</bdi>
        <span className="block text-ink-2">{what}</span>
      </td>
      <td className={`${cellClass} ${numberCellClass} phone:hidden`}>{clockText(entry.seconds)}</td>
      <td className={`${cellClass} phone:hidden`}>{paidWith(entry) || '–'}</td>
      <td className={`${cellClass} ${numberCellClass} whitespace-nowrap`}>
        {moneyText(entry.amount_cents, entry.currency)}
      </td>
    </tr>
  )
}
