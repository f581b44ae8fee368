import { formatDay, lengthInWords } from '../text/clock-time.ts'
import { plainText } from '../text/plain-text.ts'
import { splitParts, type Transcript } from '../text/transcript.ts'

/** The title as one line of text; never empty. */
export function titleLine(transcript: Transcript): string {
  return plainText(transcript.title) || 'Untitled recording'
}

/** The title of a document of several files: `Talk and 2 more`. */
export function titleOfSeveral(first: string, count: number): string {
  return count === 1 ? first : `${first} and ${count - 1} more`
}

/** The title of a whole document. */
export function documentTitle(transcript: Transcript): string {
  return titleOfSeveral(titleLine(transcript), splitParts(transcript).length)
}

/** The header of the service templates: title, then date and length. */
export function headerLines(transcript: Transcript): [title: string, details: string] {
  const details = [formatDay(transcript.created), lengthInWords(transcript.durationMs)]
  return [titleLine(transcript), details.filter((part) => part !== '').join(' · ')]
}
