import type { WordRecord } from '../contract/interface/words.ts'
import { captionTime } from '../text/clock-time.ts'
import { type Transcript, voicedWords } from '../text/transcript.ts'

/** Seconds to the millisecond; what is no number counts as 0. */
function toMilliseconds(seconds: number): number {
  return Number.isFinite(seconds) ? Math.round(seconds * 1_000) : 0
}

const dayMs = 86_400_000

/** 0 to 1 with four decimals; a missing confidence counts as none. */
function confidence(value: number): number {
  return Number.isFinite(value) ? Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000 : 0
}

/**
 * A word record with the keys and roundings of spec 2.4; `turn` is absent if no speaker turn follows.
 * @param beginsAtMs adds the time of day at which the word starts, if the recording began then
 */
function wordJson(word: WordRecord, endsTurn: boolean, beginsAtMs: number | null): string {
  const start = toMilliseconds(word.start)
  const end = Math.max(start, toMilliseconds(word.end))
  const record: WordRecord & { time_of_day?: string } = {
    word: word.word.toWellFormed(),
    start: start / 1_000,
    end: end / 1_000,
    duration: (end - start) / 1_000,
    conf: confidence(word.conf),
  }
  if (endsTurn) {
    record.turn = true
    record.turn_conf = confidence(word.turn_conf ?? 0)
  }
  if (beginsAtMs !== null) record.time_of_day = captionTime((beginsAtMs + start) % dayMs, '.', 2)
  return JSON.stringify(record)
}

/**
 * The JSON transcript of spec 2.4, one word a line: an array of records, the empty array if nobody spoke. Only if times of
 * the clock are asked for, each record also has `time_of_day`.
 */
export function* renderJson(transcript: Transcript): Generator<string> {
  yield '['
  let separator = '\n'
  const { beginsAtSeconds, captionsOfClock } = transcript
  const beginsAtMs = captionsOfClock === true && beginsAtSeconds !== undefined ? toMilliseconds(beginsAtSeconds) : null
  for (const { record, endsTurn } of voicedWords(transcript)) {
    yield separator + wordJson(record, endsTurn, beginsAtMs)
    separator = ',\n'
  }
  yield '\n]\n'
}
