import { useState } from 'react'
import { type CaptionRules, defaultCaptionRules } from '../../../formats/captions/caption-rules.ts'
import { type ExportFormat, exportFormats, formatTable } from '../../../formats/format-table.ts'
import type { FileRecord } from '../../api/metadata-reader.ts'
import { useSignal } from '../../state/signal.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import type { Desk } from '../desk/desk.ts'
import type { Corrections } from '../edit/corrections.ts'
import { CaptionFields, contradictionIn } from './caption-fields.tsx'
import { saveText } from './save-text.ts'

export type ExportedText = 'corrected' | 'original'
type Props = {
  desk: Desk
  corrections: Corrections
  record: FileRecord
  open: boolean
  /** which text is chosen first */
  first: ExportedText
  onClose: () => void
}

const formats = exportFormats.map((format) => ({
  value: format,
  label: `${format.toUpperCase()}, ${formatTable[format].note}`,
}))
const texts = [
  { value: 'corrected', label: 'Corrected' },
  { value: 'original', label: 'Original' },
] as const

/** Saves the text, corrected or not, in any format; captions as long and as fast as asked for. */
export function ExportDialog({ desk, corrections, record, open, first, onClose }: Props) {
  const [format, setFormat] = useState<ExportFormat>('docx')
  const [text, setText] = useState(first)
  const [captions, setCaptions] = useState<CaptionRules>(defaultCaptionRules)
  const [busy, setBusy] = useState(false)
  const { count } = useSignal(corrections.state)
  const isCorrected = count > 0 && text === 'corrected'
  const isRefused = formatTable[format].isCaption && contradictionIn(captions) !== null
  const make = async () => {
    const source = isCorrected ? desk.text.state.get() : corrections.base
    if (source === null) return
    setBusy(true)
    await saveText({ text: source, record, format, captions, isCorrected })
    setBusy(false)
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Download ${count > 0 ? `${text} ` : ''}transcript`}
      actions={
        <Button variant="primary" disabled={busy || isRefused} onClick={() => void make()}>
          {busy ? 'Preparing the file…' : 'Download'}
        </Button>
      }
    >
      {count > 0 && <Segmented label="Text" value={text} options={texts} onChange={setText} />}
      <Select label="Format" value={format} options={formats} onChange={setFormat} className="w-full" />
      {formatTable[format].isCaption && <CaptionFields rules={captions} onChange={setCaptions} />}
    </Dialog>
  )
}
