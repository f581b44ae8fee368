import type { Usage } from '../../contract/account-usage.ts'
import { roughLength } from '../ui/duration.ts'
import { moneyText } from '../ui/money.ts'
import { countText } from '../ui/sizes.ts'
import { numberCellClass, tableCellClass, tableClass, tableHeadCellClass } from '../ui/table.tsx'
import { longMonth } from './span.ts'

type Props = { months: Usage['months']; currency: string }

/** The figures of the chart, for those who would rather read them. */
export function MonthTable({ months, currency }: Props) {
  const columns = ['Manual', 'Automated', 'Refunded', 'Recordings', 'Length']
  return (
    <details className="text-sm">
      <summary className="w-fit text-ink-2">Figures by month</summary>
      <div className="mt-2 overflow-x-auto">
        <table className={tableClass}>
          <thead>
            <tr>
              <th scope="col" className={tableHeadCellClass}>
                Month
              </th>
              {columns.map((name) => (
                <th key={name} scope="col" className={`${tableHeadCellClass} text-right`}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {months.toReversed().map((month) => (
              <tr key={month.month}>
                <th scope="row" className={`${tableCellClass} py-1.5 font-normal whitespace-nowrap`}>
                  {longMonth(month.month)}
                </th>
                {[
                  moneyText(month.manual_cents, currency),
                  moneyText(month.automated_cents, currency),
                  moneyText(month.refunded_cents, currency),
                  countText(month.recordings),
                  roughLength(month.seconds),
                ].map((text, index) => (
                  <td key={columns[index]} className={`${tableCellClass} ${numberCellClass} py-1.5 whitespace-nowrap`}>
                    {text}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
