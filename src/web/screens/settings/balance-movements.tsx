import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { MoneyCause } from '../../../contract/account/balance.ts'
import { balance, movementsCsv } from '../../base/api/balance.ts'
import { Button } from '../../base/ui/button.tsx'
import { moneyText } from '../../base/ui/money.ts'
import { Notice } from '../../base/ui/notice.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { saveCsv } from '../../signed-in/preferences/save-csv.ts'
import { useSession } from '../../signed-in/session/session.ts'

const causeWords: Record<MoneyCause, string> = {
  'top-up': 'Paid in by card',
  order: 'Order',
  refund: 'Refund to the card',
  'refund-to-balance': 'Refund',
  'refund-paid': 'Refund to the card',
  payout: 'Paid back to the card',
  reversal: 'Taken back by the bank',
  'reversal-won': 'Given back by the bank',
  'order-failed': 'Order that stays unpaid',
  'order-cut': 'Part of an order that stays unpaid',
  'refund-failed': 'Refund canceled',
  'refund-moved': 'Refund kept in the balance',
  loss: 'Paid by the service',
}

/** What changed the balance, the newest first. */
export function Movements({ currency }: { currency: string }) {
  const session = useSession()
  const dates = useDates()
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(balance.movements(session))
  const csv = useMutation({
    mutationFn: async () =>
      saveCsv(await (await movementsCsv(session)).text(), `Parley balance ${session.environment}.csv`),
  })
  const rows = data?.pages.flatMap(({ movements }) => movements) ?? []
  if (rows.length === 0) return null
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] justify-items-start gap-2 border-t border-line pt-3">
      <div className="flex w-full items-center justify-between gap-3">
        <h3 className="font-medium">What changed it</h3>
        <Button
          size="sm"
          aria-label="CSV of what changed the balance"
          disabled={csv.isPending}
          onClick={() => csv.mutate()}
        >
          CSV
        </Button>
      </div>
      {csv.error && <Notice tone="bad">The CSV could not be downloaded. {csv.error.message}</Notice>}
      <ul className="grid w-full grid-cols-[minmax(0,1fr)]">
        {rows.map(({ cause, reference, file_name, amount_cents, created }) => (
          <li key={`${cause} ${reference}`} className="flex items-baseline gap-3 py-1.5">
            <span className="w-28 shrink-0 text-ink-3">{dates.moment(Date.parse(created))}</span>
            <span className="min-w-0 flex-1 truncate">
              {causeWords[cause]}
              {cause === 'top-up' && (
                <>
                  {' '}
                  <Link
                    to={`/${session.environment}/paid-in/${encodeURIComponent(reference)}`}
                    aria-label={`Receipt for ${moneyText(amount_cents, currency)} of ${dates.day(Date.parse(created))}`}
                    className="text-accent underline"
                  >
                    Receipt
                  </Link>
                </>
              )}
              {file_name !== null && (
                <>
                  {' '}
                  <bdi className="text-ink-2">{file_name}</bdi>
                </>
              )}
            </span>
            <span className="tabular-nums">
              {amount_cents > 0 && '+'}
              {moneyText(amount_cents, currency)}
            </span>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button size="sm" onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>
          Show more
        </Button>
      )}
    </div>
  )
}
