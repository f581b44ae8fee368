import { hash } from 'node:crypto'

/** The stored hash of a key: SHA-256 in hex (decision 14). Keys have 160 random bits, so no slow hash is needed. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex')
}

/**
 * The API key of an `Authorization` header: the user name of HTTP Basic with an empty password (spec 5). The scheme is
 * case-insensitive (RFC 9110, 11.1). Null if the header has no key of that form.
 */
export function keyOfHeader(header: string | undefined): string | null {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return null
  const credentials = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = credentials.indexOf(':')
  if (colon < 1 || colon !== credentials.length - 1) return null
  return credentials.slice(0, colon)
}

/** The stored hash of the key in an `Authorization` header; null if it has none. */
export function keyHashOfHeader(header: string): string | null {
  const key = keyOfHeader(header)
  return key === null ? null : hashKey(key)
}
