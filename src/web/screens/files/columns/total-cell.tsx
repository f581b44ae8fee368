import { type FileRecord, takenBackCents } from '../../../base/api/metadata-reader.ts'
import { moneyText } from '../../../base/ui/money.ts'

/** What an order cost, and whether the bank took its payment back; `isInline`: on one line. */
export function TotalCell({ record, isInline = false }: { record: FileRecord; isInline?: boolean }) {
  const { totalCents, metadata } = record
  const total = moneyText(totalCents, metadata.currency)
  const takenBack = takenBackCents(record)
  if (takenBack === 0) return total
  return (
    <span title={`The bank took back ${moneyText(takenBack, metadata.currency)}`}>
      {total}
      <span className={`text-xs text-bad ${isInline ? 'ml-1.5' : 'block'}`}>
        {totalCents === 0 ? 'unpaid' : 'part unpaid'}
      </span>
    </span>
  )
}
