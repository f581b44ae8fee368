import { X } from 'lucide-react'
import type { FileRecord } from '../../../base/api/metadata-reader.ts'
import { Button } from '../../../base/ui/button.tsx'
import { clockText } from '../../../base/ui/duration.ts'
import { IconButton } from '../../../base/ui/icon-button.tsx'
import { moneyText } from '../../../base/ui/money.ts'
import { countText } from '../../../base/ui/sizes.ts'
import type { Act, ListFeature, Offers } from '../list-feature.ts'

type Props = {
  count: number
  records: readonly FileRecord[]
  features: readonly ListFeature[]
  offers: Offers
  onAct: Act
  onClear: () => void
}

/** Actions on the selected files, at the bottom of the window while there are any. */
export function SelectionBar({ count, records, features, offers, onAct, onClear }: Props) {
  if (count === 0) return null
  const seconds = records.reduce((sum, record) => sum + (Number.isFinite(record.seconds) ? record.seconds : 0), 0)
  const offered = features.flatMap(({ name, actions = [] }) =>
    actions
      .filter(({ isOffered }) => isOffered?.(offers) !== false)
      .map((action, index) => ({ key: `${name} ${index}`, action })),
  )
  return (
    <section
      aria-label="Selected files"
      data-selection-bar
      className="fixed bottom-7 left-[calc(50%+7rem)] z-20 flex max-w-[calc(100vw-15.5rem)] -translate-x-1/2 max-[72rem]:left-1/2 max-[72rem]:max-w-[calc(100vw-1.5rem)] animate-rise items-center gap-2 phone:gap-1 rounded-lg border border-line bg-surface px-4 py-2 shadow-high phone:bottom-[4.5rem] phone:px-2"
    >
      <p className="mr-4 whitespace-nowrap phone:mr-1 phone:text-sm">
        <strong className="font-semibold">
          {countText(count)} <span className="phone:sr-only">selected</span>
        </strong>{' '}
        <span className="text-ink-2 tabular-nums max-[72rem]:hidden">
          {clockText(seconds)} · {totalsText(records)}
        </span>
      </p>
      {offered.map(({ key, action }) => (
        <Button
          key={key}
          size="sm"
          variant={action.isDanger ? 'danger-outline' : 'secondary'}
          onClick={() => onAct(action, records)}
        >
          {action.button(records)}
        </Button>
      ))}
      <IconButton label="Clear selection" onClick={onClear}>
        <X aria-hidden />
      </IconButton>
    </section>
  )
}

/** Sums by currency: `$185.74`, `$185.74 + €20.00`. */
export function sumsText(records: readonly FileRecord[], centsOf: (record: FileRecord) => number): string {
  const sums = [...Map.groupBy(records, ({ metadata }) => metadata.currency)].map(([currency, group]) =>
    moneyText(
      group.reduce((sum, record) => sum + centsOf(record), 0),
      currency,
    ),
  )
  return sums.join(' + ') || '–'
}

/** The total cost of files, as far as known. */
export function totalsText(records: readonly FileRecord[]): string {
  const known = records.filter(({ totalCents }) => Number.isFinite(totalCents))
  return sumsText(known, ({ totalCents }) => totalCents)
}
