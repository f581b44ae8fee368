import { asWav } from '../engines/http.ts'

const rate = 16_000

/** A synthetic stretch: a tone modulated like speech, or faint hiss. */
export type Stretch = { kind: 'speech' | 'silence'; ms: number }

/** Generates 16 kHz mono samples for tests of cutting and transport; unintelligible and deterministic. */
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

/** A wav with a second of speech three times a minute: long, and cheap to recognize. */
export function makeSparseSpeech(minutes: number): Uint8Array<ArrayBuffer> {
  const third: Stretch[] = [
    { kind: 'speech', ms: 1_000 },
    { kind: 'silence', ms: 19_000 },
  ]
  return asWav(makeSound(Array.from({ length: 3 * minutes }, () => third).flat()))
}

/** A wav with this many 8 s stretches of synthetic speech, separated by 2 s pauses: one piece each. */
export function makeSpokenPieces(count: number): Uint8Array<ArrayBuffer> {
  const stretch: Stretch[] = [
    { kind: 'speech', ms: 8_000 },
    { kind: 'silence', ms: 2_500 },
  ]
  return asWav(makeSound(Array.from({ length: count }, () => stretch).flat()))
}
