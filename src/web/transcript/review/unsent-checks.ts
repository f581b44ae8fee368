import { type WordRange, withoutRanges, withRanges } from '../../../text/word-ranges.ts'
import { type DocumentKey, unsentChecksKey } from '../../signed-in/library/correction-database.ts'

/** Checks made on this device that the service has not got yet. No word is in both lists. */
export type UnsentChecks = { fingerprint: string; add: readonly WordRange[]; remove: readonly WordRange[] }

export const isNothing = ({ add, remove }: UnsentChecks): boolean => add.length + remove.length === 0

/** The stored ones of this text, or none: those of an earlier text say nothing about this one. */
export function readUnsent(key: DocumentKey, fingerprint: string): UnsentChecks {
  const none = { fingerprint, add: [], remove: [] }
  try {
    const stored = JSON.parse(localStorage.getItem(unsentChecksKey(key)) ?? 'null') as UnsentChecks | null
    return stored?.fingerprint === fingerprint ? stored : none
  } catch {
    return none
  }
}

/** Numbers of words, nothing of the text. */
export function storeUnsent(key: DocumentKey, unsent: UnsentChecks): void {
  try {
    if (isNothing(unsent)) localStorage.removeItem(unsentChecksKey(key))
    else localStorage.setItem(unsentChecksKey(key), JSON.stringify(unsent))
  } catch {
    // Storage is full or forbidden: they last until the page is left.
  }
}

/** These with one more check, or one taken back. */
export function withCheck({ fingerprint, add, remove }: UnsentChecks, range: WordRange, isOn: boolean): UnsentChecks {
  return isOn
    ? { fingerprint, add: withRanges(add, [range]), remove: withoutRanges(remove, [range]) }
    : { fingerprint, add: withoutRanges(add, [range]), remove: withRanges(remove, [range]) }
}
