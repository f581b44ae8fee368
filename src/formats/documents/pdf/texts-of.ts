import { titleLine } from '../../template-header.ts'
import type { Transcript } from '../../transcript.ts'

/** Every text of a transcript that a document shows, its words each once; of a long one up to a number of words. */
export function textsOf(transcript: Transcript, upTo = Number.POSITIVE_INFINITY): Set<string> {
  const texts = new Set([titleLine(transcript), ...transcript.speakers])
  let count = 0
  for (const { words } of transcript.turns) {
    for (const { word } of words) texts.add(word)
    count += words.length
    if (count > upTo) break
  }
  return texts
}
