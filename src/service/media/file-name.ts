import { extensionOfName } from '../../contract/media-formats.ts'

const maxUnits = 255
/** Cc, the line and paragraph separators, the bidi controls of UAX 9, and characters that show nothing. */
const unwanted = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]/gu
const otherEnding = /\.[a-z][a-z0-9]{0,4}$/i
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** `C:\\Talks\\Ann.mp3` gives `Ann.mp3`, without control and bidi characters, blanks joined. May be empty. */
function cleanName(fileName: string): string {
  const last = fileName.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  return last.normalize('NFC').replaceAll(unwanted, '').replaceAll(/\s+/g, ' ').trim()
}

function withoutExtension(name: string): string {
  const ending = extensionOfName(name)
  const stem = ending === null ? name.replace(otherEnding, '') : name.slice(0, -(ending.length + 1))
  return stem.trim()
}

/** The longest beginning of at most `units` UTF-16 units that cuts no character in two. */
function bounded(name: string, units: number): string {
  if (name.length <= units) return name
  let end = 0
  for (const { index, segment } of segmenter.segment(name)) {
    if (index + segment.length > units) break
    end = index + segment.length
  }
  // A single "character" may be longer than any name (letters under hundreds of accents): then it is cut.
  return (end > 0 ? name.slice(0, end) : name.slice(0, units)).toWellFormed().trim()
}

/**
 * What a recording is called: the client's file name as text, without path and extension (spec 2.2 `name`). At most 255
 * UTF-16 units, never empty, no control or bidi characters, so that it is safe in headers, logs and on screen.
 */
export function displayName(fileName: string): string {
  const name = bounded(withoutExtension(cleanName(fileName)), maxUnits)
  return /^\.*$/.test(name) ? 'Untitled' : name
}
