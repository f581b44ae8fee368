import type { CorrectionSet, PatchWord } from '../contract/account/corrections.ts'
import { applyPatches } from './patches.ts'
import { fitSpeakers } from './speakers.ts'
import { cutTurns, type Transcript, type VoicedWord, voicedWords } from './transcript.ts'

/**
 * Applies corrections made to this very text. Speakers who were not renamed keep their names in it.
 * @param set its patches refer to words by index, in the order of the JSON format
 */
export function correctedTranscript(transcript: Transcript, set: CorrectionSet): Transcript {
  const { names, patches } = fitSpeakers(transcript.speakers, set)
  const words = applyPatches([...voicedWords(transcript)], patches, voicedWord)
  return { ...transcript, speakers: names, turns: cutTurns(words) }
}

/** A corrected word as a transcript has it. @param word `turnConf`: null if unknown */
export function voicedWord(word: Omit<PatchWord, 'old'> & { turnConf?: number | null }): VoicedWord {
  const { text, start, end, conf, endsTurn, turnConf, speaker, cue } = word
  // The spec's record has no unknown conf: a word without one does not count as doubtful.
  const record = { word: text, start, end, duration: end - start, conf: conf ?? 1, turn_conf: turnConf ?? 1, cue }
  return { record, speaker: speaker < 0 ? null : speaker, endsTurn }
}
