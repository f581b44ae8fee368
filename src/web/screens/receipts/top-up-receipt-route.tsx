import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { balance } from '../../base/api/balance.ts'
import { EmptyState } from '../../base/ui/empty-state.tsx'
import { moneyText } from '../../base/ui/money.ts'
import { Skeleton } from '../../base/ui/skeleton.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { useSession } from '../../signed-in/session/session.ts'
import { Paper } from './paper.tsx'

/** Printable receipt of what a card paid into the balance (`/:env/paid-in/:id`). */
export function Component() {
  const { id = '' } = useParams()
  const dates = useDates()
  const { data, error } = useQuery(balance.topUp(useSession(), id))
  const facts: [string, string][] | null = data
    ? [
        // The order that it was made for has a receipt of its own, under the number of the payment.
        ['Receipt number', `${data.transaction_id}-in`],
        ['Payment', data.transaction_id],
        ['Paid in', dates.date(Date.parse(data.created))],
        ['Paid with', data.card ?? ''],
      ]
    : null
  return (
    <Paper back="settings/money#balance" backLabel="Money" title="Receipt" facts={facts}>
      {data ? (
        <>
          <dl className="grid grid-cols-[1fr_auto] gap-y-2 border-t border-line pt-4 tabular-nums">
            <dt className="font-semibold">Paid into the balance, {data.currency}</dt>
            <dd className="text-right text-md font-semibold">{moneyText(data.amount_cents, data.currency)}</dd>
            {data.reversed_cents > 0 && (
              <>
                <dt className="text-ink-2">Taken back by the bank</dt>
                <dd className="text-right">{moneyText(data.reversed_cents, data.currency)}</dd>
              </>
            )}
          </dl>
          <p className="text-sm text-ink-3">Orders are paid from the balance. Invoices are written of orders.</p>
        </>
      ) : error ? (
        <EmptyState title="The receipt could not be loaded">{error.message}</EmptyState>
      ) : (
        <Skeleton className="mx-auto h-64 w-full max-w-xl" />
      )}
    </Paper>
  )
}
