/** The http(s) URLs in a text, separated by white space, and the remaining words. */
export function readLinks(text: string): { links: string[]; rest: string[] } {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const isLink = (word: string) => /^https?:\/\/[^/]+/i.test(word) && URL.canParse(word)
  return { links: [...new Set(words.filter(isLink))], rest: words.filter((word) => !isLink(word)) }
}

/** A readable name for a link: its last path segment, else its host. */
export function linkName(link: string): string {
  const { hostname, pathname } = new URL(link)
  const segment = pathname.split('/').findLast((part) => part !== '')
  if (segment === undefined) return hostname
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
