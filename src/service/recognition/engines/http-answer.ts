import * as z from 'zod/mini'
import type { HeardWord } from '../engine.ts'

/*
 * `verbose_json` answers of servers with OpenAI's transcription API. They differ:
 * - OpenAI: `words` at the top, without probability; `segments` with `avg_logprob`
 * - speaches: `words` at the top and in the segments, with `probability`
 * - LocalAI: a word's text under `text`; times of some versions in nanoseconds
 * - vLLM: no words; `duration` a string; segments in some versions
 * - whisper.cpp: under each segment one "word" for each token; a token that begins a word begins with a space
 */

/** A number, possibly as a string. */
const looseNumber = z.pipe(z.union([z.number(), z.string()]), z.transform(Number))
const answeredWord = z.object({
  word: z.optional(z.string()),
  text: z.optional(z.string()),
  start: z.optional(z.nullable(looseNumber)),
  end: z.optional(z.nullable(looseNumber)),
  probability: z.optional(z.nullable(looseNumber)),
})
const segment = z.object({
  text: z.optional(z.string()),
  start: z.optional(z.nullable(looseNumber)),
  end: z.optional(z.nullable(looseNumber)),
  avg_logprob: z.optional(z.nullable(looseNumber)),
  words: z.optional(z.nullable(z.array(answeredWord))),
})
const answer = z.object({
  text: z.optional(z.string()),
  words: z.optional(z.nullable(z.array(answeredWord))),
  segments: z.optional(z.nullable(z.array(segment))),
})
type Answer = z.infer<typeof answer>
type AnsweredWord = z.infer<typeof answeredWord>
type Segment = z.infer<typeof segment>

/** Confidence of words without a probability: neither certain nor doubtful. */
const unknownConfidence = 0.5

/** Normalizes times: more than a thousand times the length of the piece must be nanoseconds. */
function inSeconds(value: number | null | undefined, pieceSeconds: number): number {
  if (value === null || value === undefined) return Number.NaN
  return value > pieceSeconds * 1_000 ? value / 1e9 : value
}

function fromProbability(logProbability: number | null | undefined): number {
  const probability = Math.exp(logProbability ?? Number.NaN)
  return Number.isFinite(probability) ? Math.min(1, probability) : unknownConfidence
}

/**
 * Interpolates word times over a stretch in proportion to word length, marked as estimated: a fair approximation for
 * fluent speech.
 */
function spread(text: string, start: number, end: number, confidence: number): HeardWord[] {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const letters = words.reduce((sum, word) => sum + word.length + 1, 0)
  let at = start
  return words.map((word) => {
    const from = at
    at += ((end - start) * (word.length + 1)) / letters
    return { text: word, start: from, end: at, confidence, estimated: true }
  })
}

/** Joins tokens that continue without a space into words; other servers' words stay as they are. */
function joined(given: readonly AnsweredWord[], confidence: number, pieceSeconds: number): HeardWord[] {
  const isTokens = given.some(({ word, text }) => /^\s/.test(word ?? text ?? ''))
  const words: (HeardWord & { parts: number })[] = []
  for (const { word, text, start, end, probability } of given) {
    const raw = word ?? text ?? ''
    const last = words.at(-1)
    const own = probability ?? confidence
    if (isTokens && last !== undefined && !/^\s/.test(raw)) {
      last.text += raw.trim()
      last.end = inSeconds(end, pieceSeconds)
      last.confidence = (last.confidence * last.parts + own) / (last.parts + 1)
      last.parts += 1
    } else if (raw.trim() !== '') {
      const from = inSeconds(start, pieceSeconds)
      words.push({ text: raw.trim(), start: from, end: inSeconds(end, pieceSeconds), confidence: own, parts: 1 })
    }
  }
  // whisper.cpp's markers, such as [_BEG_], are not words.
  return words.filter(({ text }) => !/^\[_.*\]$/.test(text)).map(({ parts: _, ...word }) => word)
}

function hasTimes(words: readonly HeardWord[]): boolean {
  return words.length > 0 && words.every(({ start, end }) => Number.isFinite(start) && Number.isFinite(end))
}

function wordsOfSegment(given: Segment, pieceSeconds: number): HeardWord[] {
  const confidence = fromProbability(given.avg_logprob)
  const words = joined(given.words ?? [], confidence, pieceSeconds)
  if (hasTimes(words)) return words
  const start = inSeconds(given.start, pieceSeconds)
  const end = inSeconds(given.end, pieceSeconds)
  const isTimed = Number.isFinite(start) && Number.isFinite(end) && end > start
  return spread(given.text ?? '', isTimed ? start : 0, isTimed ? Math.min(end, pieceSeconds) : pieceSeconds, confidence)
}

/** Fills in missing word confidences from the segment in which the word starts. */
function withSegmentConfidence(words: HeardWord[], given: Answer, pieceSeconds: number): HeardWord[] {
  const isOwn = given.words?.some(({ probability }) => typeof probability === 'number') === true
  if (isOwn) return words
  const segments = given.segments ?? []
  return words.map((word) => {
    const within = segments.find(({ end }) => word.start <= inSeconds(end, pieceSeconds))
    return { ...word, confidence: fromProbability(within?.avg_logprob) }
  })
}

/**
 * Parses a response in any of the dialects above.
 * @returns null if it is none of them
 */
export function readHttpAnswer(body: unknown, pieceSeconds: number): HeardWord[] | null {
  const parsed = answer.safeParse(body)
  if (!parsed.success) return null
  const given = parsed.data
  if (given.text === undefined && !given.segments && !given.words) return null
  const top = joined(given.words ?? [], unknownConfidence, pieceSeconds)
  if (hasTimes(top)) return withSegmentConfidence(top, given, pieceSeconds)
  if (given.segments && given.segments.length > 0) {
    return given.segments.flatMap((each) => wordsOfSegment(each, pieceSeconds))
  }
  return spread(given.text ?? '', 0, pieceSeconds, unknownConfidence)
}
