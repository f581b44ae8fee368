import { decode, firstTrack } from '../../platform/media/decode.ts'

/** A turn of a dialogue assembled from single-voice recordings; times in milliseconds. */
export type SpokenTurn = { speaker: number; startMs: number; endMs: number }

const pauseMs = 300
const evenLoudness = 2_000

/** Reads all samples of a recording, 16 kHz mono. For tests and benches. */
export async function readSamples(path: string): Promise<Int16Array> {
  const parts: Int16Array[] = []
  for await (const part of decode(path, firstTrack, { signal: new AbortController().signal }).pcm) parts.push(part)
  return joined(parts)
}

export function joined(parts: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Normalizes a turn's loudness, so that it cannot identify the voice. */
function levelled(samples: Int16Array): Int16Array {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 1) / samples.length
  const gain = evenLoudness / Math.sqrt(power)
  return samples.map((sample) => Math.max(-32_767, Math.min(32_767, sample * gain)))
}

/**
 * Assembles turns of these lengths in seconds, taken cyclically from each voice's recording, with pauses of 0.3 s.
 * @param voices samples of one voice each
 * @param order the speaking voice of each turn
 */
export function makeDialogue(
  voices: readonly Int16Array[],
  order: readonly number[],
  turnSeconds: readonly number[],
): { pcm: Int16Array; turns: SpokenTurn[] } {
  const parts: Int16Array[] = []
  const turns: SpokenTurn[] = []
  const used = new Map<number, number>()
  let atMs = 0
  for (const [index, speaker] of order.entries()) {
    const voice = voices[speaker] ?? new Int16Array(0)
    const length = Math.min(voice.length, Math.round((turnSeconds[index % turnSeconds.length] ?? 3) * 16_000))
    const before = used.get(speaker) ?? 0
    const from = before + length > voice.length ? 0 : before
    used.set(speaker, from + length)
    const endMs = atMs + length / 16
    turns.push({ speaker, startMs: atMs, endMs })
    parts.push(levelled(voice.slice(from, from + length)))
    parts.push(Int16Array.from({ length: pauseMs * 16 }, (_, at) => ((at * 7_919) % 13) - 6))
    atMs = endMs + pauseMs
  }
  return { pcm: joined(parts), turns }
}

/** Share of speech, 0 to 1, attributed to the wrong voice; voices are matched to speakers by longest overlap. */
export function wronglyAttributed(
  turns: readonly SpokenTurn[],
  found: readonly { startMs: number; endMs: number; speaker: number }[],
): number {
  const together = new Map<string, { voice: number; speaker: number; ms: number }>()
  let total = 0
  for (const stretch of found) {
    for (const turn of turns) {
      const ms = Math.min(stretch.endMs, turn.endMs) - Math.max(stretch.startMs, turn.startMs)
      if (ms <= 0) continue
      const pair = { voice: stretch.speaker, speaker: turn.speaker, ms: 0 }
      const key = `${pair.voice}-${pair.speaker}`
      const known = together.get(key) ?? pair
      known.ms += ms
      together.set(key, known)
      total += ms
    }
  }
  const voices = new Set<number>()
  const speakers = new Set<number>()
  let right = 0
  for (const { voice, speaker, ms } of [...together.values()].sort((a, b) => b.ms - a.ms)) {
    if (voices.has(voice) || speakers.has(speaker)) continue
    voices.add(voice)
    speakers.add(speaker)
    right += ms
  }
  return total === 0 ? 0 : 1 - right / total
}
