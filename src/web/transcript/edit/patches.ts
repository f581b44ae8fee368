import type { CorrectionSet, Patch } from '../../../contract/account/corrections.ts'
import { makePatch } from '../../../text/patches.ts'
import type { Word } from '../model/word.ts'
import type { WordTable } from '../model/word-table.ts'
import type { Base, Corrected } from './operation.ts'

/** The corrections that turn the service's text into another. */
export function makeSet(base: Base, now: Corrected): CorrectionSet {
  const patches = makePatches(base.table, now.table)
  return { fingerprint: base.fingerprint, baseNames: base.names, names: now.names, patches }
}

/**
 * Patches of all words that are not the service's, unchanged. Words know their origins, so that this compares columns
 * only, which is fast at any length and exact also if a word was replaced by an equal one.
 */
function makePatches(base: WordTable, table: WordTable): Patch[] {
  const patches: Patch[] = []
  let from = 0
  let pendingFrom = 0
  const emit = (to: number, until: number) => {
    if (to > from || until > pendingFrom) patches.push(makeTablePatch(base, from, to, table.words(pendingFrom, until)))
  }
  for (let index = 0; index < table.count; index++) {
    const origin = table.origins[index] ?? -1
    if (origin < 0 || !isUntouched(base, table, origin, index)) continue
    emit(origin, index)
    from = origin + 1
    pendingFrom = index + 1
  }
  emit(base.count, table.count)
  return patches
}

function isUntouched(base: WordTable, table: WordTable, origin: number, index: number): boolean {
  return (
    table.cueOf(index) === undefined &&
    base.endsTurn(origin) === table.endsTurn(index) &&
    base.speakerOf(origin) === table.speakerOf(index) &&
    Object.is(base.confOf(origin), table.confOf(index))
  )
}

/** The patch that replaces the words `from` to `to` of a table with `words`. */
export function makeTablePatch(base: WordTable, from: number, to: number, words: readonly Word[]): Patch {
  const put = words.map(({ text, start, end, conf, endsTurn, speaker, origin, cue }) => {
    const word = { text, start, end, conf, endsTurn, speaker, old: origin < 0 ? -1 : origin - from }
    return cue === undefined ? word : { ...word, cue }
  })
  return makePatch(base, from, to, put)
}

/** The words of a patch for a place that begins at `from` in some version. */
export function wordsOfPatch(patch: Patch, from: number): Word[] {
  return patch.words.map(({ old, ...word }) => ({ ...word, turnConf: null, origin: old < 0 ? -1 : from + old }))
}
