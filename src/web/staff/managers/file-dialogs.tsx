import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ManagedFile } from '../../../contract/work/managers.ts'
import { delayFile, managing, refundFile } from '../../base/api/work-managers.ts'
import { Field, TextArea } from '../../base/ui/field.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { Select } from '../../base/ui/select.tsx'
import { useStaff } from '../staff-session.ts'

type Props = { file: ManagedFile; onClose: () => void }

/** Runs a management action on an order and reloads all data. */
export function useManaging() {
  const { session } = useStaff()
  const client = useQueryClient()
  return async (act: (as: typeof session) => Promise<void>) => {
    await act(session)
    await client.invalidateQueries({ queryKey: managing.all(session) })
  }
}

const delays = [
  { value: 'longer', label: 'It takes longer than planned' },
  { value: 'queue', label: 'More was ordered than usual' },
  { value: 'poor-audio', label: 'The recording is hard to understand' },
  { value: 'review', label: 'It is checked once more' },
  { value: 'fault', label: 'A fault on our side' },
]

/** Delays an order: the customer sees the reason and the new date. */
export function DelayDialog({ file, onClose }: Props) {
  const [reason, setReason] = useState('longer')
  const [until, setUntil] = useState('')
  const manage = useManaging()
  const date = until === '' ? null : new Date(until).toISOString()
  return (
    <FormDialog
      title={`Put off “${file.name}”`}
      description="The customer sees the reason and the new date."
      submit="Put off"
      onSubmit={() => manage((session) => delayFile(session, file.id, reason, date))}
      onClose={onClose}
    >
      <Select label="Reason" value={reason} options={delays} onChange={setReason} />
      <Field
        label="New date"
        type="datetime-local"
        hint="Empty: by what is left to do."
        value={until}
        onChange={(event) => setUntil(event.target.value)}
      />
    </FormDialog>
  )
}

/** Refunds an unintelligible recording in full and ends the work on it. */
export function RefundDialog({ file, onClose }: Props) {
  const [reason, setReason] = useState('')
  const manage = useManaging()
  return (
    <FormDialog
      title={`Refund “${file.name}”`}
      description="All work on it ends, everything that was paid for it is refunded. This cannot be undone."
      submit="Refund"
      isDanger
      isReady={reason.trim() !== ''}
      onSubmit={() => manage((session) => refundFile(session, file.id, reason.trim()))}
      onClose={onClose}
    >
      <TextArea
        label="Reason, which the customer reads"
        value={reason}
        maxLength={500}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
