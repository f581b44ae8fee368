import type { FreeMinutes } from '../../../contract/account/account.ts'
import { clockText } from '../../base/ui/duration.ts'
import type { PricedUpload } from './priced-tray.ts'

/** What of the order is free, and how much is left of the month's free minutes. */
export function FreeNote({ free, ready }: { free: FreeMinutes; ready: readonly PricedUpload[] }) {
  const usedMs = ready.reduce((sum, { freeMs, durationMs }) => sum + (durationMs === null ? 0 : (freeMs ?? 0)), 0)
  const [used, left, month] = [usedMs / 1_000, free.left_seconds, free.month_seconds].map(clockText)
  return (
    <p className="text-sm text-ink-2 tabular-nums">
      {usedMs > 0 && `${used} of it is free. `}
      You have {left} of {month} free automated minutes left this month.
    </p>
  )
}
