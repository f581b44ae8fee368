import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, Search } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { account } from '../api/account.ts'
import { ledgerCsv, usageQueries } from '../api/usage.ts'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { inputClass } from '../ui/field.tsx'
import { NotOffered } from '../ui/not-offered.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageHeader, pageClass } from '../ui/page-header.tsx'
import { saveFile } from '../ui/save-file.ts'
import { Segmented } from '../ui/segmented.tsx'
import { Select } from '../ui/select.tsx'
import { UnreadNotice } from '../ui/unread-notice.tsx'
import { filterOf } from './ledger-filter.ts'
import { LedgerTable } from './ledger-table.tsx'
import { MonthChart } from './month-chart.tsx'
import { MonthTable } from './month-table.tsx'
import { daysOf, type Period, periodOf, periods, spanOf } from './span.ts'
import { StatCards } from './stat-cards.tsx'

/** Usage (`/:environment/usage`): what was transcribed, and what it cost. */
export function Component() {
  const { data: overview } = useQuery(account.overview(useSession()))
  const isOffered = overview === undefined || overview?.features.usage
  return isOffered ? <Usage /> : <NotOffered title="Usage" />
}

function Usage() {
  const session = useSession()
  const [search, setSearch] = useSearchParams()
  const [openedAt] = useState(Date.now)
  const filter = filterOf(search, openedAt)
  const days = daysOf(search)
  const { data: usage, error, refetch } = useQuery(usageQueries.totals(session, filter))
  const csv = useMutation({
    mutationFn: async () => saveFile(await ledgerCsv(session, filter), `Parley ledger ${session.environment}.csv`),
  })

  function change(values: Record<string, string | null>) {
    const next = new URLSearchParams(search)
    for (const [name, value] of Object.entries(values)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    setSearch(next, { replace: true })
  }

  return (
    <div className={pageClass}>
      <PageHeader
        title="Usage"
        subtitle="What was transcribed, and what it cost"
        actions={
          <>
            <PeriodChoice search={search} now={openedAt} onChange={change} />
            <Button onClick={() => csv.mutate()} disabled={csv.isPending}>
              <Download aria-hidden /> CSV
            </Button>
          </>
        }
      />
      {days.from !== null && days.to !== null && days.from > days.to && (
        <Notice tone="warn">The first day lies after the last, so no entry can be between them.</Notice>
      )}
      {csv.error && <Notice tone="bad">The CSV could not be read. {csv.error.message}</Notice>}
      {error && <UnreadNotice what="The usage" error={error} onAgain={() => void refetch()} />}
      <StatCards usage={usage} />
      <Card className="grid gap-3 px-5 py-4">
        <h2 className="flex flex-wrap items-center gap-x-4 gap-y-1 text-md font-semibold">
          Charges by month
          <Legend className="bg-accent" label="Manual" />
          <Legend className="bg-chart-2" label="Automated" />
        </h2>
        {usage && usage.months.length > 0 ? (
          <>
            <MonthChart months={usage.months} currency={usage.currency} />
            <MonthTable usage={usage} />
          </>
        ) : (
          <p className="grid min-h-40 place-items-center text-ink-2">{usage ? 'No charges in this time.' : ''}</p>
        )}
      </Card>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="w-72 phone:w-full">
          <Segmented
            label="Entries"
            value={filter.kind ?? 'all'}
            options={[
              { value: 'all', label: 'All' },
              { value: 'charge', label: 'Charges' },
              { value: 'refund', label: 'Refunds' },
            ]}
            onChange={(kind) => change({ kind: kind === 'all' ? null : kind })}
          />
        </div>
        <label className="relative w-72 phone:w-full">
          <span className="sr-only">Search the ledger</span>
          <Search aria-hidden className="absolute top-2.5 left-2.5 size-4 text-ink-3" />
          <input
            type="search"
            placeholder="File or transaction"
            defaultValue={filter.search}
            onChange={(event) => change({ q: event.target.value })}
            className={`${inputClass} pl-8.5`}
          />
        </label>
      </div>
      <LedgerTable filter={filter} />
    </div>
  )
}

type PeriodProps = {
  search: URLSearchParams
  now: number
  onChange: (values: Record<string, string | null>) => void
}

function PeriodChoice({ search, now, onChange }: PeriodProps) {
  const period = periodOf(search)
  const days = daysOf(search)
  function choose(next: Period) {
    if (next !== 'custom') onChange({ period: next, from: null, to: null })
    else
      onChange({
        period: null,
        from: spanOf(search, now).from?.slice(0, 10) ?? null,
        to: new Date(now).toISOString().slice(0, 10),
      })
  }
  return (
    <>
      {period === 'custom' && (
        <>
          <DayField label="From" value={days.from} onChange={(from) => onChange({ from })} />
          <DayField label="To" value={days.to} onChange={(to) => onChange({ to })} />
        </>
      )}
      <Select label="Time" value={period} options={periods} onChange={choose} className="font-semibold text-sm" />
    </>
  )
}

type DayProps = { label: string; value: string | null; onChange: (value: string) => void }

function DayField({ label, value, onChange }: DayProps) {
  return (
    <label className="flex items-center gap-2 text-sm text-ink-2">
      {label}
      <input
        type="date"
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value)}
        className={inputClass}
      />
    </label>
  )
}

function Legend({ className, label }: { className: string; label: string }) {
  return (
    <span className="flex items-center gap-2 text-sm font-normal text-ink-2">
      <span aria-hidden className={`size-2.5 rounded-[3px] ${className}`} /> {label}
    </span>
  )
}
