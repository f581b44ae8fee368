/** The http(s) URLs in a text, separated by white space, and the remaining words. */
export function readLinks(text: string): { links: string[]; rest: string[] } {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const isLink = (word: string) => /^https?:\/\/[^/]+/i.test(word) && URL.canParse(word)
  return { links: [...new Set(words.filter(isLink))], rest: words.filter((word) => !isLink(word)) }
}

/**
 * The address of the recording itself, if a link is the page of a sharing service that offers one by another address;
 * null for all others.
 */
export function directLink(link: string): string | null {
  const url = new URL(link)
  if (/(^|\.)dropbox\.com$/.test(url.hostname) && url.searchParams.get('dl') !== '1' && !url.searchParams.has('raw')) {
    url.searchParams.set('dl', '1')
    return url.href
  }
  const id = /^\/file\/d\/([\w-]+)/.exec(url.pathname)?.[1] ?? url.searchParams.get('id')
  const isDrivePage = url.hostname === 'drive.google.com' && /^\/(file\/d\/|open$)/.test(url.pathname)
  return isDrivePage && id !== null ? `https://drive.google.com/uc?export=download&id=${encodeURIComponent(id)}` : null
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
