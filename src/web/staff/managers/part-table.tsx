import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ManagedPart, StaffMember, WorkRecord } from '../../../contract/work/managers.ts'
import { assignPart, decideStep, managing, reopenAnyPart } from '../../base/api/work-managers.ts'
import { Button } from '../../base/ui/button.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { Notice } from '../../base/ui/notice.tsx'
import { Select } from '../../base/ui/select.tsx'
import { TableHeadings, tableCellClass, tableClass } from '../../base/ui/table.tsx'
import { showToast } from '../../base/ui/toast.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import { placeWords, stepWords, timeWords } from '../part-words.ts'
import { noRework, ReworkFields } from '../rework-fields.tsx'
import { useStaff } from '../staff-session.ts'
import { StepFigures } from '../step-figures.tsx'
import { useManaging } from './file-dialogs.tsx'
import { PartText } from './part-text.tsx'

const wideOnly = 'max-lg:hidden'
const columns = [{ name: 'Part' }, { name: 'Next' }, { name: 'History', look: wideOnly }, { name: 'For' }, { name: '' }]

/** The parts of one order, with their work records. */
export function PartTable({ file }: { file: string }) {
  const { session } = useStaff()
  const { data, error } = useQuery(managing.parts(session, file))
  if (error) return <Notice tone="warn">{error.message}</Notice>
  const parts = data?.parts ?? []
  const ofWhole = parts.filter(({ position }) => position > 0)
  const isOpen = ofWhole.some(({ step }) => step !== null)
  return (
    <table className={`${tableClass} mt-3`}>
      <TableHeadings columns={columns} />
      <tbody>
        {parts.map((part) => (
          <PartRow key={part.id} part={part} of={ofWhole.length} waits={part.position === 0 && isOpen} />
        ))}
      </tbody>
    </table>
  )
}

/** @param waits a check that waits for parts to be reviewed */
function PartRow({ part, of, waits }: { part: ManagedPart; of: number; waits: boolean }) {
  const { session } = useStaff()
  const { data } = useQuery(managing.staff(session))
  const dates = useDates()
  const manage = useManaging()
  const [isReopening, setIsReopening] = useState(false)
  const [isReading, setIsReading] = useState(false)
  const nameOf = (id: string) => data?.staff.find((one) => one.id === id)?.name ?? id
  const people = [
    { value: '', label: 'Anybody' },
    ...(data?.staff ?? []).flatMap(({ id, name, is_revoked }) => (is_revoked ? [] : [{ value: id, label: name }])),
  ]
  const assign = (id: string) => {
    const failed = (error: Error) => showToast({ tone: 'bad', title: 'Not assigned', detail: error.message })
    manage((as) => assignPart(as, part.id, id === '' ? null : id)).catch(failed)
  }
  return (
    <tr>
      <td className={tableCellClass}>
        {placeWords({ ...part, of })}
        <span className="block text-sm text-ink-3 tabular-nums">{timeWords(part)}</span>
        <span className="text-sm text-ink-2 lg:hidden">
          <History part={part} />
        </span>
      </td>
      <td className={tableCellClass}>
        {part.step === null ? (waits ? 'Waits for the parts' : 'Done') : stepWords[part.step]}
        {part.holder !== null && part.held_until !== null && (
          <span className="block text-sm text-ink-3">
            {nameOf(part.holder)}, until {dates.time(Date.parse(part.held_until))}
          </span>
        )}
      </td>
      <td className={`${tableCellClass} text-sm text-ink-2 ${wideOnly}`}>
        <History part={part} />
      </td>
      <td className={tableCellClass}>
        {part.step !== null && (
          <Select label="Only for" look="quiet" value={part.assigned_to ?? ''} options={people} onChange={assign} />
        )}
      </td>
      <td className={`${tableCellClass} text-right`}>
        <Button size="sm" variant="quiet" onClick={() => setIsReading(true)}>
          Text
        </Button>
        {isReading && <PartText part={part} of={of} onClose={() => setIsReading(false)} />}
        {part.position > 0 && part.step !== 'type' && (
          <Button size="sm" onClick={() => setIsReopening(true)}>
            Reopen…
          </Button>
        )}
        {isReopening && <ReopenPart part={part} onClose={() => setIsReopening(false)} />}
      </td>
    </tr>
  )
}

function History({ part }: { part: ManagedPart }) {
  return part.history.map((record) => (
    <span key={record.claim} className="block">
      <RecordLine part={part} record={record} />
    </span>
  ))
}

const verdictWords = { waiting: 'waits for you', accepted: 'accepted', refused: 'refused, not paid' } as const

/** `Type by Ann: submitted, heard 98 %, 12 of 300 words changed`, and the decision if it is odd. */
function RecordLine({ part, record }: { part: ManagedPart; record: WorkRecord }) {
  const manage = useManaging()
  const { session, staff } = useStaff()
  const { data } = useQuery(managing.staff(session))
  // One's own step is decided by another manager, if there is one.
  const mayDecide = (one: StaffMember) => one.role === 'manager' && !one.is_revoked && one.id !== staff.id
  const isOthers = record.staff === staff.id && data?.staff.some(mayDecide) === true
  const { step, staff_name, end, reason, verdict, is_own_verdict } = record
  const ending = end === 'sent-back' ? 'sent back' : (end ?? 'held now')
  const decide = (accepted: boolean) => {
    const failed = (error: Error) => showToast({ tone: 'bad', title: 'Not decided', detail: error.message })
    manage((as) => decideStep(as, part.id, record.claim, accepted)).catch(failed)
  }
  return (
    <>
      {stepWords[step]} by {staff_name}: {ending}
      {reason !== null && end !== 'sent-back' && ` (${reason})`}
      {record.heard !== null && ', '}
      <StepFigures figures={record} />
      {verdict !== null && (
        <span className={verdict === 'waiting' || is_own_verdict ? 'text-warn' : ''}>
          {' '}
          · {isOthers && verdict === 'waiting' ? 'yours: waits for another manager' : verdictWords[verdict]}
          {is_own_verdict && `, decided by ${staff_name} too: there was no other manager`}
        </span>
      )}
      {verdict === 'waiting' && !isOthers && (
        <span className="mt-1 mb-2 flex gap-2">
          <Button size="sm" onClick={() => decide(true)}>
            Accept
          </Button>
          <Button size="sm" onClick={() => decide(false)}>
            {end === 'submitted' ? 'Have it done again' : 'Do not pay'}
          </Button>
        </span>
      )}
    </>
  )
}

function ReopenPart({ part, onClose }: { part: ManagedPart; onClose: () => void }) {
  const [rework, setRework] = useState(noRework)
  const manage = useManaging()
  return (
    <FormDialog
      title="Have it typed once more"
      description="Anybody may take it, with what is there. The progress does not fall."
      submit="Reopen"
      isReady={rework.reasons.length > 0}
      onSubmit={() => manage((session) => reopenAnyPart(session, part.id, rework))}
      onClose={onClose}
    >
      <ReworkFields rework={rework} onChange={setRework} />
    </FormDialog>
  )
}
