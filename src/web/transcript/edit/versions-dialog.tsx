import { useDates } from '../../preferences/preferences.ts'
import { useSignal } from '../../state/signal.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { countOf } from '../../ui/sizes.ts'
import type { SavedVersion } from './correction-store.ts'
import type { Corrections } from './corrections.ts'
import type { CorrectionSet } from './reapply.ts'

type Props = { corrections: Corrections; versions: readonly SavedVersion[]; open: boolean; onClose: () => void }

/** Earlier versions of the corrections, which were stored automatically; restoring one can be undone like any step. */
export function VersionsDialog({ corrections, versions, open, onClose }: Props) {
  const dates = useDates()
  const { places } = useSignal(corrections.state)
  const goBack = (version: CorrectionSet | null, label: string) => {
    if (version !== null) void corrections.replaceBy(version, label)
    onClose()
  }
  return (
    <Dialog open={open} onClose={onClose} title="Versions" description="Kept on this device while you correct.">
      <ul className="grid max-h-[50dvh] gap-1 overflow-y-auto">
        {versions.map((version) => (
          <li key={version.keptAt} className="flex items-center justify-between gap-3">
            <span>
              {dates.moment(version.keptAt)}{' '}
              <span className="text-sm text-ink-3">
                {countOf(version.patches.length, 'place')} · {version.label}
              </span>
            </span>
            <Button size="sm" onClick={() => goBack(version, 'Return to a version')}>
              Go back to it
            </Button>
          </li>
        ))}
        <li className="flex items-center justify-between gap-3 border-t border-line pt-2">
          <span>As the service made it</span>
          <Button
            size="sm"
            disabled={places === 0}
            onClick={() => goBack(withoutCorrections(corrections), 'Return to the original')}
          >
            Go back to it
          </Button>
        </li>
      </ul>
    </Dialog>
  )
}

function withoutCorrections(corrections: Corrections): CorrectionSet | null {
  const set = corrections.current()
  return set === null ? null : { ...set, patches: [], names: set.baseNames }
}
