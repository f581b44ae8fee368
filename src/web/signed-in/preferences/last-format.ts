import { type MenuFormat, menuFormats } from '../../../contract/interface/transcript-formats.ts'
import { Signal, useSignal } from '../../base/state/signal.ts'

const storageKey = 'parley.format'

/** The format last downloaded on this device; null: none yet. */
export const lastFormat = new Signal(readStored(), (set) => {
  // Follow choices made in other tabs.
  const onStorage = () => set(readStored())
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
})

function readStored(): MenuFormat | null {
  const value = localStorage.getItem(storageKey)
  return menuFormats.find((format) => format === value) ?? null
}

/** Stores the format of a download, for the one-click buttons of list and transcript, if their menus have it. */
export function rememberFormat(format: string): void {
  const known = menuFormats.find((one) => one === format)
  if (known === undefined) return
  localStorage.setItem(storageKey, known)
  lastFormat.set(known)
}

/** The same for a button, which has a format before the first download. Re-renders on changes. */
export function useLastFormat(): MenuFormat {
  return useSignal(lastFormat) ?? 'txt'
}
