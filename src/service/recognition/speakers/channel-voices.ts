import { type ChosenSound, decode } from '../../platform/media/decode.ts'
import type { MediaSource } from '../../platform/media/media-source.ts'
import type { VoicedStretch } from './diarise.ts'

/** Telephone quality and 50 ms steps suffice to compare loudness. */
const rate = 8_000
const stepMs = 50
const stepSamples = (rate * stepMs) / 1_000
/** Louder than all other channels by this factor: the step's voice belongs to this channel. */
const clearlyLouder = 10 ** (12 / 10)
const faintest = (32_768 * 10 ** (-50 / 20)) ** 2
/** A channel has its own voice if it leads in this share of the speech. */
const leastShareOfOne = 0.05
/** Channels count as speakers if this share of the speech is clearly from one channel. */
const leastShareOfAll = 0.8
const mostChannels = 8
/** After this much speech, reading stops if the channels are not speakers. */
const decidingSteps = (20 * 60 * 1_000) / stepMs
/** A voice stays with its channel through pauses this long. */
const bridgedSteps = 6

/** The only loud channel in a step, `channels` if there are several, -1 if none. */
function leader(powers: Float64Array): number {
  let best = 0
  for (const [channel, power] of powers.entries()) if (power > (powers[best] ?? 0)) best = channel
  const loudest = powers[best] ?? 0
  if (loudest < faintest) return -1
  const isAlone = powers.every((power, channel) => channel === best || loudest > power * clearlyLouder)
  return isAlone ? best : powers.length
}

/** The leading channel of each step; null as soon as the channels are clearly not speakers. */
async function leaders(source: MediaSource, sound: ChosenSound, signal: AbortSignal): Promise<Int8Array | null> {
  const { channels } = sound
  let steps = new Int8Array(4_096)
  let count = 0
  let said = 0
  let within = 0
  const powers = new Float64Array(channels)
  let position = 0
  for await (const samples of decode(source, sound, { signal, channels, rate }).pcm) {
    for (const sample of samples) {
      powers[position] = (powers[position] ?? 0) + (sample * sample) / stepSamples
      position = (position + 1) % channels
      if (position !== 0) continue
      within += 1
      if (within < stepSamples) continue
      if (count === steps.length) {
        const grown = new Int8Array(count * 2)
        grown.set(steps)
        steps = grown
      }
      const led = leader(powers)
      steps[count] = led
      count += 1
      if (led >= 0) said += 1
      if (led >= 0 && said === decidingSteps && !areSpeakers(steps.subarray(0, count), channels)) return null
      within = 0
      powers.fill(0)
    }
  }
  return areSpeakers(steps.subarray(0, count), channels) ? steps.subarray(0, count) : null
}

/** True if most of the speech is clearly from one channel, and at least two channels have a voice. */
function areSpeakers(steps: Int8Array, channels: number): boolean {
  const shares = new Float64Array(channels + 1)
  let said = 0
  for (const step of steps) {
    if (step < 0) continue
    said += 1
    shares[step] = (shares[step] ?? 0) + 1
  }
  if (said === 0) return false
  const voices = shares.subarray(0, channels).filter((count) => count / said >= leastShareOfOne)
  return voices.length >= 2 && 1 - (shares[channels] ?? 0) / said >= leastShareOfAll
}

/**
 * Finds voices by channel in recordings with a channel per speaker (e.g. both ends of a call); null if the channels do
 * not clearly have different voices.
 * @throws AbortError when `signal` is aborted
 */
export async function channelVoices(
  source: MediaSource,
  sound: ChosenSound,
  signal: AbortSignal,
): Promise<VoicedStretch[] | null> {
  const { channels } = sound
  if (channels < 2 || channels > mostChannels || sound.channel !== null || sound.voices !== null) return null
  const steps = await leaders(source, sound, signal)
  if (steps === null) return null
  const stretches: VoicedStretch[] = []
  for (const [index, step] of steps.entries()) {
    if (step < 0 || step === channels) continue
    const last = stretches.at(-1)
    const startMs = index * stepMs
    const isSame = last?.speaker === step && startMs - last.endMs <= bridgedSteps * stepMs
    if (last !== undefined && isSame) last.endMs = startMs + stepMs
    else stretches.push({ startMs, endMs: startMs + stepMs, speaker: step, confidence: 0.9 })
  }
  return stretches
}
