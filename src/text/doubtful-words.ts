/** Words by number, with the recognizer's confidence in each, 0 to 1. */
type Rated = { readonly count: number; confOf(word: number): number }

/** Upper limit of the default doubt threshold. */
export const highestDoubt = 0.5

/** The threshold below which the least certain tenth of the words falls, in hundredths, at most `highestDoubt`. */
export function worstTenth(table: Rated): number {
  const byHundredth = new Uint32Array(101)
  for (let word = 0; word < table.count; word++) {
    const hundredth = Math.floor(table.confOf(word) * 100)
    byHundredth[hundredth] = (byHundredth[hundredth] ?? 0) + 1
  }
  let below = 0
  for (let words = 0; words < table.count / 10 && below < highestDoubt * 100; below++) words += byHundredth[below] ?? 0
  return below / 100
}

/** The number (from 1) of the run of doubtful words that begins at a word, and the total number of runs. */
export function placeOfDoubt(table: Rated, from: number, below: number): { place: number; count: number } {
  let place = 0
  let count = 0
  for (let word = 0; word < table.count; word++) {
    if (!(table.confOf(word) < below) || (word > 0 && table.confOf(word - 1) < below)) continue
    count++
    if (word <= from) place = count
  }
  return { place, count }
}
