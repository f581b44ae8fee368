import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import { Button } from '../../base/ui/button.tsx'
import { Dialog } from '../../base/ui/dialog.tsx'
import { countText, formatCount } from '../../base/ui/sizes.ts'
import { showToast } from '../../base/ui/toast.tsx'
import type { Corrections } from '../edit/corrections.ts'
import { turnTime } from '../view/block-element.ts'
import type { Comparison, Difference } from './compare-versions.ts'
import type { CompareRequest } from './compare-worker.ts'

export type Compared = { comparison: Comparison | null }

/**
 * Compares in a dedicated worker, as a text may have a hundred thousand words. Null if the version is of an earlier
 * text of the service, whose words are not available.
 * @returns null, and shows a message, if the worker cannot be loaded
 */
export async function comparedWithNow(
  corrections: Corrections,
  earlier: CorrectionSet | null,
): Promise<Compared | null> {
  const { base } = corrections
  const now = corrections.current()
  if (base === null || now === null || earlier?.fingerprint !== base.fingerprint) return { comparison: null }
  const worker = new Worker(new URL('./compare-worker.ts', import.meta.url), { type: 'module' })
  const { promise, resolve } = Promise.withResolvers<Compared | null>()
  worker.addEventListener('message', ({ data }: MessageEvent<Comparison>) => resolve({ comparison: data }))
  worker.addEventListener('error', () => {
    showToast({ tone: 'bad', title: 'The version could not be compared', detail: 'The service cannot be reached.' })
    resolve(null)
  })
  worker.postMessage({ table: base.table.columns(), earlier, now } satisfies CompareRequest)
  return await promise.finally(() => worker.terminate())
}

/** A version side by side with the current text. */
export function CompareDialog({ comparison, open, onBack, onClose, beginsAt }: Compared & DialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="This version and the text now"
      actions={<Button onClick={onBack}>Back to versions</Button>}
    >
      {comparison === null ? (
        <p className="text-ink-2">
          This version is of an earlier transcript and cannot be compared. Restore it to see what fits.
        </p>
      ) : (
        <ComparisonList {...comparison} beginsAt={beginsAt} />
      )}
    </Dialog>
  )
}
/** `beginsAt`: when the recording began, in seconds of the day; undefined: times count from 0. */
type Beginning = { beginsAt: number | undefined }
type DialogProps = { open: boolean; onBack: () => void; onClose: () => void } & Beginning

/** Maximum number shown, to limit the DOM; nobody reads more. */
const mostShown = 200

/** The differences between a version and the current text, side by side. */
function ComparisonList({ differences, renamed, beginsAt }: Comparison & Beginning) {
  if (differences.length + renamed.length === 0) return <p className="text-ink-2">Both are the same.</p>
  const rest = differences.length - mostShown
  return (
    <div className="grid gap-3">
      {renamed.map(({ earlier, now }) => (
        <p key={earlier}>
          Speaker <del className="text-ink-3">{earlier}</del> is now <ins className="no-underline">{now}</ins>
        </p>
      ))}
      <p className="text-sm text-ink-3">{formatCount(differences.length, 'place')} with other words or times</p>
      <ol className="grid max-h-[50dvh] gap-2 overflow-y-auto">
        {differences.slice(0, mostShown).map((difference, index) => (
          <Line key={index} {...difference} beginsAt={beginsAt} />
        ))}
      </ol>
      {rest > 0 && <p className="text-sm text-ink-3">And {countText(rest)} more.</p>}
    </div>
  )
}

function Line({ startSeconds, before, earlier, now, after, retimed, beginsAt }: Difference & Beginning) {
  const time = turnTime(startSeconds, beginsAt)
  if (retimed !== undefined) {
    return (
      <li className="grid grid-cols-[4rem_1fr] gap-3 border-t border-line pt-2 phone:grid-cols-1 phone:gap-1">
        <time className="text-sm text-ink-3 tabular-nums">{time}</time>
        <p dir="auto">
          <span className="text-ink-3">{before}</span> {now} <span className="text-ink-3">{after}</span>
          <span className="block text-sm">
            Caption retimed: <mark className="rounded-sm bg-bad-soft px-0.5">{retimed.earlier}</mark> →{' '}
            <mark className="rounded-sm bg-ok-soft px-0.5">{retimed.now}</mark>
          </span>
        </p>
      </li>
    )
  }
  return (
    <li className="grid grid-cols-[4rem_1fr_1fr] gap-3 border-t border-line pt-2 phone:grid-cols-1 phone:gap-1">
      <time className="text-sm text-ink-3 tabular-nums">{time}</time>
      <p dir="auto">
        <span className="sr-only">In this version: </span>
        <span className="text-ink-3">{before}</span>{' '}
        <mark className="rounded-sm bg-bad-soft px-0.5">{earlier || '—'}</mark>{' '}
        <span className="text-ink-3">{after}</span>
      </p>
      <p dir="auto">
        <span className="sr-only">Now: </span>
        <span className="text-ink-3">{before}</span> <mark className="rounded-sm bg-ok-soft px-0.5">{now || '—'}</mark>{' '}
        <span className="text-ink-3">{after}</span>
      </p>
    </li>
  )
}
