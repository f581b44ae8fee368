import { parse } from 'content-disposition'

/** Characters that some file system refuses, and control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must go
const unsafe = /[\x00-\x1f\x7f<>:"/\\|?*\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A name that any file system takes; never empty. */
export function safeFileName(name: string): string {
  const trimmed = name.replaceAll(unsafe, '_').replace(/^[. ]+|[. ]+$/g, '')
  return trimmed === '' ? 'transcript' : trimmed.slice(0, 200)
}

/** The name in a Content-Disposition header (RFC 6266, `filename*` first), or `fallback`. */
export function dispositionName(header: string | null, fallback: string): string {
  try {
    return safeFileName(parse(header ?? '').parameters.filename || fallback)
  } catch {
    return safeFileName(fallback)
  }
}

/** Hands a file to the browser's downloads. */
export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser has taken the address when the click returns; a moment more for those that take it later.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
