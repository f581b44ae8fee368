import type { CorrectionSet } from '../../../contract/account-corrections.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Corrections } from '../edit/corrections.ts'
import { type Comparison, compareVersions } from './compare-versions.ts'
import { ComparisonList } from './comparison-list.tsx'

export type Compared = { comparison: Comparison | null }

/** Null where the version is of an earlier text of the service, whose words are not here. */
export function comparedWithNow(corrections: Corrections, earlier: CorrectionSet | null): Compared {
  const { base } = corrections
  const now = corrections.current()
  if (base === null || now === null || earlier?.fingerprint !== base.fingerprint) return { comparison: null }
  return { comparison: compareVersions(base, earlier, now) }
}

/** A version beside the text as it is now. */
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
