import type { Session } from '../../base/api/client.ts'
import { Signal, useSignal } from '../../base/state/signal.ts'

const storageKey = ({ environment, account }: Session) => `parley.corrected.${environment}.${account}`

/** Counts changes of the stored lists, by this tab and others. */
const changes = new Signal(0, (set) => {
  const onStorage = () => set(changes.get() + 1)
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
})

/** Ids of the account's files whose transcripts are corrected on this device. */
export function correctedFiles(session: Session): ReadonlySet<string> {
  return new Set((localStorage.getItem(storageKey(session)) ?? '').split('\n').filter((id) => id !== ''))
}

/** The same; re-renders on changes. */
export function useCorrectedFiles(session: Session): ReadonlySet<string> {
  useSignal(changes)
  return correctedFiles(session)
}

/** Forgets which of these files were corrected on this device. */
export function dropMarks(session: Session, gone: readonly string[]): void {
  const ids = correctedFiles(session)
  for (const id of gone) if (ids.has(id)) markCorrected(session, id, false)
}

/** Records whether a transcript is corrected on this device. @throws if the browser's storage is full */
export function markCorrected(session: Session, id: string, isCorrected: boolean): void {
  const ids = new Set(correctedFiles(session))
  if (ids.has(id) === isCorrected) return
  if (isCorrected) ids.add(id)
  else ids.delete(id)
  localStorage.setItem(storageKey(session), [...ids].join('\n'))
  changes.set(changes.get() + 1)
}
