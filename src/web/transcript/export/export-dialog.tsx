import { useState } from 'react'
import { type CueParameters, defaultCueParameters } from '../../../formats/captions/cues.ts'
import { type ExportFormat, exportFormats, formatTable } from '../../../formats/format-table.ts'
import type { FileRecord } from '../../api/metadata-reader.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Select } from '../../ui/select.tsx'
import { countOf } from '../../ui/sizes.ts'
import { showToast } from '../../ui/toast.tsx'
import type { Desk } from '../desk/desk.ts'
import { makeFile } from './make-file.ts'

type Props = { desk: Desk; record: FileRecord; open: boolean; onClose: () => void }

const choices = exportFormats.map((format) => ({
  value: format,
  label: `${format.toUpperCase()}, ${formatTable[format].note}`,
}))

/** Saves the text as it was corrected here; captions as long and as fast as asked for. */
export function ExportDialog({ desk, record, open, onClose }: Props) {
  const [format, setFormat] = useState<ExportFormat>('docx')
  const [captions, setCaptions] = useState(defaultCueParameters)
  const [busy, setBusy] = useState(false)
  const make = async () => {
    setBusy(true)
    try {
      await saveCorrected(desk, record, format, captions)
      onClose()
    } catch {
      showToast({
        title: 'The file could not be made',
        detail: 'Try another format, or load the page again.',
        tone: 'bad',
      })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Take the corrected text"
      description="Made on this device from your corrections."
      actions={
        <Button variant="primary" disabled={busy} onClick={() => void make()}>
          {busy ? 'Making the file …' : 'Save the file'}
        </Button>
      }
    >
      <Select label="Format" value={format} options={choices} onChange={setFormat} className="w-full" />
      {formatTable[format].isCaption && <CaptionFields captions={captions} onChange={setCaptions} />}
    </Dialog>
  )
}

async function saveCorrected(desk: Desk, record: FileRecord, format: ExportFormat, captions: CueParameters) {
  const { table, names } = desk.text.state.get()
  const { metadata } = record
  const about = {
    title: metadata.name,
    options: metadata.options,
    created: metadata.created,
    durationMs: Math.round(record.seconds * 1_000),
    progressPercent: record.percent,
  }
  const { content, warnings } = await makeFile({ columns: table.columns(), names, about, format, captions })
  saveFile(content, `${metadata.name} corrected.${format}`)
  if (warnings === 0) return
  const title = `${countOf(warnings, 'caption')} ${warnings === 1 ? 'goes' : 'go'} over the limits`
  showToast({ title, detail: 'They are too long or too fast to read; the file holds them as they are.' })
}

type CaptionProps = { captions: CueParameters; onChange: (captions: CueParameters) => void }

function CaptionFields({ captions, onChange }: CaptionProps) {
  const field = (label: string, name: 'lineLength' | 'charactersPerSecond', least: number, most: number) => (
    <Field
      label={label}
      type="number"
      min={least}
      max={most}
      value={captions[name]}
      onChange={({ target }) => {
        const value = target.valueAsNumber
        if (value >= least && value <= most) onChange({ ...captions, [name]: Math.round(value) })
      }}
    />
  )
  return (
    <div className="grid grid-cols-2 gap-3">
      {field('Letters a line', 'lineLength', 12, 80)}
      {field('Letters a second', 'charactersPerSecond', 5, 60)}
    </div>
  )
}
