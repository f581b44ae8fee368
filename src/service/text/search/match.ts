import type { FoundSentence } from '../../../contract/account/search.ts'
import type { Passage } from './passages.ts'
import type { Query, Term } from './query.ts'
import { tokenize } from './tokens.ts'

/** Words around a match, if its sentence is longer. */
const wordsBefore = 12
const wordsAfter = 24
const endsSentence = /[.?!…。？！؟][”"»’)]?$/u

/** Tokens of a text, each with the index of its word. */
type Tokens = { tokens: readonly string[]; words: readonly number[] }

function tokensOfWords(words: readonly string[]): Tokens {
  const found: { tokens: string[]; words: number[] } = { tokens: [], words: [] }
  for (const [index, word] of words.entries()) {
    for (const token of tokenize(word)) {
      found.tokens.push(token)
      found.words.push(index)
    }
  }
  return found
}

function isAt(tokens: readonly string[], at: number, { tokens: wanted, isPrefix }: Term): boolean {
  for (let index = 0; index < wanted.length; index++) {
    const [token, want] = [tokens[at + index], wanted[index] as string]
    if (token === want) continue
    if (!(isPrefix && index === wanted.length - 1 && token?.startsWith(want))) return false
  }
  return true
}

function termPositions(tokens: readonly string[], term: Term): number[] {
  const places: number[] = []
  for (let at = 0; at + term.tokens.length <= tokens.length; at++) if (isAt(tokens, at, term)) places.push(at)
  return places
}

function has(tokens: readonly string[], term: Term): boolean {
  return termPositions(tokens, term).length > 0
}

/** Whether a file's name and speakers satisfy a query, so that it matches without any passage. */
export function matchesName({ terms, speakers }: Query, name: readonly string[]): boolean {
  return speakers.length === 0 && terms.every((term) => has(name, term))
}

/**
 * Matches a query against a passage. Each of its words may be spoken in it, or be in its speaker's or its file's name;
 * at least one is spoken, or names the speaker.
 * @param name tokens of the file's name
 * @returns the words that matched, [from, to) in the passage; null if it does not match
 */
export function matchPassage(query: Query, passage: Passage, name: readonly string[]): [number, number][] | null {
  const speaker = tokenize(passage.speaker)
  if (!query.speakers.every((term) => has(speaker, term))) return null
  if (query.withoutSpeakers.some((term) => has(speaker, term))) return null
  const { tokens, words } = tokensOfWords(passage.words)
  const marks: [number, number][] = []
  let isOfPassage = query.speakers.length > 0
  for (const term of query.terms) {
    const said = termPositions(tokens, term).filter((at) => (words[at] ?? 0) < passage.own)
    const isOfSpeaker = has(speaker, term)
    if (said.length === 0 && !isOfSpeaker && !has(name, term)) return null
    isOfPassage ||= said.length > 0 || isOfSpeaker
    for (const at of said) marks.push([words[at] ?? 0, (words[at + term.tokens.length - 1] ?? 0) + 1])
  }
  if (!isOfPassage || query.without.some((term) => has(tokens, term))) return null
  return marks.sort(([one], [other]) => one - other)
}

/** Text whose words are separated by anything but letters and digits, as `tokens.ts` does for it. */
const isPlain = /^[ -~]*$/
const escaped = /\\[^"\\]/

/** Cache of compiled terms, as one query is matched against many blocks. */
const patterns = new WeakMap<Term, RegExp | null>()

/** Compiles a term for plain text; null if it could also match in another form. */
function buildPattern(term: Term): RegExp | null {
  const known = patterns.get(term)
  if (known !== undefined) return known
  const isOwn = term.tokens.every((token) => /^[a-z0-9]{1,50}$/.test(token))
  const end = term.isPrefix ? '' : '(?![a-z0-9])'
  const pattern = isOwn ? new RegExp(`(?<![a-z0-9])${term.tokens.join('[^a-z0-9]+')}${end}`, 'i') : null
  patterns.set(term, pattern)
  return pattern
}

/**
 * False if a block certainly does not match: decided by its text, ten times as fast as by its words.
 * @param text of `textOfBlock`
 * @param name tokens of the file's name
 */
export function mayMatch({ terms, speakers }: Query, text: string, name: readonly string[]): boolean {
  if (!isPlain.test(text) || escaped.test(text)) return true
  const isThere = (term: Term) => buildPattern(term)?.test(text) ?? true
  return speakers.every(isThere) && terms.every((term) => has(name, term) || isThere(term))
}

/** The excerpt shown of a passage: the sentence with the first match, with all matches marked. */
export function foundSentence({ speaker, words, numbers, starts }: Passage, found: [number, number][]): FoundSentence {
  const [first, end] = found[0] ?? [0, 0]
  let from = first
  while (from > 0 && first - from < wordsBefore && !endsSentence.test(words[from - 1] ?? '')) from--
  let to = Math.max(end, first + 1)
  while (to < words.length && to - first < wordsAfter && !endsSentence.test(words[to - 1] ?? '')) to++
  const isCut = from > 0 && !endsSentence.test(words[from - 1] ?? '')
  let text = isCut ? '… ' : ''
  const marks: [number, number][] = []
  for (let index = from; index < to; index++) {
    const word = words[index] ?? ''
    const last = marks.at(-1)
    if (found.some(([begin, until]) => index >= begin && index < until)) {
      if (last !== undefined && last[1] === text.length - 1) last[1] = text.length + word.length
      else marks.push([text.length, text.length + word.length])
    }
    text += index === to - 1 ? word : `${word} `
  }
  return {
    speaker: speaker === '' ? null : speaker,
    start_ms: (starts[from] ?? 0) * 100,
    words: [numbers[first] ?? 0, (numbers[Math.max(end, first + 1) - 1] ?? 0) + 1],
    text,
    marks,
  }
}
