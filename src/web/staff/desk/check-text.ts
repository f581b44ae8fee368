import type { OptionName } from '../../../contract/interface/option-values.ts'
import { equalEnds } from '../../../text/differences.ts'
import { otherSpelling, type SpellingStyle } from '../../../text/spelling.ts'
import { fillerLanguages } from '../../transcript/edit/fillers.ts'

/** The rules for a turn's text. `fillers` null: strict verbatim, every sound stays. `spelling` null: not English. */
export type TextRules = { fillers: RegExp | null; spelling: SpellingStyle | null }

/** A place that violates the order's options. `from` and `to` are UTF-16 units of its turn's text. */
export type Finding = {
  /** stable while the surrounding text changes */
  id: number
  from: number
  to: number
  /** as written */
  word: string
  /** the violated option, which is also the id of its item on the sheet */
  point: Extract<OptionName, 'strict_verbatim' | 'spelling_style'>
  why: 'filler' | 'repeated' | 'false start' | 'spelling'
  /** the suggested spelling; null: no suggestion */
  offer: string | null
}

/** A turn's text with its violations. */
export type CheckedText = { text: string; found: readonly Finding[] }

/** The rules of an order. @param language of the text: spelling is only checked in English */
export function readTextRules(
  isVerbatim: boolean,
  spelling: SpellingStyle,
  language: keyof typeof fillerLanguages,
): TextRules {
  const { sounds } = fillerLanguages[language]
  return { fillers: isVerbatim ? null : sounds, spelling: language === 'en' ? spelling : null }
}

// Intentional repetitions: "the one that that man had", "he had had enough", spoken numbers.
const meantTwice = new Set(
  'that had zero oh one two three four five six seven eight nine ten hundred thousand million double very'.split(' '),
)
// "re-read" and "co-coordinate" look like a stutter but are words.
const stutter = /^(?!(?:re|co|de|bi)-)(\p{L}{1,2})(?:[-–—]\1)*[-–—]\1\p{L}+$|^i(?:[-–—]i)+$/iu
const cutOff = /^(\p{L}+)[-–—]+$/u

const bareRange = (word: string): [number, number] => {
  const from = word.search(/[\p{L}\p{N}]/u)
  const end = /[^\p{L}\p{N}]*$/u.exec(word)?.index ?? word.length
  return from === -1 ? [0, 0] : [from, end]
}

type Kind = Pick<Finding, 'point' | 'why' | 'offer'>

/** The kind of violation of one word. @param next the following word, '' if none */
function classifyWord(raw: string, next: string, { fillers, spelling }: TextRules): Kind | null {
  const [from, to] = bareRange(raw)
  const word = raw.slice(from, to)
  if (fillers !== null) {
    const why = disfluency(raw, word, next, fillers)
    if (why !== null) return { point: 'strict_verbatim', why, offer: null }
  }
  const offer = spelling === null ? null : otherSpelling(word, spelling)
  return offer === null ? null : { point: 'spelling_style', why: 'spelling', offer }
}

function disfluency(raw: string, word: string, next: string, fillers: RegExp): Finding['why'] | null {
  const sound = word.toLowerCase()
  // "the ER" is a place.
  if (fillers.test(sound) && !(word.length > 1 && word === word.toUpperCase())) return 'filler'
  if (stutter.test(word)) return 'false start'
  const [from, to] = bareRange(next)
  const following = next.slice(from, to).toLowerCase()
  const cut = cutOff.exec(raw.slice(raw.search(/\p{L}|$/u)))?.[1]?.toLowerCase()
  if (cut !== undefined) return following.startsWith(cut) ? 'false start' : null
  // A repetition across a comma or the end of a sentence is intentional: "no, no".
  const isRepeated = sound !== '' && raw.endsWith(word) && from === 0 && following === sound
  return isRepeated && !/\p{N}/u.test(sound) && !meantTwice.has(sound) ? 'repeated' : null
}

let lastId = 0

/** Checks the words that begin in the range `from` to `to` (exclusive). */
function checkStretch(text: string, from: number, to: number, rules: TextRules): Finding[] {
  const found: Finding[] = []
  const words = /\S+/gu
  words.lastIndex = from
  let at = words.exec(text)
  while (at !== null && at.index < to) {
    const next = words.exec(text)
    const kind = classifyWord(at[0], next?.[0] ?? '', rules)
    if (kind !== null) {
      const [begin, end] = bareRange(at[0])
      const [first, last] = [at.index + begin, at.index + end]
      lastId += 1
      found.push({ id: lastId, from: first, to: last, word: text.slice(first, last), ...kind })
    }
    at = next
  }
  return found
}

/** Finds all violations in a turn's text. */
export function checkText(text: string, rules: TextRules): CheckedText {
  return { text, found: checkStretch(text, 0, text.length, rules) }
}

/**
 * Rechecks a text after a change: only the changed words and the one before them, whose neighbor they are. Unchanged
 * places keep their ids.
 */
export function recheckText(before: CheckedText, text: string, rules: TextRules): CheckedText {
  if (before.text === text) return before
  const { head, tail } = equalEnds(before.text.length, text.length, (old, now) => before.text[old] === text[now])
  const by = text.length - before.text.length
  const from = previousWord(text, head)
  const to = text.length - tail + (/^\S*/u.exec(text.slice(text.length - tail))?.[0].length ?? 0)
  const kept = before.found.filter((one) => one.to <= from)
  const moved = before.found.filter((one) => one.from + by >= to)
  const touched = before.found.slice(kept.length, before.found.length - moved.length)
  const fresh = checkStretch(text, from, to, rules).map((one) => {
    const at = touched.findIndex(({ word, why }) => word === one.word && why === one.why)
    const [old] = at === -1 ? [] : touched.splice(at, 1)
    return old === undefined ? one : { ...one, id: old.id }
  })
  return { text, found: [...kept, ...fresh, ...moved.map((one) => ({ ...one, from: one.from + by, to: one.to + by }))] }
}

/** The offset of the word before the one at an offset. */
function previousWord(text: string, offset: number): number {
  return /(?:\S+\s+)?\S*$/u.exec(text.slice(0, offset))?.index ?? 0
}
