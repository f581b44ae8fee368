import { isTranscriptFormat, type TranscriptFormat } from '../../../contract/interface/transcript-formats.ts'
import { Signal, useSignal } from '../../base/state/signal.ts'

const storageKey = 'parley.format'

const stored = new Signal(readStored(), (set) => {
  // Follow choices made in other tabs.
  const onStorage = () => set(readStored())
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
})

function readStored(): TranscriptFormat {
  const value = localStorage.getItem(storageKey) ?? ''
  return isTranscriptFormat(value) ? value : 'txt'
}

/** Stores the last downloaded format, for the one-click button. */
export function setLastFormat(format: TranscriptFormat): void {
  localStorage.setItem(storageKey, format)
  stored.set(format)
}

/** The format last downloaded on this device; re-renders on changes. */
export function useLastFormat(): TranscriptFormat {
  return useSignal(stored)
}
