import { ArrowUpFromLine, Download } from 'lucide-react'
import { useRef, useState } from 'react'
import type { CorrectionSet } from '../../../contract/account/corrections.ts'
import { useSignal } from '../../base/state/signal.ts'
import { Button } from '../../base/ui/button.tsx'
import { Dialog } from '../../base/ui/dialog.tsx'
import { saveFile } from '../../base/ui/save-file.ts'
import { showToast } from '../../base/ui/toast.tsx'
import type { Corrections } from '../edit/corrections.ts'
import { CompareDialog, type Compared, comparedWithNow } from './compare-dialog.tsx'
import { readCorrectionFile, writeCorrectionFile } from './correction-file.ts'
import type { Version } from './kept-versions.ts'
import { NameDialog } from './name-dialog.tsx'
import { VersionLine } from './version-line.tsx'

const aboutKept = 'Saved to your account as you and others correct. Nothing is overwritten.'
const aboutDevice = 'Saved on this device as you correct. Save a copy to move your corrections to another device.'

type Props = {
  corrections: Corrections
  /** of the recording */
  name: string
  versions: readonly Version[]
  open: boolean
  /** a version was renamed */
  onChange: () => void
  onClose: () => void
}

/** Earlier versions of the corrections, stored automatically; restoring one can be undone like any step. */
export function VersionsDialog({ corrections, name, versions, open, onChange, onClose }: Props) {
  const { count } = useSignal(corrections.state)
  const isKept = useSignal(corrections.where).kind !== 'device'
  const [naming, setNaming] = useState<Version | null>(null)
  const [compared, setCompared] = useState<Compared | null>(null)
  const close = () => {
    setCompared(null)
    onClose()
  }
  const goBack = (version: CorrectionSet | null, label: string) => {
    if (version !== null) void corrections.replaceBy(version, label)
    close()
  }
  if (compared !== null) {
    return <CompareDialog {...compared} open={open} onBack={() => setCompared(null)} onClose={close} />
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Versions"
      description={isKept ? aboutKept : aboutDevice}
      actions={
        <>
          <LoadButton
            onFile={(file) => {
              onClose()
              void loadCopy(corrections, file)
            }}
          />
          <Button disabled={count === 0} onClick={() => saveCopy(corrections, name)}>
            <Download aria-hidden /> Save a copy…
          </Button>
        </>
      }
    >
      <ul className="grid max-h-[50dvh] gap-2 overflow-y-auto">
        {versions.map((version) => (
          <VersionLine
            key={version.id}
            version={version}
            onName={() => setNaming(version)}
            onRestore={goBack}
            onCompare={(set) => void comparedWithNow(corrections, set).then(setCompared)}
          />
        ))}
        <li className="flex items-center justify-between gap-3 border-t border-line pt-2">
          <span>Original</span>
          <Button
            size="sm"
            disabled={count === 0}
            onClick={() => goBack(withoutCorrections(corrections), 'Restored original')}
          >
            Restore
          </Button>
        </li>
      </ul>
      {naming !== null && <NameDialog version={naming} onNamed={onChange} onClose={() => setNaming(null)} />}
    </Dialog>
  )
}

function withoutCorrections(corrections: Corrections): CorrectionSet | null {
  const set = corrections.current()
  return set === null ? null : { ...set, patches: [], names: set.baseNames }
}

function LoadButton({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button onClick={() => input.current?.click()}>
        <ArrowUpFromLine aria-hidden /> Load a copy…
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label="Corrections file"
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          const file = target.files?.[0]
          if (file) onFile(file)
          // Lets the same file be chosen again.
          target.value = ''
        }}
      />
    </>
  )
}

function saveCopy(corrections: Corrections, name: string): void {
  const set = corrections.current()
  if (set === null) return
  saveFile(new Blob([writeCorrectionFile(set, name)], { type: 'application/json' }), `${name} corrections.json`)
}

async function loadCopy(corrections: Corrections, file: File): Promise<void> {
  const set = readCorrectionFile(await file.text())
  if (set === null) showToast({ title: 'This is not a corrections file', tone: 'bad' })
  else await corrections.replaceBy(set, 'Loaded copy')
}
