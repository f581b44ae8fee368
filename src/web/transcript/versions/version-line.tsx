import { Pencil } from 'lucide-react'
import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import { Button } from '../../base/ui/button.tsx'
import { IconButton } from '../../base/ui/icon-button.tsx'
import { countOf } from '../../base/ui/sizes.ts'
import { showToast } from '../../base/ui/toast.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import type { Version } from './kept-versions.ts'

type LineProps = {
  version: Version
  onName: () => void
  onRestore: (set: CorrectionSet | null, label: string) => void
  onCompare: (set: CorrectionSet | null) => void
}

/** One version in the list, with its actions. */
export function VersionLine({ version, onName, onRestore, onCompare }: LineProps) {
  const dates = useDates()
  const { savedAt, corrections, label, by, name, read, rename } = version
  const moment = dates.moment(savedAt)
  const use = async (what: (set: CorrectionSet | null) => void) => {
    try {
      what(await read())
    } catch (error) {
      showToast({ title: 'The version could not be loaded', detail: (error as Error).message, tone: 'bad' })
    }
  }
  return (
    <li className="flex items-center justify-between gap-3">
      <span className="min-w-0">
        {name !== null && <span className="block truncate font-medium">{name}</span>}
        {moment}{' '}
        <span className="text-sm text-ink-3">
          {countOf(corrections, 'correction')} · {label}
          {by !== null && ` · ${by}`}
        </span>
      </span>
      <span className="flex shrink-0 items-center gap-1">
        {rename !== null && (
          <IconButton label={`Name the version of ${moment}`} onClick={onName}>
            <Pencil aria-hidden />
          </IconButton>
        )}
        <Button size="sm" onClick={() => void use(onCompare)}>
          Compare
        </Button>
        <Button size="sm" onClick={() => void use((set) => onRestore(set, `Restored version of ${moment}`))}>
          Restore
        </Button>
      </span>
    </li>
  )
}
