import type { OrderOptions } from '../contract/interface/option-values.ts'
import type { WordRecord } from '../contract/interface/words.ts'
import { endsTurn } from '../contract/interface/words.ts'
import { hasCase, sentenceCased } from './sentence-case.ts'
import { respelled } from './spelling.ts'
import type { Transcript, Turn } from './transcript.ts'
import { withoutDisfluencies } from './verbatim.ts'

/**
 * A stored word: spec 2.4 with times from the start of the recording, and its voice. `turn` (always `true`) on the last
 * word before a change of voice; `speaker` is the diarizer's own number of a voice (any whole number, the same for the
 * same voice), absent if it is the previous word's; renderings number voices themselves. `name`: given to that voice by
 * staff, at the first of its words. `estimated`: the engine gave no word times, and they were spread over a stretch of
 * speech.
 */
export type StoredWord = WordRecord & { speaker?: number; name?: string; estimated?: true }

/** Splits words into turns: at turn ends and at speaker changes. */
function cutIntoTurns(words: readonly StoredWord[]): { voice: number; words: WordRecord[] }[] {
  const turns: { voice: number; words: WordRecord[] }[] = []
  let voice = words.find(({ speaker }) => speaker !== undefined)?.speaker ?? 0
  let isCut = true
  // Reuses the word objects with speaker and name: copying all of them would dominate the run time.
  for (const word of words) {
    const { speaker } = word
    isCut ||= speaker !== undefined && speaker !== voice
    voice = speaker ?? voice
    if (isCut) turns.push({ voice, words: [] })
    turns.at(-1)?.words.push(word)
    isCut = endsTurn(word)
  }
  return turns
}

/**
 * Applies the order's text options to a turn's words; an automated order's words stay as recognized (spec 2.3, rule 4).
 */
function withOptions(words: WordRecord[], options: OrderOptions): WordRecord[] {
  if (options.transcript_type === 'automated') return words
  const said = options.strict_verbatim === 'on' ? words : withoutDisfluencies(words)
  if (options.spelling_style === 'american') return said
  return said.map((word) => ({ ...word, word: respelled(word.word, options.spelling_style) }))
}

/**
 * Builds turns and speakers from recognized words. Speakers are numbered in order of first word and named from
 * `speaker_names`, else `Speaker 1`, `Speaker 2` …, unless staff named them; case and the order's text options are
 * applied.
 */
export function buildTranscript(
  about: Omit<Transcript, 'turns' | 'speakers'>,
  words: readonly StoredWord[],
): Transcript {
  const isCased = hasCase(words)
  const order = new Map<number, number>()
  const given = new Map(words.flatMap(({ speaker, name }) => (name === undefined ? [] : [[speaker ?? 0, name]])))
  const turns: Turn[] = []
  for (const turn of cutIntoTurns(words)) {
    const kept = withOptions(isCased ? turn.words : sentenceCased(turn.words), about.options)
    if (kept.length === 0) continue
    const speaker = order.get(turn.voice) ?? order.size
    order.set(turn.voice, speaker)
    turns.push({ speaker, words: kept })
  }
  const speakers = [...order].map(([voice, index]) => {
    return given.get(voice) ?? about.options.speaker_names[index] ?? `Speaker ${index + 1}`
  })
  return { ...about, speakers, turns }
}
