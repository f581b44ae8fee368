import { inputClass } from '../../base/ui/field.tsx'
import { Select } from '../../base/ui/select.tsx'
import { type Period, periodOf, periods, readDays, spanOf } from './span.ts'

type PeriodProps = {
  search: URLSearchParams
  now: number
  onChange: (values: Record<string, string | null>) => void
}

/** Chooses the time range of the page: one of a few periods, or two days. */
export function PeriodChoice({ search, now, onChange }: PeriodProps) {
  const period = periodOf(search)
  const days = readDays(search)
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
