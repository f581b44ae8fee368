import { useQuery } from '@tanstack/react-query'
import { useDates } from '../../preferences/preferences.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { countOf } from '../../ui/sizes.ts'
import { readVersions } from './correction-store.ts'
import type { Corrections } from './corrections.ts'

type Props = { corrections: Corrections; open: boolean; onClose: () => void }

/** Earlier states of the corrections, kept by themselves; coming back to one can be undone like any step. */
export function VersionsDialog({ corrections, open, onClose }: Props) {
  const { data: versions = [] } = useQuery({
    queryKey: ['correction versions', ...corrections.key, open] as const,
    queryFn: () => readVersions(corrections.key),
    enabled: open,
    gcTime: 0,
  })
  const dates = useDates()
  const without = corrections.current()
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
            <Button
              size="sm"
              onClick={() => {
                void corrections.replaceBy(version, 'Return to a version')
                onClose()
              }}
            >
              Go back to it
            </Button>
          </li>
        ))}
        <li className="flex items-center justify-between gap-3 border-t border-line pt-2">
          <span>As the service made it</span>
          <Button
            size="sm"
            disabled={without === null || without.patches.length === 0}
            onClick={() => {
              if (without !== null) {
                void corrections.replaceBy(
                  { ...without, patches: [], names: without.baseNames },
                  'Return to the original',
                )
              }
              onClose()
            }}
          >
            Go back to it
          </Button>
        </li>
      </ul>
    </Dialog>
  )
}
