/*
 * File names from outside: from uploads, links and the answers of other services. A name is text, never a path, and has
 * no characters that are invisible or change the direction of reading.
 */

/** Cc, the line and paragraph separators, the bidi controls of UAX 9, and characters that show nothing. */
const invisible = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]/gu

/** Text well formed and in NFC, without characters that are invisible or change the direction of reading. */
export function visibleText(text: string): string {
  return text.toWellFormed().normalize('NFC').replaceAll(invisible, '')
}

/** `C:\\Talks\\Ann.mp3` gives `Ann.mp3`: the last part of a path, well formed, inner spaces as they are. May be empty. */
export function plainFileName(fileName: string): string {
  const last = fileName.split(/[/\\]/).at(-1) ?? ''
  return visibleText(last).trim()
}

/** The longest beginning of at most `units` UTF-16 units that cuts no character in two. */
export function cutFileName(name: string, units: number): string {
  if (name.length <= units) return name
  let end = 0
  for (const { index, segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(name)) {
    if (index + segment.length > units) break
    end = index + segment.length
  }
  // A single "character" may be longer than any name (letters under hundreds of accents): then it is cut.
  return (end > 0 ? name.slice(0, end) : name.slice(0, units)).toWellFormed().trim()
}

/** Shorter than any file system's limit for names of mostly ASCII. */
const maxSavedUnits = 200

/** What Windows takes for devices, whatever their extension. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])[ ]*(?:\.|$)/i

/**
 * A name to save a file under on any file system: `plainFileName` without the characters that Windows refuses and
 * without dots or blanks at its ends, `_` before what it takes for a device, at most 200 UTF-16 units with its extension kept. Never empty.
 */
export function safeFileName(fileName: string): string {
  const name = plainFileName(fileName).replaceAll(/[<>:"|?*]/g, '_')
  const safe = name.replace(/^[.\s]+|[.\s]+$/g, '')
  const extension = /\.[a-z0-9]{1,8}$/i.exec(safe)?.[0] ?? ''
  const stem = cutFileName(safe.slice(0, safe.length - extension.length), maxSavedUnits - extension.length)
  const saved = stem + extension || 'transcript'
  return device.test(saved) ? safeFileName(`_${saved}`) : saved
}
