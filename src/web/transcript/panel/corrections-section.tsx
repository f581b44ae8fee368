import { History, Redo2, Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Session } from '../../base/api/client.ts'
import { useSignal } from '../../base/state/signal.ts'
import type { Dates } from '../../base/ui/dates.ts'
import { IconButton } from '../../base/ui/icon-button.tsx'
import { Later, laterPart } from '../../base/ui/later.tsx'
import { formatCount } from '../../base/ui/sizes.ts'
import { showToast } from '../../base/ui/toast.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import type { Desk } from '../desk/desk.ts'
import type { CorrectionPlace, CorrectionState, Corrections } from '../edit/corrections.ts'
import { listVersions, type Version } from '../versions/kept-versions.ts'
import { PanelSection } from './panel-section.tsx'

const VersionsDialog = laterPart(async () => (await import('../versions/versions-dialog.tsx')).VersionsDialog)

type Props = {
  desk: Desk
  corrections: Corrections
  name: string
  session: Session
  /** further tools */
  children: ReactNode
}

/** The corrections, saved automatically; undo, versions, and a file that carries them to another account. */
export function CorrectionsSection({ desk, corrections, name, session, children }: Props) {
  const state = useSignal(corrections.state)
  const place = useSignal(corrections.where)
  const isLocked = useSignal(corrections.isLocked)
  const dates = useDates()
  if (state.saved === 'waiting') return null
  return (
    <PanelSection title="Corrections">
      <div className="flex items-center gap-1">
        <p role="status" className="mr-auto text-sm text-ink-2">
          {statusText(state, place, dates)}
        </p>
        <IconButton label="Undo" disabled={isLocked || !state.canUndo} onClick={() => void corrections.undo()}>
          <Undo2 aria-hidden />
        </IconButton>
        <IconButton label="Redo" disabled={isLocked || !state.canRedo} onClick={() => void corrections.redo()}>
          <Redo2 aria-hidden />
        </IconButton>
        <VersionsButton desk={desk} corrections={corrections} name={name} session={session} />
      </div>
      {children}
      <p className="text-sm text-ink-3">
        {isLocked || 'Double-click the text, or press Enter on a turn, to correct it. '}
        {whereText(place)} The original is kept.
      </p>
    </PanelSection>
  )
}

function VersionsButton({ desk, corrections, name, session }: Omit<Props, 'children'>) {
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

/** `3 corrections · saved 14:02`, or that the account does not have all of them. */
export function statusText(state: CorrectionState, place: CorrectionPlace, dates: Dates): string {
  if (state.saved === 'saving') return 'Saving…'
  if (state.saved === 'failed') return 'Not saved: this browser has no storage space left'
  const isUnsent = place.kind === 'waiting' && place.isUnsent
  if (state.count === 0) return isUnsent ? 'On this device, not sent yet' : 'No corrections yet'
  return `${formatCount(state.count, 'correction')} · ${isUnsent ? 'on this device, not sent yet' : savedText(state, place, dates)}`
}

/** The time is that of this device's last step; others' corrections have none here. */
function savedText({ savedAt }: CorrectionState, { kind }: CorrectionPlace, dates: Dates): string {
  if (kind === 'sending') return 'sending…'
  return savedAt > 0 ? `saved ${dates.time(savedAt)}` : 'saved'
}
