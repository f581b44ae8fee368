import { formatDay, lengthInWords, timeOfDay } from '../text/clock-time.ts'
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

/** The header of the service templates: title, then date, length, and when it began if times are of a clock. */
export function headerLines(transcript: Transcript): [title: string, details: string] {
  const { created, durationMs, beginsAtSeconds } = transcript
  const began = beginsAtSeconds === undefined ? '' : `began ${timeOfDay(beginsAtSeconds)}`
  const details = [formatDay(created), lengthInWords(durationMs), began]
  return [titleLine(transcript), details.filter((part) => part !== '').join(' · ')]
}
