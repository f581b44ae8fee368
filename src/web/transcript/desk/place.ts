import type { Session } from '../../api/client.ts'

/**
 * Where a link or an earlier visit leads within a transcript. Words are numbered as the service holds them. `silent`:
 * only the text goes there; else the sound goes to the time, and the words are marked.
 */
export type Place =
  | { kind: 'time'; seconds: number; silent?: boolean }
  | { kind: 'words'; from: number; to: number; silent?: boolean }

/** Reads `#t=123.4` and `#w=100-130` (both words included); null for anything else. */
export function placeOfHash(hash: string): Place | null {
  const time = /^#t=(\d+(?:\.\d+)?)$/.exec(hash)
  if (time !== null) return { kind: 'time', seconds: Number(time[1]) }
  const words = /^#w=(\d+)(?:-(\d+))?$/.exec(hash)
  if (words === null) return null
  const from = Number(words[1])
  return { kind: 'words', from, to: Math.max(from, Number(words[2] ?? from)) + 1 }
}

/** The hash of a link to these words, `to` exclusive. */
export function hashOfWords(from: number, to: number): string {
  return to - from === 1 ? `#w=${from}` : `#w=${from}-${to - 1}`
}

const storageKey = ({ environment, account }: Session, id: string) => `parley.place.${environment}.${account}.${id}`

/** The word that stood at the top when this file was last left, or null. */
export function keptPlace(session: Session, id: string): number | null {
  const kept = Number(localStorage.getItem(storageKey(session, id)) ?? Number.NaN)
  return Number.isInteger(kept) && kept > 0 ? kept : null
}

/** Remembers the word at the top for the next visit. */
export function keepPlace(session: Session, id: string, word: number): void {
  try {
    if (word > 0) localStorage.setItem(storageKey(session, id), String(word))
    else localStorage.removeItem(storageKey(session, id))
  } catch {
    // Storage is full or forbidden: the place is not kept, everything else works.
  }
}
