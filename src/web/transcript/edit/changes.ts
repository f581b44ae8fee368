import type { Word } from '../model/word.ts'
import type { WordTable } from '../model/word-table.ts'
import type { WordChange } from './operation.ts'
import { retimed } from './retime.ts'

/** How much time new words at an end of a stretch may take where nothing is beside them. Seconds. */
const freeSeconds = 1

/** The words of a typed text: split at white space, so that no word is empty. */
export function wordsOfText(text: string): string[] {
  return text.split(/\s+/u).filter((word) => word !== '')
}

function sameWord(a: Word | undefined, b: Word | undefined): boolean {
  if (a === undefined || b === undefined) return false
  return (Object.keys(a) as (keyof Word)[]).every((name) => Object.is(a[name], b[name]))
}

/** The change without the words at its ends that are the same before and after; null where nothing changed. */
function trimmed({ at, removed, inserted }: WordChange): WordChange | null {
  let head = 0
  while (head < removed.length && head < inserted.length && sameWord(removed[head], inserted[head])) head++
  let tail = 0
  const most = Math.min(removed.length, inserted.length) - head
  while (tail < most && sameWord(removed.at(-1 - tail), inserted.at(-1 - tail))) tail++
  if (head === removed.length && head === inserted.length) return null
  return {
    at: at + head,
    removed: removed.slice(head, removed.length - tail),
    inserted: inserted.slice(head, inserted.length - tail),
  }
}

/**
 * What typing over the words `from` to `to` changes, or null where the text is the same. A text typed empty takes its
 * words out; where they ended a turn, the word before them ends it then.
 */
export function changeOfText(table: WordTable, from: number, to: number, text: string): WordChange | null {
  const old = table.words(from, to)
  const inserted = retimed(old, wordsOfText(text), gapAround(table, from, to))
  const endsTurn = old.at(-1)?.endsTurn === true
  if (inserted.length > 0 || !endsTurn || from === 0 || table.endsTurn(from - 1)) {
    return trimmed({ at: from, removed: old, inserted })
  }
  const before = table.word(from - 1)
  return trimmed({ at: from - 1, removed: [before, ...old], inserted: [{ ...before, endsTurn: true }] })
}

/** The time that is free for the words `from` to `to`, in seconds. */
function gapAround(table: WordTable, from: number, to: number): { from: number; to: number } {
  return {
    from: from > 0 ? table.endOf(from - 1) : Math.max(0, table.startOf(from) - freeSeconds),
    to: to < table.count ? table.startOf(to) : table.endOf(to - 1) + freeSeconds,
  }
}

/** The same as `changeOfText` for words that also say where turns end; null where they stand there already. */
export function changeToWords(
  table: WordTable,
  from: number,
  to: number,
  words: readonly { text: string; endsTurn: boolean }[],
): WordChange | null {
  if (words.length === 0) return changeOfText(table, from, to, '')
  const old = table.words(from, to)
  const texts = words.map(({ text }) => text)
  const inserted = retimed(old, texts, gapAround(table, from, to))
  // Where nothing stood, the voice before goes on.
  const voice = old.length === 0 ? table.speakerOf(Math.max(0, from - 1)) : null
  return trimmed({
    at: from,
    removed: old,
    inserted: inserted.map((word, index) => ({
      ...word,
      endsTurn: words[index]?.endsTurn ?? false,
      speaker: voice ?? word.speaker,
    })),
  })
}

/** The same words with something about them changed; null where it was so already. */
export function changeOfWords(
  table: WordTable,
  from: number,
  to: number,
  change: (word: Word, index: number) => Partial<Word>,
): WordChange | null {
  const removed = table.words(from, to)
  const inserted = removed.map((word, index) => ({ ...word, ...change(word, from + index) }))
  return trimmed({ at: from, removed, inserted })
}

/** A new turn begins at this word. */
export function splitBefore(table: WordTable, word: number): WordChange | null {
  return word <= 0 || word >= table.count ? null : changeOfWords(table, word - 1, word, () => ({ endsTurn: true }))
}

/** The turn that begins at `from` goes on with the one before it, whose speaker it takes over; `end` is its end. */
export function mergeWithPrevious(table: WordTable, from: number, end: number): WordChange | null {
  if (from <= 0) return null
  const speaker = table.speakerOf(from - 1)
  return changeOfWords(table, from - 1, end, (_, index) => (index === from - 1 ? { endsTurn: false } : { speaker }))
}
