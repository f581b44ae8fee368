import type { HeardSound } from '../../../contract/account/file-pages.ts'
import type { StoredWord } from '../../../text/build-transcript.ts'
import type { FileRow } from '../../platform/db/schema.ts'

/** Longer than a track can be that is charged as so long; the silence between two voices ends a piece. */
const apartMs = 3_000

/** How much time each voice of a recording takes where all are recognized one after the other. */
export function voiceLengthMs({ duration_ms }: Pick<FileRow, 'duration_ms'>): number {
  return duration_ms + apartMs
}

/** Names of the voices that are recognized one after the other; null if all sound is recognized together. */
export function readVoiceNames({ heard_json }: Pick<FileRow, 'heard_json'>): readonly string[] | null {
  const heard: HeardSound | null = heard_json === null ? null : JSON.parse(heard_json)
  return heard?.voices ?? null
}

const inMilliseconds = (seconds: number) => Math.round(seconds * 1_000) / 1_000

type PlacedWord = StoredWord & { speaker: number }

/** A voice's words stay in one phrase across shorter pauses, even if another voice speaks in them. */
const pauseSeconds = 1
/** A phrase continues at most this long after another voice's phrase begins, which follows it in the text. */
const mostOvertakenSeconds = 10

type Phrase = { words: PlacedWord[]; endsBefore: number }

/** Cuts the words of all voices, in order of time, into phrases of one voice each, in the order in which they begin. */
function cutPhrases(words: readonly PlacedWord[]): PlacedWord[][] {
  const phrases: Phrase[] = []
  const open = new Map<number, Phrase>()
  for (const word of words) {
    const phrase = open.get(word.speaker)
    const pause = word.start - (phrase?.words.at(-1)?.end ?? Number.NEGATIVE_INFINITY)
    if (phrase !== undefined && pause < pauseSeconds && word.start < phrase.endsBefore) {
      phrase.words.push(word)
      continue
    }
    const begun = { words: [word], endsBefore: Number.POSITIVE_INFINITY }
    for (const other of open.values()) {
      other.endsBefore = Math.min(other.endsBefore, word.start + mostOvertakenSeconds)
    }
    open.set(word.speaker, begun)
    phrases.push(begun)
  }
  return phrases.map((phrase) => phrase.words)
}

/**
 * Merges the words of voices that were recognized one after the other: in the recording's time, each by its speaker.
 * If voices overlap, their phrases are in the order in which they begin, so times of words need not be in order.
 * @param words with times counted from the start of the first voice
 */
export function separateVoices(
  file: Pick<FileRow, 'duration_ms'>,
  names: readonly string[],
  words: readonly StoredWord[],
): StoredWord[] {
  const voiceSeconds = voiceLengthMs(file) / 1_000
  const named = new Set<number>()
  const placed = words.map((word) => {
    const speaker = Math.min(names.length - 1, Math.floor(word.start / voiceSeconds))
    const earlier = (seconds: number) => inMilliseconds(seconds - speaker * voiceSeconds)
    return { ...word, start: earlier(word.start), end: earlier(word.end), speaker }
  })
  const merged = cutPhrases(placed.toSorted((one, other) => one.start - other.start)).flat()
  return merged.map((word, index) => {
    const next = merged[index + 1]
    const name = named.has(word.speaker) ? '' : (names[word.speaker] ?? '')
    named.add(word.speaker)
    const ends = next !== undefined && next.speaker !== word.speaker && { turn: true as const, turn_conf: 1 }
    return { ...word, ...(name !== '' && { name }), ...ends }
  })
}
