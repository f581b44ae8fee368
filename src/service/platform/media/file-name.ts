import { cutFileName, plainFileName } from '../../../contract/interface/file-name.ts'
import { extensionOfName } from '../../../contract/interface/media-formats.ts'

const maxUnits = 255
const otherEnding = /\.[a-z][a-z0-9]{0,4}$/i

function withoutExtension(name: string): string {
  const ending = extensionOfName(name)
  const stem = ending === null ? name.replace(otherEnding, '') : name.slice(0, -(ending.length + 1))
  return stem.trim()
}

/**
 * The display name of a recording: the client's file name as text, without path and extension (spec 2.2 `name`). At
 * most 255 UTF-16 units, never empty, no control or bidi characters, so that it is safe in headers, logs and on screen.
 */
export function displayName(fileName: string): string {
  const name = cutFileName(withoutExtension(plainFileName(fileName)), maxUnits)
  return /^\.*$/.test(name) ? 'Untitled' : name
}
