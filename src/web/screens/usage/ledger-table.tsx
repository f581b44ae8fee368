import { useInfiniteQuery } from '@tanstack/react-query'
import type { LedgerLine } from '../../../contract/account/usage.ts'
import { type LedgerFilter, usageQueries } from '../../base/api/usage.ts'
import { cardClass } from '../../base/ui/card.tsx'
import type { Dates } from '../../base/ui/dates.ts'
import { clockText } from '../../base/ui/duration.ts'
import { IdText } from '../../base/ui/id-text.tsx'
import { moneyText } from '../../base/ui/money.ts'
import { UnreadNotice } from '../../base/ui/notice.tsx'
import { countText, formatCount } from '../../base/ui/sizes.ts'
import { Skeleton } from '../../base/ui/skeleton.tsx'
import { MoreRows, numberCellClass, TableHeadings, tableCellClass, tableClass } from '../../base/ui/table.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { useSession } from '../../signed-in/session/session.ts'

/** The transaction id is hidden on phones; the CSV has it. */
const columns = [
  { name: 'Date' },
  { name: 'Transaction', look: 'phone:hidden' },
  { name: 'File' },
  { name: 'Type' },
  { name: 'Amount', look: 'text-right' },
]

/** The account's ledger, newest first, loaded page by page. */
export function LedgerTable({ filter }: { filter: LedgerFilter }) {
  const session = useSession()
  const dates = useDates()
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useInfiniteQuery(
    usageQueries.ledger(session, filter),
  )
  const entries = data?.pages.flatMap((page) => page.entries)
  const total = data?.pages.at(-1)?.total ?? 0
  if (error && !data) {
    return <UnreadNotice what="The ledger" error={error} onAgain={() => void refetch()} />
  }
  return (
    <section aria-label="Ledger" className={`${cardClass} overflow-x-auto`}>
      <table className={tableClass}>
        <TableHeadings columns={columns} />
        <tbody>
          {entries === undefined ? (
            <SkeletonRows />
          ) : (
            entries.map((entry) => <Entry key={entry.transaction_id} entry={entry} dates={dates} />)
          )}
        </tbody>
      </table>
      {entries?.length === 0 && <p className="border-t border-line px-3 py-8 text-center text-ink-2">No entries.</p>}
      {hasNextPage && (
        <MoreRows isReading={isFetchingNextPage} onMore={() => void fetchNextPage()}>
          <span className="text-sm text-ink-3 tabular-nums">
            {countText(entries?.length ?? 0)} of {formatCount(total, 'entry', 'entries')}
          </span>
        </MoreRows>
      )}
    </section>
  )
}

function Entry({ entry, dates }: { entry: LedgerLine; dates: Dates }) {
  return (
    <tr>
      <td className={`${tableCellClass} whitespace-nowrap`}>{dates.day(Date.parse(entry.created))}</td>
      <td className={`${tableCellClass} phone:hidden`}>
        <IdText id={entry.transaction_id} what="transaction" />
      </td>
      <td className={`${tableCellClass} min-w-40 phone:min-w-24`}>
        <bdi>{entry.file_name}</bdi>
      </td>
      <td className={tableCellClass}>{kindText(entry, dates)}</td>
      <td className={`${tableCellClass} ${numberCellClass} whitespace-nowrap`}>
        <Amount entry={entry} />
      </td>
    </tr>
  )
}

/** What failed moved no money: struck out, as it is in no sum. */
function Amount({ entry: { status, amount_cents, currency } }: { entry: LedgerLine }) {
  const text = moneyText(amount_cents, currency)
  return status === 'failed' ? <del className="text-ink-3">{text}</del> : text
}

/** `Charge · from the balance`, `Charge · Visa 4242 paid in $20.00`, `Refund at 42% · due 24 Nov`. */
function kindText(entry: LedgerLine, dates: Dates): string {
  const { kind, progress_percent: progress, due, status } = entry
  const failed = status === 'failed' ? (kind === 'charge' ? ' · taken back by the bank' : ' · canceled') : ''
  const free = entry.free_seconds ? ` · ${clockText(entry.free_seconds)} free` : ''
  if (kind === 'charge') return `Charge${free}${howPaid(entry)}${failed}`
  const done = progress === null ? '' : ` at ${Math.floor(progress)}%`
  const to = entry.via === 'balance' ? ' · to the balance' : entry.via === 'bank' ? ' · by the bank' : ''
  const why = entry.reason === 'not-begun' ? ' · nobody had begun' : ''
  return `Refund${done}${why}${to}${status === 'pending' ? ` · due ${dates.day(Date.parse(due))}` : failed}`
}

function howPaid({ via, top_up_cents, card, currency, amount_cents }: LedgerLine): string {
  if (via !== 'balance' || amount_cents === 0) return ''
  return top_up_cents ? ` · ${card} paid in ${moneyText(top_up_cents, currency)}` : ' · from the balance'
}

function SkeletonRows() {
  return [0, 1, 2].map((row) => (
    <tr key={row}>
      {['w-14', 'w-24', 'w-48', 'w-20', 'ml-auto w-14'].map((width, column) => (
        <td key={width} className={`${tableCellClass} ${columns[column]?.look}`}>
          <Skeleton className={`h-3.5 max-w-full ${width}`} />
        </td>
      ))}
    </tr>
  ))
}
