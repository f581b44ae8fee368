import type { ReactNode } from 'react'
import type { Usage } from '../../../contract/account/usage.ts'
import { Card } from '../../base/ui/card.tsx'
import type { Dates } from '../../base/ui/dates.ts'
import { roughLength } from '../../base/ui/duration.ts'
import { moneyText } from '../../base/ui/money.ts'
import { countText, formatCount } from '../../base/ui/sizes.ts'
import { Skeleton } from '../../base/ui/skeleton.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'

/** Charges, hours of recordings, refunds, and the share that was on time. */
export function StatCards({ usage }: { usage: Usage | undefined }) {
  const { on_time: onTime, late } = usage?.delivered ?? { on_time: 0, late: 0 }
  const dates = useDates()
  const due = onTime + late
  return (
    <div className="grid grid-cols-4 gap-3.5 max-lg:grid-cols-2">
      <Stat label="Charged" value={usage && moneyText(usage.charged_cents, usage.currency)}>
        {usage && monthsText(usage, dates)}
      </Stat>
      <Stat label="Files" value={usage && countText(usage.recordings)}>
        {usage && (usage.recordings === 0 ? 'none ordered' : `${roughLength(usage.seconds)} · ${typesText(usage)}`)}
      </Stat>
      <Stat label="Refunded" value={usage && moneyText(usage.refunded_cents, usage.currency)}>
        {usage && (usage.refunds === 0 ? 'none' : formatCount(usage.refunds, 'file'))}
      </Stat>
      <Stat label="Ready on time" value={usage && (due === 0 ? '–' : `${Math.round((100 * onTime) / due)}%`)}>
        {usage && (due === 0 ? 'none due yet' : `${countText(late)} of ${countText(due)} late`)}
      </Stat>
    </div>
  )
}

/** `30 manual, 12 automated`; omits a type without orders. */
function typesText({ by_type: byType }: Usage): string {
  const types = ['manual', 'automated'] as const
  return types
    .flatMap((type) => (byType[type].recordings > 0 ? [`${countText(byType[type].recordings)} ${type}`] : []))
    .join(', ')
}

function monthsText({ months, currency }: Usage, dates: Dates): string {
  const [before, now] = months.slice(-2).length === 2 ? months.slice(-2) : [undefined, months.at(-1)]
  const sum = (month: Usage['months'][number]) => moneyText(month.manual_cents + month.automated_cents, currency)
  if (!now) return 'none yet'
  return `${sum(now)} in ${dates.shortMonth(now.month)}${before ? ` · ${sum(before)} in ${dates.shortMonth(before.month)}` : ''}`
}

function Stat({ label, value, children }: { label: string; value: string | undefined; children: ReactNode }) {
  return (
    <Card className="grid content-start gap-0.5 px-4.5 py-4">
      <h2 className="text-sm text-ink-2">{label}</h2>
      {value === undefined ? (
        <Skeleton className="my-1.5 h-6 w-28" />
      ) : (
        <p className="text-2xl font-semibold tracking-tight tabular-nums">{value}</p>
      )}
      <p className="min-h-5 text-xs text-ink-3">{children}</p>
    </Card>
  )
}
