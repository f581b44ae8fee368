import { useMemo, useState } from 'react'
import { formatTable } from '../../../formats/format-table.ts'
import type { Session } from '../../base/api/client.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { useSignal } from '../../base/state/signal.ts'
import { Button } from '../../base/ui/button.tsx'
import { Dialog } from '../../base/ui/dialog.tsx'
import { Segmented } from '../../base/ui/segmented.tsx'
import { rememberFormat } from '../../signed-in/preferences/last-format.ts'
import type { Desk } from '../desk/desk.ts'
import type { Corrections } from '../edit/corrections.ts'
import { contradictionIn } from './apply-choices.ts'
import { DownloadPanel } from './download-panel.tsx'
import { saveText } from './save-text.ts'
import { useDownloadChoices } from './use-download-choices.ts'

export type ExportedText = 'corrected' | 'original'
type Props = {
  session: Session
  desk: Desk
  corrections: Corrections
  record: FileRecord
  open: boolean
  /** text that is selected first */
  first: ExportedText
  onClose: () => void
}

const texts = [
  { value: 'corrected', label: 'Corrected' },
  { value: 'original', label: 'Original' },
] as const

/** Saves the text, corrected or not, in any format with any choices, next to a preview. */
export function ExportDialog({ session, desk, corrections, record, open, first, onClose }: Props) {
  const download = useDownloadChoices(session, 'docx', first)
  const [busy, setBusy] = useState(false)
  const { count } = useSignal(corrections.state)
  const current = useSignal(desk.text.state)
  const { format, choices } = download
  const isCorrected = count > 0 && choices.text === 'corrected'
  const text = isCorrected ? current : corrections.base
  const sample = useMemo(() => {
    if (text === null) return null
    const source = { kind: 'table', table: text.table.columns(), names: text.names } as const
    const textKey = `${record.id} ${isCorrected ? count : 'original'}`
    return { record, source, textKey, speakers: text.names, corrected: isCorrected }
  }, [text, record, count, isCorrected])
  const isRefused = formatTable[format].kind === 'captions' && contradictionIn(choices.captions) !== null
  const make = async () => {
    if (text === null) return
    setBusy(true)
    download.remember()
    rememberFormat(format)
    await saveText({ text, record, format, choices, isCorrected })
    setBusy(false)
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      width="lg"
      title={`Download ${count > 0 ? `${choices.text} ` : ''}transcript`}
      actions={
        <Button variant="primary" disabled={busy || isRefused} onClick={() => void make()}>
          {busy ? 'Preparing the file…' : 'Download'}
        </Button>
      }
    >
      <DownloadPanel download={download} sample={sample}>
        {count > 0 && (
          <Segmented
            label="Text"
            value={choices.text}
            options={texts}
            onChange={(value) => download.onChoices({ ...choices, text: value })}
          />
        )}
      </DownloadPanel>
    </Dialog>
  )
}
