import { type ReactNode, useState } from 'react'
import type { FileRecord } from '../../api/metadata-reader.ts'
import { showToast } from '../../ui/toast.tsx'
import type { Desk } from '../desk/desk.ts'
import type { Corrections } from '../edit/corrections.ts'
import type { ExportedText } from './export-dialog.tsx'

type Loaded = typeof import('./export-dialog.tsx')
type ExportDialog = { dialog: ReactNode; open: (text: ExportedText) => void }

/** The export dialog; its code, with the table of formats, is fetched when it is first opened. */
export function useExportDialog(desk: Desk, corrections: Corrections, record: FileRecord): ExportDialog {
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [text, setText] = useState<ExportedText | null>(null)
  // Its fields begin anew each time, but it stays while it fades away.
  const [times, setTimes] = useState(0)
  const open = async (wanted: ExportedText) => {
    try {
      setLoaded(await import('./export-dialog.tsx'))
      setTimes(times + 1)
      setText(wanted)
    } catch {
      const detail = 'Check your connection and try again.'
      showToast({ tone: 'bad', title: 'The export could not be loaded', detail })
    }
  }
  const props = { desk, corrections, record, open: text !== null, first: text ?? 'corrected' }
  const dialog = loaded && <loaded.ExportDialog key={times} {...props} onClose={() => setText(null)} />
  return { dialog, open: (wanted) => void open(wanted) }
}
