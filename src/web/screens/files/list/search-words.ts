import { searchedName } from '../../../../contract/account/projects.ts'

/** A parsed search query. */
export type SearchWords = {
  /** in lower case; '' matches all */
  text: string
  /** in lower case; a file must have all of them */
  tags: readonly string[]
  /** in lower case; null: any */
  project: string | null
  /** only archived files; otherwise they are shown only in search results */
  archived: boolean
  /** only files with the same recording as another */
  duplicate: boolean
  held: boolean
  /** only files that a retention rule will delete from */
  leaving: boolean
}

/** States of a file, searchable as `is:duplicate`. */
export const searchStates = ['archived', 'duplicate', 'held', 'leaving'] as const
export type SearchState = (typeof searchStates)[number]

const word = /(?:(?<!\S)(tag|is|project):)?(?:"([^"]*)"|(\S+))/gi

const states = /(^|\s)is:(archived|duplicate|held|leaving)(?!\S)/gi
const ofTag = /(^|\s)tag:("[^"]*"|[^\s"]+)(?!\S)/gi
const ofProject = /(^|\s)project:("[^"]*"|[^\s"]+)(?!\S)/gi

/** The query sent to the service, which knows no states; empty if it names only a project, which the list filters. */
export function serviceWords(search: string): string {
  const words = search.replaceAll(states, ' ').trim()
  return words.replaceAll(ofProject, ' ').trim() === '' ? '' : words
}

/** The search with `is:…` added or removed. */
export function withState(search: string, state: SearchState, wanted: boolean): string {
  const others = search.replaceAll(new RegExp(`(^|\\s)is:${state}(?!\\S)`, 'gi'), '').trim()
  return wanted ? `${others} is:${state}`.trim() : others
}

/** The search with this project, or with none. */
export function withProject(search: string, name: string | null): string {
  const others = search.replaceAll(ofProject, '').trim()
  return name === null ? others : `${others} project:"${searchedName(name)}"`.trim()
}

/** The search with only this tag, or with none. */
export function withTag(search: string, tag: string | null): string {
  const others = search.replaceAll(ofTag, '').trim()
  return tag === null ? others : `${others} tag:"${tag.replaceAll('"', ' ')}"`.trim()
}

/** Completions of a search that ends in the beginning of a tag, `tag:fi`; none for any other. */
export function completeTag(search: string, tags: () => readonly string[]): string[] {
  const [typed, begin] = /(?:^|\s)tag:"?([^"\s]*)$/i.exec(search) ?? []
  if (typed === undefined || begin === undefined) return []
  const before = search.slice(0, search.length - typed.length)
  return tags()
    .filter((tag) => tag.toLowerCase().startsWith(begin.toLowerCase()))
    .map((tag) => `${before} tag:"${tag.replaceAll('"', ' ')}"`.trim())
}

/** Parses `tag:interview`, `tag:"two words"`, `project:field`, `is:archived` and the like; the rest is plain text. */
export function readSearch(search: string): SearchWords {
  const tags: string[] = []
  let project: string | null = null
  const states = { archived: false, duplicate: false, held: false, leaving: false }
  const text = search.replaceAll(word, (whole, kind: string | undefined, quoted?: string, plain?: string) => {
    const value = (quoted ?? plain ?? '').toLowerCase()
    if (kind?.toLowerCase() === 'tag' && value !== '') tags.push(value)
    else if (kind?.toLowerCase() === 'project' && value !== '') project = value
    else {
      const state = kind?.toLowerCase() === 'is' && searchStates.find((each) => each === value)
      if (!state) return whole
      states[state] = true
    }
    return ''
  })
  return { text: text.trim().toLowerCase(), tags, project, ...states }
}
