import { Download, Pencil } from 'lucide-react'
import { useState } from 'react'
import { type CorrectionSet, replacingLabels } from '../../../contract/account/corrections.ts'
import { useSignal } from '../../base/state/signal.ts'
import { Button } from '../../base/ui/button.tsx'
import { Dialog } from '../../base/ui/dialog.tsx'
import { Field } from '../../base/ui/field.tsx'
import { FileButton } from '../../base/ui/file-button.tsx'
import { FormDialog } from '../../base/ui/form-dialog.tsx'
import { IconButton } from '../../base/ui/icon-button.tsx'
import { saveFile } from '../../base/ui/save-file.ts'
import { formatCount } from '../../base/ui/sizes.ts'
import { showToast } from '../../base/ui/toast.tsx'
import { useDates } from '../../signed-in/preferences/preferred-dates.ts'
import type { Corrections } from '../edit/corrections.ts'
import { CompareDialog, type Compared, comparedWithNow } from './compare-dialog.tsx'
import { readCorrectionFile, writeCorrectionFile } from './correction-file.ts'
import type { Version } from './kept-versions.ts'

const aboutKept = 'Saved to your account as you and others correct. Nothing is overwritten.'
const aboutDevice = 'Saved on this device as you correct. Save a copy to move your corrections to another device.'

type Props = {
  corrections: Corrections
  /** of the recording */
  name: string
  /** when it began, in seconds of the day; undefined: times count from 0 */
  beginsAt: number | undefined
  versions: readonly Version[]
  open: boolean
  /** a version was renamed */
  onChange: () => void
  onClose: () => void
}

/** Earlier versions of the corrections, stored automatically; restoring one can be undone like any step. */
export function VersionsDialog({ corrections, name, beginsAt, versions, open, onChange, onClose }: Props) {
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
    const props = { ...compared, beginsAt, open, onClose: close }
    return <CompareDialog {...props} onBack={() => setCompared(null)} />
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
            onClick={() => goBack(withoutCorrections(corrections), replacingLabels.original)}
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

const LoadButton = ({ onFile }: { onFile: (file: File) => void }) => (
  <FileButton accept=".json,application/json" label="Corrections file" onFile={onFile}>
    Load a copy…
  </FileButton>
)

function saveCopy(corrections: Corrections, name: string): void {
  const set = corrections.current()
  if (set === null) return
  saveFile(new Blob([writeCorrectionFile(set, name)], { type: 'application/json' }), `${name} corrections.json`)
}

async function loadCopy(corrections: Corrections, file: File): Promise<void> {
  const set = readCorrectionFile(await file.text())
  if (set === null) showToast({ title: 'This is not a corrections file', tone: 'bad' })
  else await corrections.replaceBy(set, replacingLabels.copy)
}

/** Asks for the name of a version. */
function NameDialog({ version, onNamed, onClose }: { version: Version; onNamed: () => void; onClose: () => void }) {
  const [name, setName] = useState(version.name ?? '')
  return (
    <FormDialog
      title="Name this version"
      submit="Save name"
      isReady={name.trim() !== ''}
      onSubmit={async () => {
        await version.rename?.(name.trim())
        onNamed()
      }}
      onClose={onClose}
    >
      <Field label="Name" value={name} maxLength={200} onChange={({ target }) => setName(target.value)} />
    </FormDialog>
  )
}

type LineProps = {
  version: Version
  onName: () => void
  onRestore: (set: CorrectionSet | null, label: string) => void
  onCompare: (set: CorrectionSet | null) => void
}

/** One version in the list, with its actions. */
function VersionLine({ version, onName, onRestore, onCompare }: LineProps) {
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
          {formatCount(corrections, 'correction')} · {label}
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
        <Button size="sm" onClick={() => void use((set) => onRestore(set, `${replacingLabels.version} ${moment}`))}>
          Restore
        </Button>
      </span>
    </li>
  )
}
