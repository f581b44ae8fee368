import type { HeardWord } from '../engine.ts'
import type { SherpaResult } from './sherpa-protocol.ts'

/** `▁` (sentencepiece) marks the start of a word; the addon replaces it by a space. */
const wordStart = /^[▁ ]/

/**
 * Joins tokens into words: `end` is the last token's time plus its duration, the confidence the geometric mean of the
 * tokens' probabilities. Punctuation belongs to the preceding word. Without durations a token lasts until the next, at
 * most 0.24 s; without probabilities the confidence is 0.5, neither certain nor doubtful.
 */
export function joinTokens({ tokens, timestamps, durations, ys_log_probs }: SherpaResult): HeardWord[] {
  const words: HeardWord[] = []
  let logProbabilities: number[] = []
  for (const [index, token] of tokens.entries()) {
    const start = timestamps[index]
    if (start === undefined) break
    const next = timestamps[index + 1] ?? Number.POSITIVE_INFINITY
    const end = start + (durations?.[index] ?? Math.min(0.24, next - start))
    const text = token.replace(wordStart, '')
    const last = words.at(-1)
    if (wordStart.test(token) || last === undefined) {
      logProbabilities = []
      words.push({ text, start, end, confidence: 0.5 })
    } else {
      last.text += text
      last.end = end
    }
    const logProbability = ys_log_probs?.[index]
    const word = words.at(-1)
    if (logProbability === undefined || word === undefined) continue
    logProbabilities.push(logProbability)
    word.confidence = Math.exp(logProbabilities.reduce((sum, value) => sum + value, 0) / logProbabilities.length)
  }
  return words.filter(({ text }) => text !== '')
}
