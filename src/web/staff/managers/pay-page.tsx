import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useEffect, useState } from 'react'
import { csvNumber, csvText } from '../../../contract/common/csv.ts'
import { centsToDecimal } from '../../../contract/interface/price.ts'
import type { PayMonth, PayRow } from '../../../contract/work/managers.ts'
import { managing } from '../../base/api/work-managers.ts'
import { Button } from '../../base/ui/button.tsx'
import { Card } from '../../base/ui/card.tsx'
import { Field } from '../../base/ui/field.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { PageHeader, pageClass } from '../../base/ui/page-header.tsx'
import { numberCellClass, TableHeadings, tableCellClass, tableClass } from '../../base/ui/table.tsx'
import { saveCsv } from '../../signed-in/preferences/save-csv.ts'
import { useStaff } from '../staff-session.ts'

/** What the staff did and earned in a month, for paying them (`/work/pay`). */
export function PayPage() {
  const { session } = useStaff()
  const [month, setMonth] = useState(() => new Date().toISOString().slice(0, 7))
  const { data, error } = useQuery(managing.pay(session, month))
  useEffect(() => {
    document.title = 'Pay · Parley work'
  }, [])
  const save = (of: PayMonth) => saveCsv(payCsv(of), `Parley work ${of.month}.csv`)
  const isEmpty = data?.people.length === 0
  return (
    <div className={`${pageClass} mx-auto max-w-6xl`}>
      <PageHeader
        title="Pay"
        subtitle="What became payable in a month (UTC): odd steps once accepted; what a person did again counts, but is paid once"
        actions={
          <>
            <Field
              label="Month"
              labelHidden
              type="month"
              value={month}
              onChange={({ target }) => target.value !== '' && setMonth(target.value)}
            />
            <Button disabled={data === undefined || isEmpty} onClick={() => data && save(data)}>
              <Download aria-hidden /> CSV
            </Button>
          </>
        }
      />
      {error && <Notice tone="warn">{error.message}</Notice>}
      {data?.currency === null && <Notice>No rates are set (WORK_PAY), so nothing is added up.</Notice>}
      {isEmpty && <Notice>Nobody worked in this month.</Notice>}
      {data !== undefined && !isEmpty && (
        <Card className="overflow-x-auto">
          <PayTable month={data} />
        </Card>
      )}
    </div>
  )
}

type Column = { name: string; look?: string; cell: (row: PayRow) => number }

const wide = 'phone:hidden'
const columns: readonly Column[] = [
  { name: 'Typed', cell: ({ typed }) => typed },
  { name: 'Reviewed', cell: ({ reviewed }) => reviewed },
  { name: 'Checked', cell: ({ checked }) => checked },
  { name: 'Sent back', look: wide, cell: ({ sent_back }) => sent_back },
  { name: 'Refused', look: wide, cell: ({ refused }) => refused },
  { name: 'Minutes of sound', look: 'max-lg:hidden', cell: ({ minutes }) => Math.round(minutes * 10) / 10 },
  { name: 'Hours held', look: 'max-lg:hidden', cell: ({ hours }) => Math.round(hours * 100) / 100 },
]

function PayTable({ month: { people, currency } }: { month: PayMonth }) {
  const look = (column: Column) => `text-right ${column.look ?? ''}`
  const headings = [
    { name: 'Who' },
    ...columns.map((column) => ({ name: column.name, look: look(column) })),
    ...(currency === null ? [] : [{ name: `Earned, ${currency}`, look: 'text-right' }]),
    ...(currency === null ? [] : [{ name: 'Waits for you', look: 'text-right' }]),
  ]
  const money = `${tableCellClass} ${numberCellClass}`
  return (
    <table className={tableClass}>
      <TableHeadings columns={headings} />
      <tbody>
        {people.map((row) => (
          <tr key={row.id}>
            <td className={tableCellClass}>
              <bdi>{row.name}</bdi> <span className="text-sm text-ink-3">{row.role}</span>
            </td>
            {columns.map((column) => (
              <td key={column.name} className={`${tableCellClass} tabular-nums ${look(column)}`}>
                {column.cell(row)}
              </td>
            ))}
            {row.earned !== null && <td className={`${money} font-medium`}>{centsToDecimal(row.earned)}</td>}
            {row.waiting !== null && (
              <td className={`${money} ${row.waiting > 0 ? 'text-warn' : 'text-ink-3'}`}>
                {centsToDecimal(row.waiting)}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The table, for a spreadsheet. */
function payCsv({ month, currency, people }: PayMonth): string {
  const names = ['Month', 'ID', 'Name', 'Role', ...columns.map(({ name }) => name), 'Currency', 'Earned', 'Waiting']
  const cents = (value: number | null) => (value === null ? '' : csvNumber(centsToDecimal(value)))
  const rows = people.map((row) => [
    ...[month, row.id, row.name, row.role].map(csvText),
    ...columns.map(({ cell }) => csvNumber(cell(row))),
    ...[csvText(currency ?? ''), cents(row.earned), cents(row.waiting)],
  ])
  return [names.map(csvText), ...rows].map((row) => `${row.join(',')}\r\n`).join('')
}
