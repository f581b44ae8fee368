import { isTranscriptFormat, type TranscriptFormat } from '../../../contract/interface/transcript-formats.ts'
import { Signal, useSignal } from '../../base/state/signal.ts'

const storageKey = 'parley.format'

const stored = new Signal(readStored(), (set) => {
  // Another tab's choice counts here, too.
  const onStorage = () => set(readStored())
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
})

function readStored(): TranscriptFormat {
  const value = localStorage.getItem(storageKey) ?? ''
  return isTranscriptFormat(value) ? value : 'txt'
}

/** Remembers the format that was downloaded last, for the one-click button. */
export function setLastFormat(format: TranscriptFormat): void {
  localStorage.setItem(storageKey, format)
  stored.set(format)
}

/** The format that was last downloaded on this device, kept up to date. */
export function useLastFormat(): TranscriptFormat {
  return useSignal(stored)
}
