import type { CorrectionSet, PatchWord } from '../contract/account/corrections.ts'
import { applyPatches } from './patches.ts'
import type { CaptionedWord, Transcript, Turn } from './transcript.ts'

type VoicedWord = { record: CaptionedWord; speaker: number | null; endsTurn: boolean }

/**
 * Applies corrections made to this very text. Speakers who were not renamed keep their names in it.
 * @param set its patches refer to words by index, in the order of the JSON format
 */
export function correctedTranscript(transcript: Transcript, set: CorrectionSet): Transcript {
  const { speakers, speakerOf } = correctedSpeakers(transcript.speakers, set)
  const corrected = applyPatches([...wordsOf(transcript, speakerOf)], set.patches, typedWord)
  return { ...transcript, speakers, turns: turnsOf(corrected) }
}

function* wordsOf({ turns }: Transcript, speakerOf: (speaker: number) => number): Generator<VoicedWord> {
  for (const [index, turn] of turns.entries()) {
    const speaker = turn.speaker === null ? null : speakerOf(turn.speaker)
    for (const [place, record] of turn.words.entries()) {
      const endsTurn = place === turn.words.length - 1 && index < turns.length - 1
      yield { record, speaker, endsTurn }
    }
  }
}

function typedWord({ text, start, end, conf, endsTurn, speaker, cue }: PatchWord): VoicedWord {
  // The spec's record has no unknown conf: a word without one does not count as doubtful.
  const record = { word: text, start, end, duration: end - start, conf: conf ?? 1, cue }
  return { record, speaker: speaker < 0 ? null : speaker, endsTurn }
}

function turnsOf(words: readonly VoicedWord[]): Turn[] {
  const turns: Turn[] = []
  let current: CaptionedWord[] = []
  for (const [index, { record, speaker, endsTurn }] of words.entries()) {
    const { turn: _turn, turn_conf, ...word } = record
    current.push(endsTurn ? { ...word, turn: true, turn_conf: turn_conf ?? 1 } : word)
    if (!endsTurn && index < words.length - 1) continue
    turns.push({ speaker, words: current })
    current = []
  }
  return turns
}

/** The corrected names, and the index of each of the transcript's speakers among them. */
function correctedSpeakers(own: readonly string[], { baseNames, names }: CorrectionSet) {
  const speakers = [...names]
  const places = own.map((name, index) => {
    const known = baseNames.indexOf(name)
    // With initials, for example, the names in the corrections are not those of the transcript.
    const place = known === -1 && baseNames.length === own.length ? index : known
    if (place === -1) return speakers.push(name) - 1
    if (names[place] === baseNames[place]) speakers[place] = name
    return place
  })
  return { speakers, speakerOf: (speaker: number) => places[speaker] ?? speaker }
}
