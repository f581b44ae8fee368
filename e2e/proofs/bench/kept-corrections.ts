import type { Patch } from '../../../src/contract/account/corrections.ts'
import type { WordRecord } from '../../../src/contract/interface/words.ts'
import { TextFingerprint } from '../../../src/text/text-fingerprint.ts'

/** Single-word corrections, spread over a transcript, as a body of the account interface. @param json its words */
export function manyCorrections(json: string, count: number): string {
  const words = JSON.parse(json) as WordRecord[]
  const fingerprint = new TextFingerprint()
  for (const { word, start, turn } of words) fingerprint.add(`${word}${turn === undefined ? ' ' : '\n'}`, [start])
  const texts = (from: number, to: number) => words.slice(Math.max(0, from), to).map(({ word }) => word)
  const every = Math.floor(words.length / count)
  const put = Array.from({ length: count }, (_, index): Patch => {
    const from = index * every
    const { start = 0, end = 0, turn } = words[from] ?? {}
    const word = { text: `typed${index}`, start, end, conf: 1, endsTurn: turn !== undefined, speaker: 0, old: -1 }
    return {
      from,
      to: from + 1,
      startSeconds: start,
      old: texts(from, from + 1),
      before: texts(from - 3, from),
      after: texts(from + 1, from + 4),
      words: [word],
    }
  })
  const names = ['Speaker 1', 'Speaker 2']
  return JSON.stringify({
    fingerprint: fingerprint.toString(),
    baseNames: names,
    names,
    remove: [],
    put,
    label: 'Typing',
  })
}
