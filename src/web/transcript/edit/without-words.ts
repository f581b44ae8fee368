import type { Word } from '../model/word.ts'
import type { WordTable } from '../model/word-table.ts'
import type { WordChange } from './operation.ts'

const opening = /^[¿¡"“„«([]+/u
const closing = /["”’»)\]]+$/u
/** Punctuation that ends or divides a sentence; an ellipsis does not. */
const mark = /(?<!\.)([.!?;:])["”’»)\]]*$/u
const sentenceEnd = /[.!?…]["”’»)\]]*$/u
/** Words after which a comma stays: “Yes, um, I think” becomes “Yes, I think”, but “I, um, think” becomes “I think”. */
const introduces = /^(yes|yeah|yep|no|nope|well|so|ok|okay|right|now|oh|ah|ja|nein|also|oui|non|alors|sí|pues|nee)$/iu

/**
 * The changes that remove words and leave well-formed sentences: a full stop moves to the word before, a capital to the
 * word after, and the surrounding commas are removed.
 * @param words sorted
 */
export function changesWithout(table: WordTable, words: readonly number[]): WordChange[] {
  const edits = new Map<number, Word | null>()
  for (let index = 0; index < words.length; ) {
    const from = words[index] as number
    let to = from + 1
    while (words[++index] === to && !table.endsTurn(to - 1)) to++
    takeOut(table, from, to, edits)
  }
  return grouped(table, edits)
}

function takeOut(table: WordTable, from: number, to: number, edits: Map<number, Word | null>): void {
  const current = (word: number) => edits.get(word) ?? table.word(word)
  const gone = table.words(from, to)
  for (let word = from; word < to; word++) edits.set(word, null)
  const last = gone.at(-1) as Word
  const before = from > 0 && !table.endsTurn(from - 1) ? current(from - 1) : null
  const after = to < table.count && !last.endsTurn ? current(to) : null
  const texts = gone.map(({ text }) => text)
  const put = (at: number, word: Word, text: string) => {
    const changed = text === word.text ? word : { ...word, text, origin: -1 }
    const ends = at < from && last.endsTurn ? { endsTurn: true, turnConf: last.turnConf } : {}
    if (changed !== word || ends.endsTurn) edits.set(at, { ...changed, ...ends })
  }
  if (before !== null) put(from - 1, before, textBefore(before.text, texts))
  if (after !== null) put(to, after, textAfter(before?.text ?? null, texts, after.text))
}

/** The word before the removed ones, with the punctuation it inherits. */
function textBefore(before: string, gone: readonly string[]): string {
  const last = gone.at(-1) ?? ''
  const mine = gone.findLast((text) => mark.test(text))?.match(mark)?.[1] ?? ''
  const bracket = opening.test(gone[0] ?? '') ? '' : (closing.exec(last)?.[0] ?? '')
  if (mine !== '') return sentenceEnd.test(before) ? before : before.replace(/[,;:–—-]+$/u, '') + mine + bracket
  const isPair = /,["”’»)\]]*$/u.test(last) && before.endsWith(',') && !introduces.test(before.slice(0, -1))
  return (isPair ? before.slice(0, -1) : before) + bracket
}

/** The word after the removed ones, with the capital it inherits. */
function textAfter(before: string | null, gone: readonly string[], after: string): string {
  const begins = (index: number) => {
    const previous = index === 0 ? before : (gone[index - 1] ?? '')
    return (previous === null || sentenceEnd.test(previous)) && /^\P{L}*\p{Lu}/u.test(gone[index] ?? '')
  }
  const quote = closing.test(gone.at(-1) ?? '') ? '' : (opening.exec(gone[0] ?? '')?.[0] ?? '')
  const isCapital = gone.some((_, index) => begins(index))
  return (
    quote + (isCapital ? after.replace(/^(\P{L}*)(\p{L})/u, (_, sign, letter) => sign + letter.toUpperCase()) : after)
  )
}

function grouped(table: WordTable, edits: ReadonlyMap<number, Word | null>): WordChange[] {
  const changes: { at: number; removed: Word[]; inserted: Word[] }[] = []
  for (const [at, word] of [...edits].sort(([a], [b]) => a - b)) {
    const last = changes.at(-1)
    const change = last !== undefined && last.at + last.removed.length === at ? last : { at, removed: [], inserted: [] }
    if (change !== last) changes.push(change)
    change.removed.push(table.word(at))
    if (word !== null) change.inserted.push(word)
  }
  return changes
}
