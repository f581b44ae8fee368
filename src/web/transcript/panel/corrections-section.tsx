import { History, Redo2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useDates } from '../../preferences/preferences.ts'
import { useSignal } from '../../state/signal.ts'
import { Button } from '../../ui/button.tsx'
import type { Dates } from '../../ui/dates.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { countOf } from '../../ui/sizes.ts'
import type { SavedVersion } from '../edit/correction-store.ts'
import type { CorrectionPlace, CorrectionState, Corrections } from '../edit/corrections.ts'
import { VersionsDialog } from '../edit/versions-dialog.tsx'
import { PanelSection } from './panel-section.tsx'

type Props = { corrections: Corrections; name: string; onConflicts: () => void }

/** What was corrected, saved by itself; undo, versions, and a file that carries it to another account. */
export function CorrectionsSection({ corrections, name, onConflicts }: Props) {
  const state = useSignal(corrections.state)
  const place = useSignal(corrections.where)
  const dates = useDates()
  if (state.saved === 'waiting') return null
  return (
    <PanelSection title="Corrections">
      <div className="flex items-center gap-1">
        <p role="status" className="mr-auto text-sm text-ink-2">
          {statusText(state, dates)}
        </p>
        <IconButton label="Undo" disabled={!state.canUndo} onClick={() => void corrections.undo()}>
          <Undo2 aria-hidden />
        </IconButton>
        <IconButton label="Redo" disabled={!state.canRedo} onClick={() => void corrections.redo()}>
          <Redo2 aria-hidden />
        </IconButton>
        <VersionsButton corrections={corrections} name={name} />
      </div>
      {state.conflicts.length > 0 && (
        <Button size="sm" onClick={onConflicts}>
          {countOf(state.conflicts.length, 'correction')} to review
        </Button>
      )}
      <p className="text-sm text-ink-3">
        Double-click the text, or press Enter on a turn, to correct it. {whereText(place)} The original is kept.
      </p>
    </PanelSection>
  )
}

function VersionsButton({ corrections, name }: Pick<Props, 'corrections' | 'name'>) {
  const [versions, setVersions] = useState<readonly SavedVersion[]>([])
  const [isOpen, setIsOpen] = useState(false)
  const open = async () => {
    // Where this browser has no room nothing was stored, and the original is still offered.
    setVersions(await corrections.versions().catch(() => []))
    setIsOpen(true)
  }
  return (
    <>
      <IconButton label="Versions" onClick={() => void open()}>
        <History aria-hidden />
      </IconButton>
      <VersionsDialog
        corrections={corrections}
        name={name}
        versions={versions}
        open={isOpen}
        onClose={() => setIsOpen(false)}
      />
    </>
  )
}

function whereText(place: CorrectionPlace): string {
  if (place.kind === 'waiting') return `Not sent yet, and safe on this device: ${place.problem}`
  if (place.kind === 'device') return 'Corrections stay on this device: this service does not keep them.'
  return 'Corrections are saved to your account, on this and all other devices.'
}

/** `3 corrections · saved 14:02` */
export function statusText(state: CorrectionState, dates: Dates): string {
  if (state.saved === 'saving') return 'Saving…'
  if (state.saved === 'failed') return 'Not saved: this browser has no storage space left'
  if (state.count === 0) return 'No corrections yet'
  return `${countOf(state.count, 'correction')} · saved ${dates.time(state.savedAt)}`
}
