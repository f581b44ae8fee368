import { useSyncExternalStore } from 'react'
import { isTranscriptFormat, type TranscriptFormat } from '../../contract/transcript-formats.ts'

const storageKey = 'parley.format'
const listeners = new Set<() => void>()

/** The format that was taken last on this device. */
export function lastFormat(): TranscriptFormat {
  const value = localStorage.getItem(storageKey) ?? ''
  return isTranscriptFormat(value) ? value : 'txt'
}

/** Remembers the format that was taken last, for the one-click button. */
export function setLastFormat(format: TranscriptFormat): void {
  localStorage.setItem(storageKey, format)
  for (const listener of listeners) listener()
}

/** The same, kept up to date. */
export function useLastFormat(): TranscriptFormat {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, lastFormat)
}
