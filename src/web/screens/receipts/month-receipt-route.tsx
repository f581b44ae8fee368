import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { divideReceipt, type ReceiptPart } from '../../../contract/account/receipt-parties.ts'
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
import { Paper, paidWith, useAsOf, useNamedNow, VatTerms } from './paper.tsx'

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
  const namedNow = useNamedNow()
  // Failed transactions moved no money.
  const entries = data?.filter(({ status }) => status !== 'failed')
  const parts = divideReceipt(entries ?? [], namedNow)
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
      billedTo={parts[0]?.isAsOfNow ? null : (parts[0]?.billedTo ?? null)}
      isDivided={parts.length > 1}
      wide
    >
      {error ? (
        <UnreadNotice what="The receipt" error={error} onAgain={() => void refetch()} />
      ) : span === null || entries?.length === 0 ? (
        <EmptyState title="There is no receipt">Nothing was charged or refunded in this month.</EmptyState>
      ) : isReady ? (
        <Parts parts={parts} currency={entries[0]?.currency ?? ''} />
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
  { name: 'Paid with', look: 'phone:hidden' },
  { name: 'Amount', look: 'text-right' },
]
const cellClass = 'border-t border-line px-3 py-2 align-top'

type PartsProps = { parts: readonly ReceiptPart<LedgerLine>[]; currency: string }

/** One section for each party that was billed, so that each can be booked; the sum of all only beneath. */
function Parts({ parts, currency }: PartsProps) {
  const [only] = parts
  if (only !== undefined && parts.length === 1) return <Part part={only} currency={currency} />
  const sum = (cents: (part: ReceiptPart<LedgerLine>) => number) => parts.reduce((all, part) => all + cents(part), 0)
  return (
    <>
      {parts.map((part) => (
        <section
          key={part.billedTo}
          aria-label={`To ${firstLine(part)}`}
          className="grid gap-4 border-t border-line pt-6"
        >
          <Party part={part} />
          <Part part={part} currency={currency} />
        </section>
      ))}
      <Sums
        name="All of these"
        chargedCents={sum(({ chargedCents }) => chargedCents)}
        refundedCents={sum(({ refundedCents }) => refundedCents)}
        currency={currency}
      />
    </>
  )
}

const firstLine = ({ billedTo }: ReceiptPart<LedgerLine>) => billedTo?.split('\n')[0] ?? 'nobody named'

function Party({ part: { billedTo, isAsOfNow } }: { part: ReceiptPart<LedgerLine> }) {
  const asOf = useAsOf()
  return (
    <dl className="grid grid-cols-[8rem_1fr] gap-y-2">
      <dt className="text-ink-2">To</dt>
      <dd className="min-w-0 break-words whitespace-pre-line">
        {billedTo ?? 'Nobody was named'}
        {isAsOfNow && asOf}
      </dd>
    </dl>
  )
}

function Part({ part, currency }: { part: ReceiptPart<LedgerLine>; currency: string }) {
  const { lines, chargedCents, refundedCents, vat } = part
  const isAll = vat[0]?.totalCents === chargedCents + refundedCents
  return (
    <>
      <div className="-mx-3">
        <table className={`${tableClass} text-sm`}>
          <TableHeadings columns={columns} />
          <tbody>
            {lines.map((entry) => (
              <Entry key={entry.transaction_id} entry={entry} />
            ))}
          </tbody>
        </table>
      </div>
      <Sums name="Total" {...{ chargedCents, refundedCents, currency }}>
        <VatTerms parts={vat} isAll={isAll} currency={currency} />
      </Sums>
    </>
  )
}

type SumsProps = {
  name: string
  chargedCents: number
  refundedCents: number
  currency: string
  children?: ReactNode
}

function Sums({ name, chargedCents, refundedCents, currency, children }: SumsProps) {
  return (
    <dl className="grid break-inside-avoid grid-cols-[1fr_auto] gap-y-2 border-t border-line pt-4 tabular-nums">
      <dt className="text-ink-2">Charged</dt>
      <dd className="text-right">{moneyText(chargedCents, currency)}</dd>
      {refundedCents < 0 && (
        <>
          <dt className="text-ink-2">Refunded</dt>
          <dd className="text-right">{moneyText(refundedCents, currency)}</dd>
        </>
      )}
      <dt className="font-semibold">
        {name}, {currency}
      </dt>
      <dd className="text-right text-md font-semibold">{moneyText(chargedCents + refundedCents, currency)}</dd>
      {children}
    </dl>
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
