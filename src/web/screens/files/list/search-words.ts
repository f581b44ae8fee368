import { searchedName } from '../../../../contract/account/projects.ts'

/** What the search field asks for. */
export type SearchWords = {
  /** in lower case; '' finds all */
  text: string
  /** in lower case; a file has all of them */
  tags: readonly string[]
  /** in lower case; null: any */
  project: string | null
  /** only what is archived; else it is shown only where something is searched for */
  archived: boolean
  /** only what is the same recording as another file */
  duplicate: boolean
  held: boolean
  /** only what a retention rule will delete something of */
  leaving: boolean
}

/** What a file can be, in the search as `is:duplicate`. */
export const searchStates = ['archived', 'duplicate', 'held', 'leaving'] as const
export type SearchState = (typeof searchStates)[number]

const word = /(?:(?<!\S)(tag|is|project):)?(?:"([^"]*)"|(\S+))/gi

const states = /(^|\s)is:(archived|duplicate|held|leaving)(?!\S)/gi
const ofProject = /(^|\s)project:("[^"]*"|[^\s"]+)(?!\S)/gi

/** What the service is asked for: it knows no states; nothing if a project is all that is asked for, which the list knows. */
export function serviceWords(search: string): string {
  const words = search.replaceAll(states, ' ').trim()
  return words.replaceAll(ofProject, ' ').trim() === '' ? '' : words
}

/** The search with `is:…` or without it. */
export function withState(search: string, state: SearchState, wanted: boolean): string {
  const others = search.replaceAll(new RegExp(`(^|\\s)is:${state}(?!\\S)`, 'gi'), '').trim()
  return wanted ? `${others} is:${state}`.trim() : others
}

/** The search with this project, or with none. */
export function withProject(search: string, name: string | null): string {
  const others = search.replaceAll(ofProject, '').trim()
  return name === null ? others : `${others} project:"${searchedName(name)}"`.trim()
}

/** Reads `tag:interview`, `tag:"two words"`, `project:field`, `is:archived` and its like; the rest is text, as it stands. */
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
