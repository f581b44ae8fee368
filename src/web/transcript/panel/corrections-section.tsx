import { Download, History, Redo2, Undo2, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { useDates } from '../../preferences/preferences.ts'
import { useSignal } from '../../state/signal.ts'
import { Button } from '../../ui/button.tsx'
import type { Dates } from '../../ui/dates.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { countOf } from '../../ui/sizes.ts'
import { showToast } from '../../ui/toast.tsx'
import { readCorrectionFile, writeCorrectionFile } from '../edit/correction-file.ts'
import type { SavedVersion } from '../edit/correction-store.ts'
import type { CorrectionState, Corrections } from '../edit/corrections.ts'
import { VersionsDialog } from '../edit/versions-dialog.tsx'
import { PanelSection } from './panel-section.tsx'

type Props = { corrections: Corrections; name: string; onConflicts: () => void }

/** What was corrected on this device, saved by itself; undo, versions, and a file that carries it to another device. */
export function CorrectionsSection({ corrections, name, onConflicts }: Props) {
  const state = useSignal(corrections.state)
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
      </div>
      {state.conflicts.length > 0 && (
        <Button size="sm" onClick={onConflicts}>
          {countOf(state.conflicts.length, 'correction')} to decide on
        </Button>
      )}
      <div className="flex flex-wrap gap-1.5">
        <VersionsButton corrections={corrections} />
        <Button size="sm" disabled={state.places === 0} onClick={() => exportCorrections(corrections, name)}>
          <Download aria-hidden /> Export
        </Button>
        <ImportButton onFile={(file) => void importCorrections(corrections, file)} />
      </div>
      <p className="text-sm text-ink-3">
        Double click the text, or press Enter on a turn, to correct it. Corrections stay on this device; what the
        service holds is not changed.
      </p>
    </PanelSection>
  )
}

function VersionsButton({ corrections }: { corrections: Corrections }) {
  const [versions, setVersions] = useState<readonly SavedVersion[]>([])
  const [isOpen, setIsOpen] = useState(false)
  const open = async () => {
    // Where this browser has no room nothing was stored, and the original is still offered.
    setVersions(await corrections.versions().catch(() => []))
    setIsOpen(true)
  }
  return (
    <>
      <Button size="sm" onClick={() => void open()}>
        <History aria-hidden /> Versions
      </Button>
      <VersionsDialog corrections={corrections} versions={versions} open={isOpen} onClose={() => setIsOpen(false)} />
    </>
  )
}

function ImportButton({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button size="sm" onClick={() => input.current?.click()}>
        <Upload aria-hidden /> Import
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label="File of corrections"
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          const file = target.files?.[0]
          if (file) onFile(file)
          // So that the same file can be chosen again.
          target.value = ''
        }}
      />
    </>
  )
}

function exportCorrections(corrections: Corrections, name: string): void {
  const set = corrections.current()
  if (set === null) return
  saveFile(new Blob([writeCorrectionFile(set, name)], { type: 'application/json' }), `${name} corrections.json`)
}

async function importCorrections(corrections: Corrections, file: File): Promise<void> {
  const set = readCorrectionFile(await file.text())
  if (set === null) showToast({ title: 'This is no file of corrections', tone: 'bad' })
  else await corrections.replaceBy(set, 'Import of corrections')
}

/** `3 places · saved 14:02` */
export function statusText(state: CorrectionState, dates: Dates): string {
  if (state.saved === 'saving') return 'Saving …'
  if (state.saved === 'failed') return 'Not saved: this browser gives no room for it'
  if (state.places === 0) return 'Nothing is corrected yet'
  return `${countOf(state.places, 'place')} · saved ${dates.time(state.savedAt)}`
}
