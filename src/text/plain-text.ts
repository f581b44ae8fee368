function withoutControls(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029\ufffe\uffff]/gu, ' ')
    .replaceAll(/ {2,}/g, ' ')
}

/**
 * Sanitizes text for any format: control characters, line and paragraph separators become spaces, lone surrogates the
 * replacement character, runs of blanks one space.
 */
export function plainText(text: string): string {
  return withoutControls(text).trim()
}

/**
 * Plain text with XML and HTML markup escaped; safe in content and in quoted attributes. A blank at either end stays:
 * it separates runs.
 */
export function escapeXml(text: string): string {
  return withoutControls(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
