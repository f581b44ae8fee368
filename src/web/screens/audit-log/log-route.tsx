import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Download, Search } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { type LogAction, type LogEntry, logActions } from '../../../contract/account/audit-log.ts'
import { type LogFilter, logCsv, logQuery } from '../../base/api/account-log.ts'
import { Button } from '../../base/ui/button.tsx'
import { cardClass } from '../../base/ui/card.tsx'
import { inputClass } from '../../base/ui/field.tsx'
import { Notice, UnreadNotice } from '../../base/ui/notice.tsx'
import { PageHeader, pageClass } from '../../base/ui/page-header.tsx'
import { Select } from '../../base/ui/select.tsx'
import { countText } from '../../base/ui/sizes.ts'
import { Skeleton } from '../../base/ui/skeleton.tsx'
import { MoreRows, TableHeadings, tableCellClass, tableClass } from '../../base/ui/table.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { saveCsv } from '../../signed-in/preferences/save-csv.ts'
import { useSession } from '../../signed-in/session/session.ts'

const words: Record<LogAction, string> = {
  ordered: 'Ordered',
  read: 'Transcript read',
  corrected: 'Corrected',
  review: 'Review',
  labels: 'Name, note or tags',
  project: 'Project',
  deleted: 'Deleted',
  recording: 'Recording',
  retention: 'Automatic deletion',
  key: 'API key',
  payment: 'Payment',
  webhook: 'Webhook',
  defaults: 'Default options',
  vocabulary: 'Vocabulary',
  settings: 'Settings',
  account: 'Account',
}
const choices = [
  { value: 'all', label: 'Everything' } as const,
  ...logActions.map((value) => ({ value, label: words[value] })),
]

/** Account log (`/:environment/settings/log`): which actions were taken, by which key, from where. */
export function Component() {
  const session = useSession()
  const [search, setSearch] = useSearchParams()
  const filter: LogFilter = {
    action: logActions.find((action) => action === search.get('action')) ?? null,
    search: search.get('q') ?? '',
  }
  const change = (name: string, value: string) => {
    const next = new URLSearchParams(search)
    if (value) next.set(name, value)
    else next.delete(name)
    setSearch(next, { replace: true })
  }
  const csv = useMutation({
    mutationFn: async () =>
      saveCsv(await (await logCsv(session, filter)).text(), `Parley log ${session.environment}.csv`),
  })
  return (
    <div className={pageClass}>
      <PageHeader
        title="Account log"
        subtitle="What was done, by which key and from where; kept for a year"
        actions={
          <Button onClick={() => csv.mutate()} disabled={csv.isPending}>
            <Download aria-hidden /> CSV
          </Button>
        }
      />
      {csv.error && <Notice tone="bad">The CSV could not be downloaded. {csv.error.message}</Notice>}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Select
          label="Show"
          value={filter.action ?? 'all'}
          options={choices}
          onChange={(value) => change('action', value === 'all' ? '' : value)}
        />
        <label className="relative w-72 phone:w-full">
          <span className="sr-only">Search the log</span>
          <Search aria-hidden className="absolute top-2.5 left-2.5 size-4 text-ink-3" />
          <input
            type="search"
            placeholder="File, key or address"
            defaultValue={filter.search}
            onChange={(event) => change('q', event.target.value)}
            className={`${inputClass} pl-8.5`}
          />
        </label>
      </div>
      <LogTable filter={filter} />
    </div>
  )
}

const columns = [
  { name: 'When' },
  { name: 'What' },
  { name: 'File' },
  { name: 'Key', look: 'phone:hidden' },
  { name: 'Address', look: 'phone:hidden' },
]

function LogTable({ filter }: { filter: LogFilter }) {
  const session = useSession()
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useInfiniteQuery(
    logQuery(session, filter),
  )
  const entries = data?.pages.flatMap((page) => page.entries)
  if (error && !data) return <UnreadNotice what="The log" error={error} onAgain={() => void refetch()} />
  if (entries === undefined) return <Skeleton className="h-96 w-full" />
  return (
    <section aria-label="Log" className={`${cardClass} overflow-x-auto`}>
      <table className={tableClass}>
        <TableHeadings columns={columns} />
        <tbody>
          {entries.map((entry, index) => (
            <Entry key={index} entry={entry} />
          ))}
        </tbody>
      </table>
      {entries.length === 0 && <p className="border-t border-line px-3 py-8 text-center text-ink-2">No entries.</p>}
      {hasNextPage && <MoreRows isReading={isFetchingNextPage} onMore={() => void fetchNextPage()} />}
    </section>
  )
}

function Entry({ entry }: { entry: LogEntry }) {
  const { first, time, action, detail, file_id, file_name, key, address, times } = entry
  const dates = useDates()
  const { environment } = useSession()
  const name = file_name || file_id
  const what = action === 'read' ? `as ${detail.toUpperCase()}` : detail
  return (
    <tr>
      <td className={`${tableCellClass} whitespace-nowrap phone:whitespace-normal`}>{dates.date(Date.parse(first))}</td>
      <td className={tableCellClass}>
        {words[action]} <span className="text-ink-2">{what}</span>
        {times > 1 && (
          <span className="text-ink-3">
            {' '}
            · {countText(times)} times, last {dates.time(Date.parse(time))}
          </span>
        )}
      </td>
      <td className={`${tableCellClass} min-w-40 phone:min-w-24`}>
        {file_id !== null && action !== 'deleted' ? (
          <Link to={`/${environment}/files/${encodeURIComponent(file_id)}`} className="hover:underline">
            <bdi>{name}</bdi>
          </Link>
        ) : (
          <bdi>{name}</bdi>
        )}
      </td>
      <td className={`${tableCellClass} phone:hidden`}>{key || <span className="text-ink-3">Parley</span>}</td>
      <td className={`${tableCellClass} whitespace-nowrap tabular-nums phone:hidden`}>{address || '–'}</td>
    </tr>
  )
}
