import { useQuery } from '@tanstack/react-query'
import { ClipboardList } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ManagedFile, ManagedFiles } from '../../../contract/work/managers.ts'
import { managing } from '../../base/api/work-managers.ts'
import { Button } from '../../base/ui/button.tsx'
import { Card } from '../../base/ui/card.tsx'
import { roughLength } from '../../base/ui/duration.ts'
import { EmptyState } from '../../base/ui/empty-state.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { PageHeader, pageClass } from '../../base/ui/page-header.tsx'
import { Pill } from '../../base/ui/pill.tsx'
import { ProgressBar } from '../../base/ui/progress-bar.tsx'
import { formatCount } from '../../base/ui/sizes.ts'
import { numberCellClass, TableHeadings, tableCellClass, tableClass } from '../../base/ui/table.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { dueWords, stepWords } from '../part-words.ts'
import { useStaff } from '../staff-session.ts'
import { DelayDialog, RefundDialog } from './file-dialogs.tsx'
import { PartTable } from './part-table.tsx'

/** All work: load, age, risk of delay, and assignments (`/work/orders`). */
export function ManagersPage() {
  const { session } = useStaff()
  const { data, error, refetch } = useQuery(managing.files(session))
  // Not in the card: it unmounts if another manager ends the order, and typed text must not be lost.
  const [asked, setAsked] = useState<{ for: 'delay' | 'refund'; file: ManagedFile } | null>(null)
  const close = () => setAsked(null)
  useEffect(() => {
    document.title = 'Orders · Parley work'
  }, [])
  return (
    <div className={`${pageClass} mx-auto max-w-6xl`}>
      <PageHeader title="Orders" subtitle={data === undefined ? 'Reading the orders…' : loadWords(data)} />
      {error && (
        <Notice tone="warn" action={<Button onClick={() => void refetch()}>Try again</Button>}>
          {error.message} {data !== undefined && 'This is how it was when it was read last.'}
        </Notice>
      )}
      {data?.files.length === 0 && (
        <EmptyState icon={<ClipboardList aria-hidden />} title="No manual order is open">
          New ones appear here by themselves.
        </EmptyState>
      )}
      <ul className="grid gap-3">
        {data?.files.map((file) => (
          <li key={file.id}>
            <FileCard file={file} onAsk={(to) => setAsked({ for: to, file })} />
          </li>
        ))}
      </ul>
      {asked?.for === 'delay' && <DelayDialog file={asked.file} onClose={close} />}
      {asked?.for === 'refund' && <RefundDialog file={asked.file} onClose={close} />}
      <StaffTable />
    </div>
  )
}

function loadWords({ files, waiting }: ManagedFiles): string {
  const late = files.filter(({ is_late }) => is_late).length
  const steps = waiting.map(({ step, parts, seconds, oldest }) => {
    const age = roughLength((Date.now() - Date.parse(oldest)) / 1_000)
    return `${stepWords[step].toLowerCase()} ${parts} (${roughLength(seconds)}, the oldest for ${age})`
  })
  return [
    formatCount(files.length, 'open order'),
    late === 0 ? 'none late' : `${late} late or soon to be`,
    steps.length === 0 ? 'nothing waits' : `waiting to ${steps.join(', ')}`,
  ].join(' · ')
}

function FileCard({ file, onAsk }: { file: ManagedFile; onAsk: (to: 'delay' | 'refund') => void }) {
  const [isOpen, setIsOpen] = useState(false)
  const dates = useDates()
  const { name, account, seconds, due, forecast, is_late, is_re_review, delay_reason, progress_percent } = file
  const forecastWords = forecast === null ? 'nobody can tell yet' : dates.moment(Date.parse(forecast))
  return (
    <Card className="p-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="truncate font-semibold">
            <bdi>{name}</bdi>
          </h2>
          <p className="truncate text-sm text-ink-3">
            {account} · {roughLength(seconds)} · {partsWords(file)}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {!file.is_heard_first && (
            <Button size="sm" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
              Parts
            </Button>
          )}
          {!is_re_review && (
            <>
              <Button size="sm" onClick={() => onAsk('delay')}>
                Put off…
              </Button>
              <Button size="sm" variant="danger-outline" onClick={() => onAsk('refund')}>
                Refund…
              </Button>
            </>
          )}
        </div>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
        <ProgressBar percent={progress_percent} label={`Progress of ${name}`} className="w-40" />
        <span className="tabular-nums">{Math.floor(progress_percent)} %</span>
        <span>
          due {dueWords(due, Date.now())} ({dates.moment(Date.parse(due))}), ready by forecast: {forecastWords}
        </span>
        {is_re_review && <Pill>Re-review</Pill>}
        {is_late && <Pill tone="bad">Late</Pill>}
        {file.to_decide > 0 && <Pill tone="warn">{formatCount(file.to_decide, 'odd step')} to decide</Pill>}
      </div>
      {delay_reason !== null && <p className="mt-1 text-sm text-ink-3">The customer reads: {delay_reason}</p>}
      {isOpen && !file.is_heard_first && <PartTable file={file.id} />}
    </Card>
  )
}

const partsWords = ({ parts, typed, reviewed, held, is_checked, is_heard_first }: ManagedFile) =>
  is_heard_first
    ? 'no parts yet: it is recognized first'
    : `${typed} of ${parts} parts typed, ${reviewed} reviewed, ${held} held${is_checked ? ', checked' : ''}`

const right = 'text-right'
const wide = `${right} phone:hidden`
const columns = [
  { name: 'Who' },
  { name: 'Holds', look: right },
  { name: 'Hours', look: wide },
  { name: 'Done', look: right },
  { name: 'Given back', look: wide },
  { name: 'Sent back', look: wide },
  { name: 'Changed by reviewers', look: right },
  { name: 'By customers', look: right },
]

const shareWords = (share: number | null) => (share === null ? '–' : `${(share * 100).toFixed(1)} %`)

/** The staff, with their work of the last 30 days. */
function StaffTable() {
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
            {data?.staff.map(
              ({ id, name, role, is_revoked, holds, hours, submitted, earned, given_back, sent_back, ...changed }) => (
                <tr key={id}>
                  <td className={tableCellClass}>
                    <bdi>{name}</bdi>{' '}
                    <span className="text-sm text-ink-3">{is_revoked ? `${role}, key revoked` : role}</span>
                  </td>
                  <td className={`${tableCellClass} ${numberCellClass}`}>{holds}</td>
                  <td className={`${tableCellClass} ${numberCellClass} phone:hidden`}>{hours.toFixed(1)}</td>
                  <td className={`${tableCellClass} ${numberCellClass}`}>{submitted}</td>
                  <td className={`${tableCellClass} ${numberCellClass} phone:hidden`}>{given_back}</td>
                  <td className={`${tableCellClass} ${numberCellClass} phone:hidden`}>{sent_back}</td>
                  <td className={`${tableCellClass} ${numberCellClass}`}>{shareWords(changed.changed_by_review)}</td>
                  <td className={`${tableCellClass} ${numberCellClass}`}>{shareWords(changed.changed_by_customer)}</td>
                  {isPaid && <td className={`${tableCellClass} ${numberCellClass} phone:hidden`}>{earned}</td>}
                </tr>
              ),
            )}
          </tbody>
        </table>
      </Card>
    </section>
  )
}
