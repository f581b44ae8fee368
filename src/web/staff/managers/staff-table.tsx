import { useQuery } from '@tanstack/react-query'
import { managing } from '../../base/api/work-managers.ts'
import { Card } from '../../base/ui/card.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { numberCellClass, TableHeadings, tableCellClass, tableClass } from '../../base/ui/table.tsx'
import { useStaff } from '../staff-session.ts'

const right = 'text-right'
const wide = `${right} phone:hidden`
const columns = [
  { name: 'Who' },
  { name: 'Holds', look: right },
  { name: 'Hours', look: wide },
  { name: 'Done', look: right },
  { name: 'Given back', look: wide },
  { name: 'Changed by reviewers', look: right },
  { name: 'By customers', look: right },
]

const shareWords = (share: number | null) => (share === null ? '–' : `${(share * 100).toFixed(1)} %`)

/** The staff, with their work of the last 30 days. */
export function StaffTable() {
  const { session } = useStaff()
  const { data, error } = useQuery(managing.staff(session))
  const isPaid = data?.staff.some(({ earned }) => earned !== null) === true
  return (
    <section className="mt-4 grid gap-3">
      <h2 className="text-md font-semibold">Staff, last 30 days</h2>
      {error && <Notice tone="warn">{error.message}</Notice>}
      <Card>
        <table className={tableClass}>
          <TableHeadings columns={isPaid ? [...columns, { name: 'Earned', look: wide }] : columns} />
          <tbody>
            {data?.staff.map(({ id, name, role, holds, hours, submitted, earned, given_back, ...changed }) => (
              <tr key={id}>
                <td className={tableCellClass}>
                  <bdi>{name}</bdi> <span className="text-sm text-ink-3">{role}</span>
                </td>
                <td className={`${tableCellClass} ${numberCellClass}`}>{holds}</td>
                <td className={`${tableCellClass} ${numberCellClass} phone:hidden`}>{hours.toFixed(1)}</td>
                <td className={`${tableCellClass} ${numberCellClass}`}>{submitted}</td>
                <td className={`${tableCellClass} ${numberCellClass} phone:hidden`}>{given_back}</td>
                <td className={`${tableCellClass} ${numberCellClass}`}>{shareWords(changed.changed_by_review)}</td>
                <td className={`${tableCellClass} ${numberCellClass}`}>{shareWords(changed.changed_by_customer)}</td>
                {isPaid && <td className={`${tableCellClass} ${numberCellClass} phone:hidden`}>{earned}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
    </section>
  )
}
