import { missingLines, splitParts, type Transcript } from '../../../text/transcript.ts'
import { titleLine } from '../../template-header.ts'

/** Every text in a document, each word once; for a long one, up to a number of words. */
export function textsOf(transcript: Transcript, upTo = Number.POSITIVE_INFINITY): Set<string> {
  const texts = new Set(missingLines(transcript))
  let count = 0
  for (const part of splitParts(transcript)) {
    for (const text of [titleLine(part), ...part.speakers]) texts.add(text)
    for (const { words } of part.turns) {
      for (const { word } of words) texts.add(word)
      count += words.length
      if (count > upTo) return texts
    }
  }
  return texts
}
