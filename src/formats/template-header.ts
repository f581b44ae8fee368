import { dayOf, lengthInWords } from './clock-time.ts'
import { plainText } from './plain-text.ts'
import type { Transcript } from './transcript.ts'

/** The title as a line of text; never empty. */
export function titleLine(transcript: Transcript): string {
  return plainText(transcript.title) || 'Untitled recording'
}

/** The header of the service templates: title, then date and length. */
export function headerLines(transcript: Transcript): [title: string, details: string] {
  const details = [dayOf(transcript.created), lengthInWords(transcript.durationMs)]
  return [titleLine(transcript), details.filter((part) => part !== '').join(' · ')]
}
