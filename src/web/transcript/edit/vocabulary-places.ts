import type { FileVocabulary } from '../../../contract/account/vocabulary.ts'
import type { WordTable } from '../model/word-table.ts'
import type { Operation, WordChange } from './operation.ts'

/** A place corrected by the vocabulary, with the current indexes of its words. */
export type UnchangedPlace = FileVocabulary['places'][number] & { first: number; end: number }

/** The vocabulary's corrections in the current text; those that were corrected since are left out. */
export function unchangedPlaces(table: WordTable, places: FileVocabulary['places']): UnchangedPlace[] {
  const standing: UnchangedPlace[] = []
  let start = 0
  for (const place of places) {
    // The range of typed words between the service's words around the place.
    let stop = start
    for (; stop < table.count; stop++) {
      const origin = table.origins[stop] ?? -1
      if (origin >= place.from) break
      if (origin >= 0) start = stop + 1
    }
    const count = place.text.split(' ').length
    let first = start
    while (first + count <= stop && joinWords(table, first, first + count) !== place.text) first++
    if (first + count > stop) continue
    start = first + count
    standing.push({ ...place, first, end: start })
  }
  return standing
}

const joinWords = (table: WordTable, from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => table.wordText(from + index)).join(' ')

/** Restores the service's words; the turn and its speaker stay as they are now. */
export function undoPlaces(base: WordTable, table: WordTable, places: readonly UnchangedPlace[]): Operation {
  const changes = places.map(({ from, to, first, end }): WordChange => {
    const removed = table.words(first, end)
    const last = removed.at(-1)
    const inserted = base.words(from, to).map((word, index, all) => ({
      ...word,
      speaker: last?.speaker ?? word.speaker,
      endsTurn: index === all.length - 1 && last?.endsTurn === true,
    }))
    return { at: first, removed, inserted }
  })
  return { label: 'Undo of the vocabulary', changes, names: null }
}
