import { type ChosenSound, type Decoding, decode, type Voice } from '../platform/media/decode.ts'
import type { MediaSource } from '../platform/media/media-source.ts'

const samplesPerMs = 16
const silence = new Int16Array(60_000)

/** Exactly so many samples: the rest is silence, or left out. */
async function* fit(pcm: AsyncIterable<Int16Array>, samples: number): AsyncGenerator<Int16Array> {
  let left = samples
  for await (const chunk of pcm) {
    const kept = chunk.subarray(0, left)
    left -= kept.length
    if (kept.length > 0) yield kept
  }
  while (left > 0) {
    const chunk = silence.subarray(0, left)
    left -= chunk.length
    yield chunk
  }
}

/**
 * Decodes the tracks or channels of several speakers one after the other, `voiceMs` each, so that each is recognized
 * alone: `separateVoices` puts their words into the recording's time. Its outcome is that of the longest.
 */
export function decodeVoices(
  source: MediaSource,
  sound: ChosenSound,
  voices: readonly Voice[],
  { signal, voiceMs }: { signal: AbortSignal; voiceMs: number },
): Decoding {
  const { promise: outcome, resolve } = Promise.withResolvers<Awaited<Decoding['outcome']>>()
  async function* read(): AsyncGenerator<Int16Array> {
    let all = { decodedMs: 0, ok: true, missing: false }
    for (const voice of voices) {
      const { pcm, outcome: ended } = decode(source, { ...sound, ...voice, voices: null }, { signal })
      yield* fit(pcm, voiceMs * samplesPerMs)
      const { decodedMs, ok, missing } = await ended
      all = { decodedMs: Math.max(all.decodedMs, decodedMs), ok: all.ok && ok, missing: all.missing || missing }
    }
    resolve(all)
  }
  return { pcm: read(), outcome }
}
