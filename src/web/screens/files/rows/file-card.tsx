import { Checkbox } from '../../../base/ui/checkbox.tsx'
import { cutClass } from '../../../base/ui/cut-text.ts'
import { clockText } from '../../../base/ui/duration.ts'
import { moneyText } from '../../../base/ui/money.ts'
import { OrderWords } from '../columns/order-words.tsx'
import { ProgressCell } from '../columns/progress-cell.tsx'
import { FoundInFile } from '../found/found-sentence.tsx'
import { NameAndDate, nameClass, RowButtons, type RowProps, rowName } from './file-row.tsx'

/** One file on a phone. */
export function FileCard(props: RowProps) {
  const { row, selected, sentence } = props
  const { record } = row
  return (
    <div className={`grid h-full grid-cols-[2.25rem_1fr] px-1 py-3 ${sentence ? 'pb-10' : ''}`}>
      <div className="grid justify-center pt-0.5">
        <Checkbox aria-label={`Select ${rowName(row)}`} checked={selected} data-action="toggle" onChange={() => {}} />
      </div>
      <div className="grid min-w-0 content-between pr-3">
        <div className="flex min-w-0 justify-between gap-3">
          <span className={`${nameClass(row)} gap-x-2`}>
            <NameAndDate {...props} />
          </span>
          {record && (
            <span className="shrink-0 text-right text-sm tabular-nums">
              <span className="block font-medium">{moneyText(record.totalCents, record.metadata.currency)}</span>
              <span className="block text-xs text-ink-3">{clockText(record.seconds)}</span>
            </span>
          )}
        </div>
        {record && (
          <p className={`${cutClass} text-xs text-ink-2`}>
            <OrderWords record={record} />
          </p>
        )}
        <div className="flex items-end justify-between gap-3">
          <div className="min-w-0 flex-1">{record && <ProgressCell {...props} record={record} />}</div>
          <RowButtons {...props} />
        </div>
        {sentence && <FoundInFile {...props} id={row.id} sentence={sentence} />}
      </div>
    </div>
  )
}
