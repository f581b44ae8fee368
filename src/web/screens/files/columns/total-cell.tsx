import { type FileRecord, takenBackCents } from '../../../base/api/metadata-reader.ts'
import { moneyText } from '../../../base/ui/money.ts'

/** What an order cost, and whether the bank took its payment back. */
export function TotalCell({ record }: { record: FileRecord }) {
  const { totalCents, metadata } = record
  const total = moneyText(totalCents, metadata.currency)
  const takenBack = takenBackCents(record)
  if (takenBack === 0) return total
  return (
    <span title={`The bank took back ${moneyText(takenBack, metadata.currency)}`}>
      {total}
      <span className="block text-xs text-bad">{totalCents === 0 ? 'unpaid' : 'part unpaid'}</span>
    </span>
  )
}
