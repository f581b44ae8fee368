import { type ReactNode, useState } from 'react'
import type { FileRecord } from '../../api/metadata-reader.ts'
import { showToast } from '../../ui/toast.tsx'
import type { Desk } from '../desk/desk.ts'

type Loaded = typeof import('./export-dialog.tsx')

/** The export dialog; its code, with the table of formats, is fetched when it is first opened. */
export function useExportDialog(desk: Desk, record: FileRecord): { dialog: ReactNode; open: () => Promise<void> } {
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const open = async () => {
    try {
      setLoaded(await import('./export-dialog.tsx'))
      setIsOpen(true)
    } catch {
      showToast({
        title: 'The export could not be loaded',
        detail: 'Check your connection and try again.',
        tone: 'bad',
      })
    }
  }
  const dialog = loaded && (
    <loaded.ExportDialog desk={desk} record={record} open={isOpen} onClose={() => setIsOpen(false)} />
  )
  return { dialog, open }
}
