import type { ExportFormat } from '../../../formats/format-table.ts'
import { Signal, useSignal } from '../../base/state/signal.ts'

const storageKey = 'parley.archive'

const stored = new Signal(localStorage.getItem(storageKey), (set) => {
  // Follow choices made in other tabs.
  const onStorage = () => set(localStorage.getItem(storageKey))
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
})

/** Stores the format of a download of many files, for the button of the next one. */
export function rememberArchive(format: ExportFormat): void {
  localStorage.setItem(storageKey, format)
  stored.set(format)
}

/**
 * The format in which this device last downloaded many files, unless an older program left another word; null: none
 * yet. Re-renders on changes.
 */
export function useLastArchive(): string | null {
  return useSignal(stored)
}
