/*
 * Normalizes words for comparison: both databases index these tokens, so that they match alike. Ignores case, accents
 * and vowel signs. Scripts without spaces are split into characters, so that any stretch of them is a phrase.
 */

/** Accents, Hebrew and Arabic points, tatweel, joiners and variation selectors. */
const dropped =
  /[\u0300-\u036f]|[\u0591-\u05c7]|[\u0610-\u061a]|\u0640|[\u064b-\u065f]|\u0670|[\u200b-\u200f]|\u2060|[\ufe00-\ufe0f]/gu

const pattern =
  /\p{RI}{2}|\p{Extended_Pictographic}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]\p{M}*|[[\p{L}\p{N}\p{M}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]]+/gv

/** Longer ones are truncated: nobody says them. UTF-16 units. */
const longest = 60

const plain = /^[a-z]+$/
/** A leading capital, or trailing punctuation, as in most of the others. */
const nearlyPlain = /^([A-Z]?[a-z]+)[.,?!;:]?$/
const maxKnown = 50_000
let known = new Map<string, readonly string[]>()

function cut(text: string): readonly string[] {
  const folded = text
    .normalize('NFKD')
    .replace(dropped, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
  return (folded.match(pattern) ?? []).map((token) =>
    (token.length > longest ? token.slice(0, longest) : token).toWellFormed(),
  )
}

/** True for most words that already are a token: those of lower-case letters a to z. */
export const isToken = (word: string): boolean => word.length < longest && plain.test(word)

/** The tokens of a word or a text, in order; none for punctuation only. */
export function tokenize(text: string): readonly string[] {
  if (isToken(text)) return [text]
  const before = known.get(text)
  if (before !== undefined) return before
  if (text.length >= longest) return cut(text)
  // A substring keeps its whole source text in memory: copy it before caching.
  const own = Buffer.from(text, 'utf16le').toString('utf16le')
  const [, word] = nearlyPlain.exec(own) ?? []
  const tokens = word === undefined ? cut(own) : [word.toLowerCase()]
  // Most words recur.
  if (known.size >= maxKnown) known = new Map()
  known.set(own, tokens)
  return tokens
}
