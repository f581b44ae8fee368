import { type WordRange, withoutRanges, withRanges } from '../../../text/word-ranges.ts'
import { type DocumentKey, unsentChecksKey } from '../../signed-in/library/correction-database.ts'

/** Checks on this device that are not sent yet. No word is in both lists. */
export type UnsentChecks = { fingerprint: string; add: readonly WordRange[]; remove: readonly WordRange[] }

export const isNothing = ({ add, remove }: UnsentChecks): boolean => add.length + remove.length === 0

/** Loads the stored checks of this text, or none: checks of an earlier text do not apply. */
export function readUnsent(key: DocumentKey, fingerprint: string): UnsentChecks {
  const none = { fingerprint, add: [], remove: [] }
  try {
    const stored = JSON.parse(localStorage.getItem(unsentChecksKey(key)) ?? 'null') as UnsentChecks | null
    return stored?.fingerprint === fingerprint ? stored : none
  } catch {
    return none
  }
}

/** Stores word numbers only, none of the text. */
export function storeUnsent(key: DocumentKey, unsent: UnsentChecks): void {
  try {
    if (isNothing(unsent)) localStorage.removeItem(unsentChecksKey(key))
    else localStorage.setItem(unsentChecksKey(key), JSON.stringify(unsent))
  } catch {
    // Storage is full or blocked: they last until the page is closed.
  }
}

/** Adds checks, or removes them. */
export function withChecks(
  { fingerprint, add, remove }: UnsentChecks,
  ranges: readonly WordRange[],
  isOn: boolean,
): UnsentChecks {
  return isOn
    ? { fingerprint, add: withRanges(add, ranges), remove: withoutRanges(remove, ranges) }
    : { fingerprint, add: withoutRanges(add, ranges), remove: withRanges(remove, ranges) }
}
