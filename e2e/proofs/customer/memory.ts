/*
 * What the customer remembers: the truth about their transcripts, in its simplest form. Nothing here is shared with the
 * product, and every function returns new turns.
 */

/** `mark` identifies a word as long as nobody replaces it. */
export type Word = { mark: number; text: string }
type Turn = { speaker: string; words: readonly Word[] }
export type Turns = readonly Turn[]

/**
 * A word that one device replaced or deleted while another, unseen, did something else to the same one: `mine`, empty if
 * it was deleted, waits for a decision. `mark` is the word that stands there now; if none does, the one before it, and
 * `next` the one after it.
 */
export type Conflict = { device: number; mark: number; next: number | null; mine: string }

export type Talk = {
  id: string
  name: string
  /** the name that it was ordered by, which programs keep seeing */
  served: string
  turns: Turns
  first: Turns
  tags: readonly string[]
  project: string | null
  isArchived: boolean
  isApproved: boolean
  note: string
  /** the rules of its captions, as the customer chose them */
  rules: string
  /** how much later than the recording its captions are */
  shiftSeconds: number
  /** null: never named */
  version: { name: string; turns: Turns } | null
  conflicts: readonly Conflict[]
}

/** What Undo and Redo change of a talk. */
export type Undoable = Pick<Talk, 'turns' | 'rules' | 'shiftSeconds'>
export const undoableOf = ({ turns, rules, shiftSeconds }: Talk): Undoable => ({ turns, rules, shiftSeconds })

let marks = 0
/** New words, as somebody typed them: white space only separates. */
export function typedWords(text: string): Word[] {
  const texts = text.split(/\s+/u).filter((one) => one !== '')
  return texts.map((one) => ({ mark: ++marks, text: one }))
}

const textOfTurn = ({ words }: Turn): string => words.map(({ text }) => text).join(' ')

const withTurn = (turns: Turns, index: number, ...instead: readonly Turn[]): Turns => [
  ...turns.slice(0, index),
  ...instead.filter(({ words }) => words.length > 0),
  ...turns.slice(index + 1),
]

const turnAt = (turns: Turns, index: number): Turn => {
  const turn = turns[index]
  if (turn === undefined) throw new Error(`There is no turn ${index}.`)
  return turn
}

/** Replaces `count` words from `at` in a turn; a turn without words is gone. */
export function retype(turns: Turns, index: number, at: number, count: number, text: string): Turns {
  const { speaker, words } = turnAt(turns, index)
  return withTurn(turns, index, {
    speaker,
    words: [...words.slice(0, at), ...typedWords(text), ...words.slice(at + count)],
  })
}

/** Divides a turn before its word `at`. */
export function split(turns: Turns, index: number, at: number): Turns {
  const { speaker, words } = turnAt(turns, index)
  return withTurn(turns, index, { speaker, words: words.slice(0, at) }, { speaker, words: words.slice(at) })
}

/** Joins a turn with the one before, whose speaker it gets. */
export function mergeUp(turns: Turns, index: number): Turns {
  const before = turnAt(turns, index - 1)
  const joined = { speaker: before.speaker, words: [...before.words, ...turnAt(turns, index).words] }
  return withTurn(withTurn(turns, index), index - 1, joined)
}

/** Gives one turn another speaker, old or new. */
export function giveTo(turns: Turns, index: number, speaker: string): Turns {
  return withTurn(turns, index, { ...turnAt(turns, index), speaker })
}

/** Renames a speaker in all turns; a name that somebody has already makes them one person. */
export function rename(turns: Turns, from: string, to: string): Turns {
  return turns.map((turn) => (turn.speaker === from ? { ...turn, speaker: to } : turn))
}

/** Replaces every occurrence within words. */
export function replaceAll(turns: Turns, wanted: string, by: string): Turns {
  return turns.map(({ speaker, words }) => ({
    speaker,
    words: words.map((word) =>
      word.text.includes(wanted) ? { mark: ++marks, text: word.text.replaceAll(wanted, by) } : word,
    ),
  }))
}

/** Removes every word that is exactly `filler`. */
export function withoutFiller(turns: Turns, filler: string): Turns {
  return turns.map(({ speaker, words }) => ({ speaker, words: words.filter(({ text }) => text !== filler) }))
}

/** Where a word is now, by its mark; null if somebody replaced it. */
export function findMark(turns: Turns, mark: number): { turn: number; word: number } | null {
  for (const [turn, { words }] of turns.entries()) {
    const word = words.findIndex((one) => one.mark === mark)
    if (word >= 0) return { turn, word }
  }
  return null
}

/** The same text with the same marks for words that did not change: what a device shows after it heard of all changes. */
export function replaceMark(turns: Turns, mark: number, text: string): Turns {
  const place = findMark(turns, mark)
  if (place === null) throw new Error(`Word ${mark} was replaced.`)
  return retype(turns, place.turn, place.word, 1, text)
}

/** The text with a conflict decided for `mine`; null if the words at its place were replaced or divided since. */
export function decideForMine(turns: Turns, { mark, next, mine }: Conflict): Turns | null {
  const place = findMark(turns, mark)
  if (place === null) return null
  if (next === null) return retype(turns, place.turn, place.word, 1, mine)
  if (turns[place.turn]?.words[place.word + 1]?.mark !== next) return null
  return retype(turns, place.turn, place.word + 1, 0, mine)
}

/** The lines that a reader sees: a speaker and their words for each turn. */
export const linesOf = (turns: Turns): string[] => turns.map((turn) => `${turn.speaker}: ${textOfTurn(turn)}`)

export const wordTexts = (turns: Turns): string[] => turns.flatMap(({ words }) => words.map(({ text }) => text))
