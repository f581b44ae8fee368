import type { CaptionedWord, Transcript, Turn } from '../../../text/transcript.ts'
import type { WordTable } from '../model/word-table.ts'
import type { About } from './make-file.ts'

/**
 * The corrected text in the shape from which every format is made; the counterpart of the service's `buildTranscript`.
 */
export function transcriptOfTable(table: WordTable, names: readonly string[], about: About): Transcript {
  const turns: Turn[] = []
  let words: CaptionedWord[] = []
  for (let index = 0; index < table.count; index++) {
    const { text, start, end, conf, endsTurn, turnConf, speaker, cue } = table.word(index)
    words.push({
      word: text,
      start,
      end,
      duration: end - start,
      // The spec's record has no unknown conf: a word without one does not count as doubtful.
      conf: conf ?? 1,
      cue,
      ...(endsTurn ? { turn: true, turn_conf: turnConf ?? 1 } : {}),
    })
    if (!endsTurn && index < table.count - 1) continue
    turns.push({ speaker: speaker < 0 ? null : speaker, words })
    words = []
  }
  return { ...about, speakers: names, turns }
}
