import { History } from 'lucide-react'
import { useState } from 'react'
import type { Session } from '../../base/api/client.ts'
import { useSignal } from '../../base/state/signal.ts'
import { IconButton } from '../../base/ui/icon-button.tsx'
import { Later, laterPart } from '../../base/ui/later.tsx'
import { showToast } from '../../base/ui/toast.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import type { Correcting } from '../desk/correcting.ts'
import type { Desk } from '../desk/desk.ts'
import { UndoButtons } from '../desk/undo-buttons.tsx'
import type { CorrectionPlace, Corrections } from '../edit/corrections.ts'
import { listVersions, type Version } from '../versions/kept-versions.ts'
import { CorrectingTools } from './correcting-tools.tsx'
import { PanelSection } from './panel-section.tsx'
import { savedText } from './saved-text.ts'

const VersionsDialog = laterPart(async () => (await import('../versions/versions-dialog.tsx')).VersionsDialog)

type Props = {
  desk: Desk
  corrections: Corrections
  correcting: Correcting
  name: string
  session: Session
}

/** The corrections, saved automatically; undo, versions, and a file that carries them to another account. */
export function CorrectionsSection({ desk, corrections, correcting, name, session }: Props) {
  const state = useSignal(corrections.state)
  const place = useSignal(corrections.where)
  const isLocked = useSignal(corrections.isLocked)
  const dates = useDates()
  if (state.saved === 'waiting') return null
  return (
    <PanelSection title="Corrections">
      <div className="flex items-center gap-1">
        <p role="status" className="mr-auto text-sm text-ink-2">
          {savedText(state, place, dates)}
        </p>
        <UndoButtons corrections={corrections} />
        <VersionsButton desk={desk} corrections={corrections} name={name} session={session} />
      </div>
      <CorrectingTools desk={desk} correcting={correcting} />
      <p className="text-sm text-ink-3">
        {isLocked || (
          <>
            <span className="pointer-coarse:hidden">
              Double-click the text, or press Enter on a turn, to correct it.{' '}
            </span>
            <span className="hidden pointer-coarse:inline">Double-tap the text to correct it. </span>
          </>
        )}
        {whereText(place)} The original is kept.
      </p>
    </PanelSection>
  )
}

function VersionsButton({ desk, corrections, name, session }: Omit<Props, 'correcting'>) {
  const beginsAt = useSignal(desk.beginsAt)
  const [versions, setVersions] = useState<readonly Version[]>([])
  const [isOpen, setIsOpen] = useState(false)
  const read = async () => {
    try {
      setVersions(await listVersions(session, corrections))
    } catch (error) {
      // The original is still offered.
      setVersions([])
      showToast({ title: 'Earlier versions could not be loaded', detail: (error as Error).message, tone: 'bad' })
    }
  }
  return (
    <>
      <IconButton label="Versions" onClick={() => void read().then(() => setIsOpen(true))}>
        <History aria-hidden />
      </IconButton>
      <Later wanted={isOpen}>
        <VersionsDialog
          corrections={corrections}
          name={name}
          beginsAt={beginsAt}
          versions={versions}
          open={isOpen}
          onChange={() => void read()}
          onClose={() => setIsOpen(false)}
        />
      </Later>
    </>
  )
}

function whereText(place: CorrectionPlace): string {
  if (place.kind === 'waiting' && place.isUnsent) return `Not sent yet, and safe on this device: ${place.problem}`
  if (place.kind === 'device') return 'Corrections stay on this device: this service does not keep them.'
  return 'Corrections are saved to your account, on this and all other devices.'
}
