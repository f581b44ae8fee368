import type { Usage } from '../../contract/account-usage.ts'
import { useDates } from '../preferences/preferences.ts'
import { roughLength } from '../ui/duration.ts'
import { moneyText } from '../ui/money.ts'
import { countText } from '../ui/sizes.ts'
import { numberCellClass, TableHeadings, tableCellClass, tableClass } from '../ui/table.tsx'

const columns = [
  { name: 'Month' },
  ...['Manual', 'Automated', 'Refunded', 'Files', 'Length'].map((name) => ({ name, look: 'text-right' })),
]

/** The figures of the chart as a table. */
export function MonthTable({ usage }: { usage: Usage }) {
  const { months, by_type: byType } = usage
  const dates = useDates()
  const sums = { manual_cents: byType.manual.charged_cents, automated_cents: byType.automated.charged_cents }
  return (
    <details className="text-sm">
      <summary className="w-fit text-ink-2">Monthly totals</summary>
      <div className="mt-2 overflow-x-auto">
        <table className={tableClass}>
          <TableHeadings columns={columns} />
          <tbody>
            {months.toReversed().map((month) => (
              <Row key={month.month} name={dates.longMonth(month.month)} figures={month} currency={usage.currency} />
            ))}
          </tbody>
          <tfoot className="font-semibold">
            <Row name="Total" figures={{ ...usage, ...sums }} currency={usage.currency} />
          </tfoot>
        </table>
      </div>
    </details>
  )
}

type RowProps = { name: string; figures: Omit<Usage['months'][number], 'month'>; currency: string }

function Row({ name, figures, currency }: RowProps) {
  const texts = [
    moneyText(figures.manual_cents, currency),
    moneyText(figures.automated_cents, currency),
    moneyText(figures.refunded_cents, currency),
    countText(figures.recordings),
    roughLength(figures.seconds),
  ]
  return (
    <tr>
      <th scope="row" className={`${tableCellClass} py-1.5 [font-weight:inherit] whitespace-nowrap`}>
        {name}
      </th>
      {texts.map((text, index) => (
        <td key={columns[index]?.name} className={`${tableCellClass} ${numberCellClass} py-1.5 whitespace-nowrap`}>
          {text}
        </td>
      ))}
    </tr>
  )
}
