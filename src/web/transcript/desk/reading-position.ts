import type { Session } from '../../base/api/client.ts'

const storageKey = ({ environment, account }: Session, id: string) => `parley.place.${environment}.${account}.${id}`

/** The word at the top when this file was last closed; null if unknown. */
export function loadReadingPosition(session: Session, id: string): number | null {
  const word = Number(localStorage.getItem(storageKey(session, id)) ?? Number.NaN)
  return Number.isInteger(word) && word > 0 ? word : null
}

/** Stores the word at the top for the next visit. */
export function storeReadingPosition(session: Session, id: string, word: number): void {
  try {
    if (word > 0) localStorage.setItem(storageKey(session, id), String(word))
    else localStorage.removeItem(storageKey(session, id))
  } catch {
    // Storage is full or blocked: the next visit starts at the top; everything else works.
  }
}
