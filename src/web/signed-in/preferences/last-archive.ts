import { type ExportFormat, exportFormats } from '../../../formats/format-table.ts'
import { Signal, useSignal } from '../../base/state/signal.ts'
import { lastFormat } from './last-format.ts'

const storageKey = 'parley.archive'

const stored = new Signal(readStored(), (set) => {
  // Follow choices made in other tabs.
  const onStorage = () => set(readStored())
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
})

function readStored(): ExportFormat | null {
  const value = localStorage.getItem(storageKey)
  return exportFormats.find((format) => format === value) ?? null
}

/** Stores the format of a download of many files, for the button of the next one. */
export function rememberArchive(format: ExportFormat): void {
  localStorage.setItem(storageKey, format)
  stored.set(format)
}

/**
 * The format for a download of many files: of the last one on this device, else of its last file alone, else the one in
 * which most people deliver. Re-renders on changes.
 */
export function useArchiveFormat(): ExportFormat {
  const alone = useSignal(lastFormat)
  return useSignal(stored) ?? alone ?? 'docx'
}
