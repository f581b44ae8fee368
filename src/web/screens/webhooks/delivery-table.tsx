import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeliveryEntry } from '../../../contract/account/webhooks.ts'
import { hourMs } from '../../../contract/common/durations.ts'
import { queryClient } from '../../base/api/query-client.ts'
import { redeliverFailedSince, webhooks } from '../../base/api/webhooks.ts'
import { Button } from '../../base/ui/button.tsx'
import { cardClass } from '../../base/ui/card.tsx'
import { type Dates, dayStart } from '../../base/ui/dates.ts'
import { Menu, MenuItem } from '../../base/ui/menu.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { Pill, type PillTone } from '../../base/ui/pill.tsx'
import { Segmented } from '../../base/ui/segmented.tsx'
import { countText, formatCount } from '../../base/ui/sizes.ts'
import { Skeleton } from '../../base/ui/skeleton.tsx'
import { MoreRows, numberCellClass, TableHeadings, tableCellClass, tableClass } from '../../base/ui/table.tsx'
import { showToast } from '../../base/ui/toast.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { Changes } from '../../signed-in/session/changes.tsx'
import { useSession } from '../../signed-in/session/session.ts'

/** On phones a row shows only the essentials; the delivery's panel has the rest. */
const columns = [
  { name: 'Time', look: 'w-32 phone:w-20' },
  { name: 'File' },
  { name: 'Progress', look: 'w-24 phone:hidden' },
  { name: 'Response', look: 'w-72 phone:w-40' },
  { name: 'Attempts', look: 'w-24 text-right phone:hidden' },
]

type Props = { chosen: string | null; onChoose: (id: string) => void }
type Filter = 'all' | 'failed'

/** The deliveries, newest first; kept up to date by the account's events. */
export function DeliveryTable({ chosen, onChoose }: Props) {
  const session = useSession()
  const [filter, setFilter] = useState<Filter>('all')
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    webhooks.deliveries(session, filter === 'failed' ? 'failed' : null),
  )
  const deliveries = data?.pages.flatMap((page) => page.deliveries)
  return (
    <section aria-label="Deliveries" className="grid min-w-0 gap-2.5">
      <TableTools filter={filter} onFilter={setFilter} isEmpty={deliveries?.length === 0} />
      {error && <Notice tone="bad">{error.message}</Notice>}
      <div className={`${cardClass} overflow-x-auto`}>
        <table className={tableClass}>
          <TableHeadings columns={columns} />
          <tbody>
            {deliveries === undefined && !error && <SkeletonRow />}
            {deliveries?.map((delivery) => (
              <Row key={delivery.id} delivery={delivery} isChosen={delivery.id === chosen} onChoose={onChoose} />
            ))}
          </tbody>
        </table>
        {deliveries?.length === 0 && (
          <p className="border-t border-line px-4 py-8 text-center text-ink-2">
            {filter === 'failed'
              ? 'No failed deliveries.'
              : 'No deliveries yet. Save an endpoint and send a test event, or order a file.'}
          </p>
        )}
        {hasNextPage && <MoreRows isReading={isFetchingNextPage} onMore={() => void fetchNextPage()} />}
      </div>
    </section>
  )
}

const resendChoices = [
  { label: 'From the last hour', ms: hourMs },
  { label: 'From the last day', ms: 24 * hourMs },
  { label: 'From the last three days', ms: 72 * hourMs },
]

const filters = [
  { value: 'all', label: 'All' },
  { value: 'failed', label: 'Failed' },
] as const

type ToolsProps = { filter: Filter; onFilter: (filter: Filter) => void; isEmpty: boolean }

/** Above the table: filters deliveries, and retries failed ones. */
function TableTools({ filter, onFilter, isEmpty }: ToolsProps) {
  const session = useSession()
  const resend = useMutation({
    mutationFn: (sinceMs: number) => redeliverFailedSince(session, new Date(Date.now() - sinceMs).toISOString()),
    onSuccess: (count) => {
      const queued = `${formatCount(count, 'delivery', 'deliveries')} queued`
      showToast({ title: count === 0 ? 'No failed deliveries in that time' : queued })
      void queryClient.invalidateQueries({ queryKey: webhooks.all(session) })
    },
  })
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="w-48">
          <Segmented label="Deliveries" value={filter} options={filters} onChange={onFilter} />
        </div>
        {!isEmpty && (
          <Changes>
            <Menu trigger={<Button size="sm">Resend failed…</Button>}>
              {resendChoices.map(({ label, ms }) => (
                <MenuItem key={ms} onSelect={() => resend.mutate(ms)}>
                  {label}
                </MenuItem>
              ))}
            </Menu>
          </Changes>
        )}
      </div>
      {resend.error && <Notice tone="bad">{resend.error.message}</Notice>}
    </>
  )
}

type RowProps = { delivery: DeliveryEntry; isChosen: boolean; onChoose: (id: string) => void }

function Row({ delivery, isChosen, onChoose }: RowProps) {
  const dates = useDates()
  const answer = describeResponse(delivery, dates)
  const at = Date.parse(delivery.updated)
  const isToday = dayStart(at) === dayStart(Date.now())
  return (
    <tr
      className={`${isChosen ? 'bg-sunken' : 'hover:bg-accent-faint'} cursor-pointer`}
      aria-selected={isChosen}
      onClick={() => onChoose(delivery.id)}
    >
      <td className={`${tableCellClass} font-mono text-xs whitespace-nowrap`}>
        {isToday ? '' : `${dates.day(at)} `}
        {dates.second(at)}
      </td>
      <td className={`${tableCellClass} min-w-36 phone:min-w-24`}>
        <button
          type="button"
          onClick={(event) => {
            event.stopPropagation()
            onChoose(delivery.id)
          }}
          className="text-left font-medium underline-offset-2 hover:underline"
        >
          {delivery.file_id === null ? 'Test event' : <bdi>{delivery.file_name}</bdi>}
        </button>
      </td>
      <td className={`${tableCellClass} tabular-nums whitespace-nowrap phone:hidden`}>
        {delivery.file_id === null ? '–' : `${Math.floor(delivery.progress_percent)}%`}
      </td>
      <td className={tableCellClass}>
        <Pill tone={answer.tone}>
          <span className="max-w-44 truncate phone:max-w-24">{answer.text}</span>
          {answer.next && <span>· {answer.next}</span>}
        </Pill>
      </td>
      <td className={`${tableCellClass} ${numberCellClass} phone:hidden`}>{delivery.attempts}</td>
    </tr>
  )
}

function SkeletonRow() {
  return (
    <tr>
      <td colSpan={5} className={tableCellClass}>
        <Skeleton className="h-4 w-full" />
      </td>
    </tr>
  )
}

/** `text` may be truncated, `next` may not. */
type Standing = { text: string; next?: string; tone: PillTone }

/** The state of a delivery, in a few words and a color. */
function describeResponse(delivery: DeliveryEntry, dates: Dates): Standing {
  const { state, response_status: status, response_ms: ms, next_attempt: nextAt, error } = delivery
  const took = ms === null ? '' : ` in ${countText(ms)} ms`
  if (state === 'delivered') return { text: `${status ?? 'done'}${took}`, tone: 'ok' }
  if (state === 'sending') return { text: 'sending', tone: 'plain' }
  // The start of the reason; the delivery's panel has all of it.
  const failure = status === null ? (error?.split(/[.;:]/)[0] ?? 'no response') : String(status)
  // A test event is sent once; others are given up after their last attempt.
  if (state === 'failed')
    return { text: failure, next: delivery.file_id === null ? 'not retried' : 'no more retries', tone: 'bad' }
  const isFresh = delivery.attempts === 0
  if (nextAt === null)
    return { text: isFresh ? 'held while paused' : failure, ...(!isFresh && { next: 'held' }), tone: 'warn' }
  if (isFresh) return { text: 'waiting', tone: 'plain' }
  return { text: failure, next: `next attempt ${dates.time(Date.parse(nextAt))}`, tone: 'warn' }
}
