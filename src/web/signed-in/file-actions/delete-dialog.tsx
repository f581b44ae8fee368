import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { Button } from '../../base/ui/button.tsx'
import { Dialog } from '../../base/ui/dialog.tsx'
import { Field } from '../../base/ui/field.tsx'
import { moneyText } from '../../base/ui/money.ts'
import { Notice } from '../../base/ui/notice.tsx'
import { countText, formatCount } from '../../base/ui/sizes.ts'
import { showToast } from '../../base/ui/toast.tsx'
import { changeDeleteWhenReady } from '../library/delete-when-ready.ts'
import type { FileLibrary } from '../library/library.ts'
import { useSession } from '../session/session.ts'
import type { DeleteResult } from './delete-files.ts'
import { type DeletionPlan, noRefundWords } from './deletion-plan.ts'
import type { ActionDialogProps } from './file-action.ts'
import { sumsText, totalsText } from './totals.ts'
import { useDeletion, useRefundWords } from './use-deletion.ts'

/** Above this many files, their number must be typed to confirm. */
const typedAbove = 20

/**
 * Confirms a deletion: which files are deleted, refunded or locked, and that it cannot be undone. Longer than most: one
 * dialog for the question and the results.
 */
export function DeleteDialog({ records, library, offers, onClose, onDeleted = onClose }: ActionDialogProps) {
  const [typed, setTyped] = useState('')
  const { plan, refundOf, isAskedAgain, count, results, remove, finalFocus } = useDeletion(library, records, onDeleted)
  const mustType = count > typedAbove
  const isBlocked = mustType && typed.replaceAll(/[\s,.]/g, '') !== String(count)
  const actions = (
    <>
      <Button onClick={onClose}>{remove.isSuccess ? 'Close' : 'Cancel'}</Button>
      {!remove.isSuccess && count > 0 && (
        <Button variant="danger" disabled={isBlocked || remove.isPending} onClick={() => remove.mutate()}>
          {remove.isPending
            ? `Deleting ${countText(results.length)} of ${countText(count)}…`
            : `Delete ${formatCount(count, 'file')}`}
        </Button>
      )}
    </>
  )
  return (
    <Dialog
      open
      onClose={onClose}
      finalFocus={finalFocus}
      width={records.length > 1 ? 'md' : 'sm'}
      title={writeTitle(records, count)}
      actions={actions}
    >
      {remove.isSuccess ? (
        <Results results={results} refundOf={refundOf} />
      ) : (
        <>
          <PlanWords plan={plan} refundOf={refundOf} isSingle={records.length === 1} isAskedAgain={isAskedAgain} />
          {plan.locked.length > 0 && (
            <LockedOffer
              library={library}
              locked={plan.locked}
              keepsWishes={offers?.delete_when_ready ?? false}
              onDone={count === 0 ? onClose : undefined}
            />
          )}
          {mustType && (
            <Field
              label={`Type ${countText(count)} to confirm`}
              inputMode="numeric"
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </>
      )}
    </Dialog>
  )
}

function writeTitle(records: readonly FileRecord[], doomed: number): string {
  const [only] = records
  if (records.length === 1 && only) {
    const name = `“${only.metadata.name || only.id}”`
    return doomed === 1 ? `Delete ${name}?` : `${name} cannot be deleted now`
  }
  return doomed > 0 ? `Delete ${formatCount(doomed, 'file')}?` : 'None of these files can be deleted now'
}

type RefundOf = (record: FileRecord) => number
type PlanWordsProps = { plan: DeletionPlan; refundOf: RefundOf; isSingle: boolean; isAskedAgain: boolean }

/** The effect on these files by the table of spec 3, with totals. */
function PlanWords({ plan, refundOf, isSingle, isAskedAgain }: PlanWordsProps) {
  const when = useRefundWords()
  const { refunded, free } = plan
  const [first] = refunded
  return (
    <div className="grid gap-2 text-ink-2">
      {isAskedAgain && (
        <Notice tone="warn">
          More was done in the meantime, so less would be refunded. Nothing was deleted for less.
        </Notice>
      )}
      {first && (
        <p>
          {isSingle && !isAskedAgain
            ? `Its transcript is at ${Math.floor(first.percent)}%, so `
            : `${formatCount(refunded.length, 'file')} below 60%: `}
          <strong className="text-ink">{sumsText(refunded, refundOf)}</strong> of {totalsText(refunded)} will be
          refunded {when}.
        </p>
      )}
      {free[0] && <p>{isSingle ? noRefundWords(free[0]) : `${formatCount(free.length, 'file')}: no refund.`}</p>}
      {(first || free.length > 0) && (
        <p>
          {isSingle
            ? 'The recording, its transcript and all its data will be deleted.'
            : 'The recordings, their transcripts and all their data will be deleted.'}{' '}
          This cannot be undone.
        </p>
      )}
    </div>
  )
}

type OfferProps = {
  library: FileLibrary
  locked: readonly FileRecord[]
  /** the service stores requests to delete a file when it is ready */
  keepsWishes: boolean
  onDone: (() => void) | undefined
}

/** From 60 to 99 % nothing can be deleted; offers to do so once it is ready. */
function LockedOffer({ library, locked, keepsWishes, onDone }: OfferProps) {
  const session = useSession()
  const wish = useMutation({
    mutationFn: async () => {
      for (const record of locked) await changeDeleteWhenReady(session, library, record, true, keepsWishes)
    },
    onSuccess: () => {
      showToast({ title: `${formatCount(locked.length, 'file')} will be deleted when ready` })
      onDone?.()
    },
  })
  const [them, they] = locked.length === 1 ? ['it', 'it is'] : ['them', 'they are']
  const who = keepsWishes ? 'Parley' : 'This tab'
  const stay = keepsWishes ? '' : ' Keep it open until then.'
  return (
    <div className="grid gap-2 rounded-md bg-sunken p-3">
      <p className="text-ink-2">
        {formatCount(locked.length, 'file is', 'files are')} between 60 and 99% and locked until ready. No refund once{' '}
        {they} ready. {`${who} can delete ${them} as soon as ${they} ready.${stay}`}
      </p>
      <div>
        <Button size="sm" disabled={wish.isPending || wish.isSuccess} onClick={() => wish.mutate()}>
          {wish.isSuccess ? 'Will be deleted when ready' : 'Delete when ready'}
        </Button>
      </div>
      {wish.error && <Notice tone="bad">{wish.error.message}</Notice>}
    </div>
  )
}

/** The result for each file, failures first. */
function Results({ results, refundOf }: { results: readonly DeleteResult[]; refundOf: RefundOf }) {
  const failed = results.filter(({ problem }) => problem !== null)
  const deleted = results.filter(({ problem }) => problem === null)
  return (
    <div role="alert" className="grid gap-2">
      <p className="text-ink-2">
        {formatCount(deleted.length, 'file was', 'files were')} deleted, {countText(failed.length)} not:
      </p>
      <ul className="grid max-h-60 gap-1.5 overflow-y-auto text-sm">
        {[...failed, ...deleted].map(({ record, problem }) => (
          <li key={record.id}>
            <bdi className="font-medium">{record.metadata.name || record.id}</bdi>
            <span className={`block ${problem === null ? 'text-ink-2' : 'text-bad'}`}>
              {problem ??
                `Deleted${refundOf(record) > 0 ? `, ${moneyText(refundOf(record), record.metadata.currency)} refunded` : ''}`}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
