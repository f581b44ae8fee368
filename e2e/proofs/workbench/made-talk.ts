import type { DeskPart } from '../../../src/contract/work/parts.ts'
import { wavHeader } from '../bench/wav-header.ts'
import type { Seeded } from '../torture/seeded.ts'

/* A talk of several speakers with doubtful places, and its sound. */

export const speakers: readonly string[] = ['Ann Lee', 'Bob Okafor', 'Cem Arslan']
const plain = 'the people of the town came down to the river before dawn and nobody saw them leave again'.split(' ')
const [secondsPerWord, wordsPerTurn, doubtsPerMinute] = [0.4, 30, 5]
const sampleRate = 8_000

export type Token = { text: string; conf: number; speaker: number; start: number; isLast: boolean }

/** Hums with a pause every other second, so that parts can be cut at silences. */
export function makeSound(minutes: number): Blob {
  const samples = minutes * 60 * sampleRate
  const sound = Buffer.alloc(2 * samples)
  for (let at = 0; at < samples; at += 1) {
    const isSpoken = at % (2 * sampleRate) < 1.5 * sampleRate
    if (isSpoken) sound.writeInt16LE(Math.round(8_000 * Math.sin((at * 2 * Math.PI * 220) / sampleRate)), 2 * at)
  }
  return new Blob([new Uint8Array(wavHeader(sound.length, { rate: sampleRate, channels: 1 })), sound], {
    type: 'audio/wav',
  })
}

/** Words for a part, with doubtful places of one to three words, never side by side. Times are seconds. */
export function makeTalk(random: Seeded, start: number, end: number): Token[] {
  const doubts = Math.round(((end - start) / 60) * doubtsPerMinute)
  const count = Math.floor((end - start) / secondsPerWord) - 1
  const tokens = Array.from({ length: count }, (_, at): Token => {
    const [turn, word] = [Math.floor(at / wordsPerTurn), at % wordsPerTurn]
    const isLast = word === wordsPerTurn - 1 || at === count - 1
    return { text: random.any(plain), conf: 0.99, speaker: turn % 2, start: start + at * secondsPerWord, isLast }
  })
  const room = Math.floor(count / doubts)
  for (let doubt = 0; doubt < doubts; doubt += 1) {
    const length = random.any([1, 1, 1, 2, 3])
    const from = doubt * room + Math.floor(random.between(0, room - length - 1))
    const within = tokens.slice(from, from + length)
    // A place ends with its turn.
    const isCut = within.slice(0, -1).some(({ isLast }) => isLast)
    for (const [index, token] of (isCut ? within.slice(0, 1) : within).entries()) {
      Object.assign(token, { text: `doubt${doubt}${'abc'[index]}`, conf: 0.2 })
    }
  }
  return tokens
}

export const toDeskWords = (tokens: readonly Token[]): DeskPart['words'] =>
  tokens.map(({ text, conf, speaker, start, isLast }) => {
    const end = start + secondsPerWord * 0.9
    return { word: text, start, end, conf, speaker, ...(isLast && { turn: true as const }) }
  })

/** The doubtful places, each with its index. */
export function placesOf(tokens: readonly Token[]): { from: number; to: number }[] {
  const isDoubt = (at: number) => (tokens[at]?.conf ?? 1) < 0.5
  return tokens.flatMap((_, from) => {
    if (!isDoubt(from) || (isDoubt(from - 1) && !tokens[from - 1]?.isLast)) return []
    let to = from + 1
    while (isDoubt(to) && !tokens[to - 1]?.isLast) to += 1
    return [{ from, to }]
  })
}
