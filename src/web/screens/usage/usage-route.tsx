import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, Search } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Usage } from '../../../contract/account/usage.ts'
import { account } from '../../base/api/account.ts'
import { type LedgerFilter, ledgerCsv, usageQueries } from '../../base/api/usage.ts'
import { Button } from '../../base/ui/button.tsx'
import { Card } from '../../base/ui/card.tsx'
import { inputClass } from '../../base/ui/field.tsx'
import { NotOffered } from '../../base/ui/not-offered.tsx'
import { Notice, UnreadNotice } from '../../base/ui/notice.tsx'
import { PageHeader, pageClass } from '../../base/ui/page-header.tsx'
import { Segmented } from '../../base/ui/segmented.tsx'
import { Select } from '../../base/ui/select.tsx'
import { saveCsv } from '../../signed-in/preferences/save-csv.ts'
import { useSession } from '../../signed-in/session/session.ts'
import { LedgerTable } from './ledger-table.tsx'
import { MonthChart } from './month-chart.tsx'
import { MonthTable } from './month-table.tsx'
import { type Period, periods, readDays, readFilter, readPeriod, readSpan } from './span.ts'
import { StatCards } from './stat-cards.tsx'

/** Usage (`/:environment/usage`): the amount transcribed, and its cost. */
export function Component() {
  const { data: overview } = useQuery(account.overview(useSession()))
  const isOffered = overview === undefined || overview?.features.usage
  return isOffered ? <UsagePage /> : <NotOffered title="Usage" />
}

function UsagePage() {
  const session = useSession()
  const [openedAt] = useState(Date.now)
  const { search, change } = useAddress()
  const filter = readFilter(search, openedAt)
  const { data: usage, error, refetch } = useQuery(usageQueries.totals(session, filter))
  const csv = useMutation({
    mutationFn: async () =>
      saveCsv(await (await ledgerCsv(session, filter)).text(), `Parley ledger ${session.environment}.csv`),
  })
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
      <DaysNotice days={readDays(search)} />
      {csv.error && <Notice tone="bad">The CSV could not be downloaded. {csv.error.message}</Notice>}
      {error && <UnreadNotice what="Usage" error={error} onAgain={() => void refetch()} />}
      <StatCards usage={usage} />
      <MonthCard usage={usage} />
      <LedgerTools filter={filter} onChange={change} />
      <LedgerTable filter={filter} />
    </div>
  )
}

/** Changes query parameters of the page; null or '' removes one. */
type OnChange = (values: Record<string, string | null>) => void

/** The page's query parameters, which hold its state, so that a link restores it. */
function useAddress(): { search: URLSearchParams; change: OnChange } {
  const [search, setSearch] = useSearchParams()
  const change: OnChange = (values) => {
    const next = new URLSearchParams(search)
    for (const [name, value] of Object.entries(values)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    setSearch(next, { replace: true })
  }
  return { search, change }
}

function DaysNotice({ days: { from, to } }: { days: ReturnType<typeof readDays> }) {
  if (from === null || to === null || from <= to) return null
  return <Notice tone="warn">The start is after the end.</Notice>
}

function MonthCard({ usage }: { usage: Usage | undefined }) {
  return (
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
        <p className="grid min-h-40 place-items-center text-ink-2">{usage ? 'No charges in this period.' : ''}</p>
      )}
    </Card>
  )
}

function Legend({ className, label }: { className: string; label: string }) {
  return (
    <span className="flex items-center gap-2 text-sm font-normal text-ink-2">
      <span aria-hidden className={`size-2.5 rounded-[3px] [forced-color-adjust:none] ${className}`} /> {label}
    </span>
  )
}

const ledgerKinds = [
  { value: 'all', label: 'All' },
  { value: 'charge', label: 'Charges' },
  { value: 'refund', label: 'Refunds' },
] as const

function LedgerTools({ filter, onChange }: { filter: LedgerFilter; onChange: OnChange }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="w-72 phone:w-full">
        <Segmented
          label="Entries"
          value={filter.kind ?? 'all'}
          options={ledgerKinds}
          onChange={(kind) => onChange({ kind: kind === 'all' ? null : kind })}
        />
      </div>
      <label className="relative w-72 phone:w-full">
        <span className="sr-only">Search the ledger</span>
        <Search aria-hidden className="absolute top-2.5 left-2.5 size-4 text-ink-3" />
        <input
          type="search"
          placeholder="File or transaction"
          defaultValue={filter.search}
          onChange={(event) => onChange({ q: event.target.value })}
          className={`${inputClass} pl-8.5`}
        />
      </label>
    </div>
  )
}

type PeriodProps = {
  search: URLSearchParams
  now: number
  onChange: (values: Record<string, string | null>) => void
}

/** Chooses the time range of the page: one of a few periods, or two days. */
function PeriodChoice({ search, now, onChange }: PeriodProps) {
  const period = readPeriod(search)
  const days = readDays(search)
  function choose(next: Period) {
    if (next !== 'custom') onChange({ period: next, from: null, to: null })
    else
      onChange({
        period: null,
        from: readSpan(search, now).from?.slice(0, 10) ?? null,
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
      <Select label="Period" value={period} options={periods} onChange={choose} className="font-semibold text-sm" />
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
