import { voicedWord } from '../../../text/corrected-transcript.ts'
import { cutTurns, type Transcript, type VoicedWord } from '../../../text/transcript.ts'
import type { WordTable } from '../model/word-table.ts'
import type { About } from './make-file.ts'

/**
 * The corrected text in the shape from which every format is made; the counterpart of the service's `buildTranscript`.
 */
export function transcriptOfTable(table: WordTable, names: readonly string[], about: About): Transcript {
  return { ...about, speakers: names, turns: cutTurns(tableWords(table)) }
}

function* tableWords(table: WordTable): Generator<VoicedWord> {
  for (let index = 0; index < table.count; index++) yield voicedWord(table.word(index))
}
