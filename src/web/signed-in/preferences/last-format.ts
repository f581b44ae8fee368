import { type MenuFormat, menuFormats } from '../../../contract/interface/transcript-formats.ts'
import { Signal, useSignal } from '../../base/state/signal.ts'

const storageKey = 'parley.format'

const stored = new Signal(readStored(), (set) => {
  // Follow choices made in other tabs.
  const onStorage = () => set(readStored())
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
})

function readStored(): MenuFormat {
  const value = localStorage.getItem(storageKey)
  return menuFormats.find((format) => format === value) ?? 'txt'
}

/** Stores the last downloaded format, for the one-click button. */
export function setLastFormat(format: MenuFormat): void {
  localStorage.setItem(storageKey, format)
  stored.set(format)
}

/** The format last downloaded on this device; re-renders on changes. */
export function useLastFormat(): MenuFormat {
  return useSignal(stored)
}
