/** What the search field asks for. */
export type SearchWords = {
  /** in lower case; '' finds all */
  text: string
  /** in lower case; a file has all of them */
  tags: readonly string[]
  /** only what is archived; else it is shown only where something is searched for */
  archived: boolean
}

const word = /(?:(tag|is):)?(?:"([^"]*)"|(\S+))/gi

/** What the service is asked for: it knows no states. */
export function serviceWords(search: string): string {
  return search.replaceAll(/(^|\s)is:archived(?!\S)/gi, ' ').trim()
}

/** Reads `tag:interview`, `tag:"two words"` and `is:archived`; the rest is text, as it stands. */
export function readSearch(search: string): SearchWords {
  const tags: string[] = []
  let archived = false
  const text = search.replaceAll(word, (whole, kind: string | undefined, quoted?: string, plain?: string) => {
    const value = (quoted ?? plain ?? '').toLowerCase()
    if (kind?.toLowerCase() === 'tag' && value !== '') tags.push(value)
    else if (kind?.toLowerCase() === 'is' && value === 'archived') archived = true
    else return whole
    return ''
  })
  return { text: text.trim().toLowerCase(), tags, archived }
}
