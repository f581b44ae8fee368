import { extensionOfName } from '../../contract/media-formats.ts'

const longestName = 200

/**
 * The name that a file shows: what the client called it, without directories and its extension (spec 2.2). Control and
 * bidirectional characters go (decision 2), as they would let a name pose as another; so does what is no valid text.
 */
export function recordingName(clientName: string): string {
  const last = clientName.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const visible = last.replaceAll(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]/gu, '').trim()
  const stem =
    extensionOfName(visible) === null
      ? visible.replace(/(?<=.)\.[A-Za-z0-9]{1,5}$/, '')
      : visible.replace(/\.[^.]+$/, '')
  const short = [...new Intl.Segmenter('en').segment(stem)].slice(0, longestName).map(({ segment }) => segment)
  return (
    short
      .join('')
      .slice(0, 2 * longestName)
      .toWellFormed()
      .replaceAll('\ufffd', '')
      .trim() || 'recording'
  )
}
