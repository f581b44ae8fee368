import { asWav } from '../engines/http.ts'

const rate = 16_000

/** A stretch of made sound: a tone whose level goes up and down as speech does, or faint hiss. */
export type Stretch = { kind: 'speech' | 'silence'; ms: number }

/** 16 kHz mono samples for tests of what cuts and carries sound; nobody can understand it. The same each time. */
export function makeSound(stretches: readonly Stretch[]): Int16Array {
  const samples = new Int16Array(stretches.reduce((sum, { ms }) => sum + (ms * rate) / 1_000, 0))
  let at = 0
  let seed = 1
  for (const { kind, ms } of stretches) {
    for (let end = at + (ms * rate) / 1_000; at < end; at += 1) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      const hiss = ((seed / 2_147_483_648) * 2 - 1) * 20
      const syllable = 0.55 + 0.45 * Math.sin((2 * Math.PI * 4 * at) / rate)
      const tone = kind === 'speech' ? 8_000 * syllable * Math.sin((2 * Math.PI * 800 * at) / rate) : 0
      samples[at] = Math.round(tone + hiss)
    }
  }
  return samples
}

/** Somebody speaks for a second three times a minute: long, and cheap to hear, as a wav. */
export function makeSparseSpeech(minutes: number): Uint8Array<ArrayBuffer> {
  const third: Stretch[] = [
    { kind: 'speech', ms: 1_000 },
    { kind: 'silence', ms: 19_000 },
  ]
  return asWav(makeSound(Array.from({ length: 3 * minutes }, () => third).flat()))
}

/** So many stretches of 8 s of made speech with pauses of 2 s between them, as a wav: as many pieces. */
export function makeSpokenPieces(count: number): Uint8Array<ArrayBuffer> {
  const stretch: Stretch[] = [
    { kind: 'speech', ms: 8_000 },
    { kind: 'silence', ms: 2_500 },
  ]
  return asWav(makeSound(Array.from({ length: count }, () => stretch).flat()))
}
