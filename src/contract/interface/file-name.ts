/*
 * Untrusted file names: from uploads, links and other services' responses. A name is text, never a path, and has no
 * invisible characters or bidi controls.
 */

/** Cc, the line and paragraph separators, the bidi controls of UAX 9, and zero-width characters. */
const invisible = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]/gu

/** Well-formed text in NFC, without invisible characters and bidi controls. */
export function visibleText(text: string): string {
  return text.toWellFormed().normalize('NFC').replaceAll(invisible, '')
}

/**
 * `C:\\Talks\\Ann.mp3` gives `Ann.mp3`: the last segment of a path, well-formed, inner spaces unchanged. May be empty.
 */
export function plainFileName(fileName: string): string {
  const last = fileName.split(/[/\\]/).at(-1) ?? ''
  return visibleText(last).trim()
}

/** The longest prefix of at most `units` UTF-16 units that splits no grapheme. */
export function cutFileName(name: string, units: number): string {
  if (name.length <= units) return name
  let end = 0
  for (const { index, segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(name)) {
    if (index + segment.length > units) break
    end = index + segment.length
  }
  // A single grapheme may be longer than any name (letters under hundreds of accents): then it is cut.
  return (end > 0 ? name.slice(0, end) : name.slice(0, units)).toWellFormed().trim()
}

/** At most so many graphemes of a name, shortened in the middle, as its end tells takes and formats apart. */
export function shortFileName(name: string, most: number): string {
  const all = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(name)].map(({ segment }) => segment)
  if (all.length <= most) return name
  const end = Math.floor(most / 3)
  return `${all.slice(0, most - 1 - end).join('')}…${all.slice(-end).join('')}`
}

/** Below every file system's limit for mostly-ASCII names. */
const maxSavedUnits = 200

/** Device names reserved by Windows, whatever their extension. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])[ ]*(?:\.|$)/i

/**
 * A file name that every file system accepts: `plainFileName` without the characters that Windows refuses and without
 * leading or trailing dots or blanks, `_` before reserved device names, at most 200 UTF-16 units with its extension
 * kept. Never empty.
 */
export function safeFileName(fileName: string): string {
  const name = plainFileName(fileName).replaceAll(/[<>:"|?*]/g, '_')
  const safe = name.replace(/^[.\s]+|[.\s]+$/g, '')
  const extension = /\.[a-z0-9]{1,8}$/i.exec(safe)?.[0] ?? ''
  const stem = cutFileName(safe.slice(0, safe.length - extension.length), maxSavedUnits - extension.length)
  const saved = stem + extension || 'transcript'
  return device.test(saved) ? safeFileName(`_${saved}`) : saved
}
