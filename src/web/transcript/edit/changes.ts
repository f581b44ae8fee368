import type { CueEdit } from '../../../contract/account/corrections.ts'
import { equalEnds } from '../../../text/differences.ts'
import type { Word } from '../model/word.ts'
import type { WordTable } from '../model/word-table.ts'
import type { WordChange } from './operation.ts'
import { retime, type Voiced } from './retime.ts'

/** Time available to new words at the ends of the transcript. Seconds. */
const endSeconds = 1

/** The word of a turn in which nothing is typed yet: no turn is without words. */
export const emptyTurn = '…'
/** With less time after its last word, a turn gives the next one half of that word's. Seconds. */
const leastTurnSeconds = 0.2

/** Splits typed text at white space; no word is empty. */
export function wordsOfText(text: string): string[] {
  return text.split(/\s+/u).filter((word) => word !== '')
}

/** Whether two words begin captions with the same settings. */
function isSameCue({ cue: a }: Pick<Word, 'cue'>, { cue: b }: Pick<Word, 'cue'>): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function sameWord(a: Word | undefined, b: Word | undefined): boolean {
  if (a === undefined || b === undefined) return false
  return (Object.keys(a) as (keyof Word)[]).every(
    (name) => Object.is(a[name], b[name]) || (name === 'cue' && isSameCue(a, b)),
  )
}

/** Trims words that are equal before and after from both ends of a change; null if nothing changed. */
function trimEqualEnds({ at, removed, inserted }: WordChange): WordChange | null {
  const { head, tail } = equalEnds(removed.length, inserted.length, (a, b) => sameWord(removed[a], inserted[b]))
  if (head === removed.length && head === inserted.length) return null
  return {
    at: at + head,
    removed: removed.slice(head, removed.length - tail),
    inserted: inserted.slice(head, inserted.length - tail),
  }
}

/**
 * The change that replaces the words `from` to `to` with typed text; null if it is the same. An empty text removes the
 * words; if they ended a turn, the preceding word ends it instead.
 * @param voiced where somebody speaks, once that is known: typed words keep clear of the pauses
 */
export function changeOfText(
  table: WordTable,
  from: number,
  to: number,
  text: string,
  voiced: Voiced | null = null,
): WordChange | null {
  const old = table.words(from, to)
  const inserted = retime(old, wordsOfText(text), gapAround(table, from, to), voiced)
  const endsTurn = old.at(-1)?.endsTurn === true
  if (inserted.length > 0 || !endsTurn || from === 0 || table.endsTurn(from - 1)) {
    return trimEqualEnds({ at: from, removed: old, inserted })
  }
  const before = table.word(from - 1)
  return trimEqualEnds({ at: from - 1, removed: [before, ...old], inserted: [{ ...before, endsTurn: true }] })
}

/** The time between the words around `from` to `to`, in seconds. */
function gapAround(table: WordTable, from: number, to: number): { from: number; to: number } {
  return {
    from: from > 0 ? table.endOf(from - 1) : Math.max(0, table.startOf(from) - endSeconds),
    to: to < table.count ? table.startOf(to) : table.endOf(to - 1) + endSeconds,
  }
}

/** Like `changeOfText`, for words that also specify where turns end. */
export function changeToWords(
  table: WordTable,
  from: number,
  to: number,
  words: readonly { text: string; endsTurn: boolean }[],
  voiced: Voiced | null = null,
): WordChange | null {
  if (words.length === 0) return changeOfText(table, from, to, '')
  const old = table.words(from, to)
  const texts = words.map(({ text }) => text)
  const inserted = retime(old, texts, gapAround(table, from, to), voiced)
  // Words inserted into nothing continue the previous speaker.
  const speakerBefore = old.length === 0 ? table.speakerOf(Math.max(0, from - 1)) : null
  return trimEqualEnds({
    at: from,
    removed: old,
    inserted: inserted.map((word, index) => ({
      ...word,
      endsTurn: words[index]?.endsTurn ?? false,
      speaker: speakerBefore ?? word.speaker,
    })),
  })
}

/** The change of properties of the words `from` to `to`; null if nothing changes. */
export function changeOfWords(
  table: WordTable,
  from: number,
  to: number,
  change: (word: Word, index: number) => Partial<Word>,
): WordChange | null {
  const removed = table.words(from, to)
  const inserted = removed.map((word, index) => ({ ...word, ...change(word, from + index) }))
  return trimEqualEnds({ at: from, removed, inserted })
}

/**
 * The change that replaces the words `from` to `to` of captions with others, none of them empty.
 * @param settings of the captions that begin with these new words, by their index
 */
export function changeToCaption(
  table: WordTable,
  from: number,
  to: number,
  texts: readonly string[],
  settings: ReadonlyMap<number, CueEdit>,
): WordChange | null {
  const old = table.words(from, to)
  const words = retime(old, texts, gapAround(table, from, to))
  const inserted = words.map((word, index) => ({ ...word, cue: settings.get(index) }))
  return trimEqualEnds({ at: from, removed: old, inserted })
}

/** The change that starts a new turn at this word. */
export function splitBefore(table: WordTable, word: number): WordChange | null {
  return word <= 0 || word >= table.count ? null : changeOfWords(table, word - 1, word, () => ({ endsTurn: true }))
}

/**
 * The change that adds a turn without words, as `emptyTurn`, after the turn that ends with this word, whose speaker it
 * has.
 * @param endsAt when the last turn may end, in seconds; null: a moment after its last word
 */
export function addTurnAfter(table: WordTable, word: number, endsAt: number | null): WordChange {
  const before = table.word(word)
  const isLast = word === table.count - 1
  const limit = isLast ? (endsAt ?? before.end + endSeconds) : table.startOf(word + 1)
  const from = limit - before.end < leastTurnSeconds ? (before.start + before.end) / 2 : before.end
  const times = { start: from, end: Math.max(limit, from) }
  const added: Word = { ...before, ...times, text: emptyTurn, conf: null, turnConf: null, origin: -1, cue: undefined }
  return { at: word, removed: [before], inserted: [{ ...before, end: from, endsTurn: true }, added] }
}

/** The change that merges the turn `from` to `end` into the previous one, with that turn's speaker. */
export function mergeWithPrevious(table: WordTable, from: number, end: number): WordChange | null {
  if (from <= 0) return null
  const speaker = table.speakerOf(from - 1)
  return changeOfWords(table, from - 1, end, (_, index) => (index === from - 1 ? { endsTurn: false } : { speaker }))
}

/** The single change that turns one text into another, without the equal words at both ends. */
export function wholeChange(before: WordTable, after: WordTable): WordChange {
  const same = (a: number, b: number) =>
    before.origins[a] === after.origins[b] &&
    before.speakerOf(a) === after.speakerOf(b) &&
    before.endsTurn(a) === after.endsTurn(b) &&
    Object.is(before.confOf(a), after.confOf(b)) &&
    isSameCue({ cue: before.cueOf(a) }, { cue: after.cueOf(b) }) &&
    before.wordText(a) === after.wordText(b)
  const { head, tail } = equalEnds(before.count, after.count, same)
  return {
    at: head,
    removed: before.words(head, before.count - tail),
    inserted: after.words(head, after.count - tail),
  }
}
