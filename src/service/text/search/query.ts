import { searchedName } from '../../../contract/account/projects.ts'
import { tokenize } from './tokens.ts'

/** A word or a phrase; with `isPrefix` its last token is only the beginning of a word. */
export type Term = { tokens: readonly string[]; isPrefix: boolean }

/** A search query. A passage has all `terms`, is said by all `speakers`, and has none of `without`. */
export type Query = {
  terms: readonly Term[]
  speakers: readonly Term[]
  without: readonly Term[]
  withoutSpeakers: readonly Term[]
  /** names normalized by `searchedName`: its file is in one of these, and in none of those */
  projects: readonly string[]
  withoutProjects: readonly string[]
  /** when its file was ordered, ms since 1970: from, and before */
  from: number | null
  before: number | null
}

/** How many words a phrase may extend beyond the end of a passage (`passages.ts`). */
export const maxPhraseTokens = 16
const maxTerms = 32

const piece = /(-?)(?:(speaker|tag|project|from|before):)?(?:"([^"]*)"?|(\S+))/giu

/** Follows each tag in the index, so that `tag:spring` finds no file in which spring is spoken of. */
export const tagWord = 'tag'

/** Quotation marks of all languages are equivalent. */
const quotes = /[“”„‟«»]/gu

/** The start (UTC) of a day, month or year as typed; null if it is none. */
function parseTime(text: string): number | null {
  const [, year, month = '01', day = '01'] = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/.exec(text) ?? []
  if (year === undefined) return null
  const iso = `${year}-${month}-${day}`
  const time = Date.parse(iso)
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(iso) ? null : time
}

/** @returns one term, or several if a phrase exceeds the limit */
function splitTerms(text: string, mayBePrefix: boolean): Term[] {
  const tokens = tokenize(text)
  const isPrefix = mayBePrefix && text.endsWith('*')
  const terms: Term[] = []
  for (let from = 0; from < tokens.length; from += maxPhraseTokens) {
    const part = tokens.slice(from, from + maxPhraseTokens)
    terms.push({ tokens: part, isPrefix: isPrefix && from + maxPhraseTokens >= tokens.length })
  }
  return terms
}

/**
 * Parses a search: words, "phrases", prefix*, -without, `speaker:`, `tag:`, `project:`, `from:` and `before:` (a year,
 * month or day). Anything invalid is searched as words. Only the first 32 count.
 */
export function readQuery(text: string): Query {
  const query = {
    ...{ terms: [] as Term[], speakers: [] as Term[], without: [] as Term[], withoutSpeakers: [] as Term[] },
    ...{ projects: [] as string[], withoutProjects: [] as string[] },
  }
  let [from, before]: (number | null)[] = [null, null]
  for (const [whole, minus, field = '', quoted, bare = ''] of text.replace(quotes, '"').matchAll(piece)) {
    const value = quoted ?? bare
    const name = field.toLowerCase()
    const time = name === 'from' || name === 'before' ? parseTime(value) : null
    if (name === 'from' && time !== null && minus === '') from = time
    else if (name === 'before' && time !== null && minus === '') before = time
    else if (name === 'speaker' && tokenize(value).length > 0) {
      query[minus === '' ? 'speakers' : 'withoutSpeakers'].push(...splitTerms(value, quoted === undefined))
    } else if (name === 'project' && searchedName(value) !== '') {
      query[minus === '' ? 'projects' : 'withoutProjects'].push(searchedName(value))
    } else if (name === 'tag' && tokenize(value).length > 0) {
      query[minus === '' ? 'terms' : 'without'].push(...splitTerms(`${tagWord} ${value}`, quoted === undefined))
    } else {
      const words = splitTerms(name === '' ? value : whole, quoted === undefined)
      query[minus === '' ? 'terms' : 'without'].push(...words)
    }
  }
  const limited = Object.fromEntries(Object.entries(query).map(([key, terms]) => [key, terms.slice(0, maxTerms)]))
  const read = { ...query, ...limited, from: from ?? null, before: before ?? null }
  // Only "without": there is nothing to exclude it from.
  return isEmptyQuery(read)
    ? { ...read, terms: read.without, speakers: read.withoutSpeakers, without: [], withoutSpeakers: [] }
    : read
}

/** True if a query has nothing to search for, such as only punctuation. */
export function isEmptyQuery({ terms, speakers, projects, withoutProjects, from, before }: Query): boolean {
  const named = terms.length + speakers.length + projects.length + withoutProjects.length
  return named === 0 && from === null && before === null
}
