import { Link } from 'react-router'
import type { Usage } from '../../../contract/account/usage.ts'
import { roughLength } from '../../base/ui/duration.ts'
import { moneyText } from '../../base/ui/money.ts'
import { countText } from '../../base/ui/sizes.ts'
import { numberCellClass, TableHeadings, tableCellClass, tableClass } from '../../base/ui/table.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { useSession } from '../../signed-in/session/session.ts'

const columns = [
  { name: 'Month' },
  ...['Manual', 'Automated', 'Refunded', 'Files', 'Length', 'Receipt'].map((name) => ({ name, look: 'text-right' })),
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
              <Row
                key={month.month}
                name={dates.longMonth(month.month)}
                figures={month}
                currency={usage.currency}
                receipt={month.recordings > 0 || month.refunded_cents > 0 ? month.month : undefined}
              />
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

/** `receipt`: the month whose receipt is linked */
type RowProps = {
  name: string
  figures: Omit<Usage['months'][number], 'month'>
  currency: string
  receipt?: string | undefined
}

function Row({ name, figures, currency, receipt }: RowProps) {
  const { environment } = useSession()
  const texts = [
    moneyText(figures.manual_cents, currency),
    moneyText(figures.automated_cents, currency),
    moneyText(figures.refunded_cents, currency),
    countText(figures.recordings),
    figures.recordings === 0 ? '–' : roughLength(figures.seconds),
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
      <td className={`${tableCellClass} py-1.5 text-right`}>
        {receipt && (
          <Link className="underline underline-offset-2" to={`/${environment}/usage/${receipt}`}>
            <span className="sr-only">{name}: </span>Open
          </Link>
        )}
      </td>
    </tr>
  )
}
