import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import { Button } from '../../base/ui/button.tsx'
import { Dialog } from '../../base/ui/dialog.tsx'
import { showToast } from '../../base/ui/toast.tsx'
import type { Corrections } from '../edit/corrections.ts'
import type { Comparison } from './compare-versions.ts'
import type { CompareRequest } from './compare-worker.ts'
import { ComparisonList } from './comparison-list.tsx'

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
export function CompareDialog({ comparison, open, onBack, onClose }: Compared & DialogProps) {
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
        <ComparisonList {...comparison} />
      )}
    </Dialog>
  )
}
type DialogProps = { open: boolean; onBack: () => void; onClose: () => void }
