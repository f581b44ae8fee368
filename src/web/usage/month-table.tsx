import type { Usage } from '../../contract/account-usage.ts'
import { useDates } from '../preferences/preferences.ts'
import { roughLength } from '../ui/duration.ts'
import { moneyText } from '../ui/money.ts'
import { countText } from '../ui/sizes.ts'
import { numberCellClass, tableCellClass, tableClass, tableHeadCellClass } from '../ui/table.tsx'

type Props = { usage: Usage }

/** The figures of the chart, for those who would rather read them. */
export function MonthTable({ usage }: Props) {
  const { months, currency, by_type: byType } = usage
  const dates = useDates()
  const figures = (row: Omit<Usage['months'][number], 'month'>) => [
    moneyText(row.manual_cents, currency),
    moneyText(row.automated_cents, currency),
    moneyText(row.refunded_cents, currency),
    countText(row.recordings),
    roughLength(row.seconds),
  ]
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
                  {dates.longMonth(month.month)}
                </th>
                {figures(month).map((text, index) => (
                  <td key={columns[index]} className={`${tableCellClass} ${numberCellClass} py-1.5 whitespace-nowrap`}>
                    {text}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot className="font-semibold">
            <tr>
              <th scope="row" className={`${tableCellClass} py-1.5 text-left`}>
                Together
              </th>
              {figures({
                ...usage,
                manual_cents: byType.manual.charged_cents,
                automated_cents: byType.automated.charged_cents,
              }).map((text, index) => (
                <td key={columns[index]} className={`${tableCellClass} ${numberCellClass} py-1.5 whitespace-nowrap`}>
                  {text}
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
    </details>
  )
}
