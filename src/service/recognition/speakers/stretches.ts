import type { FrameRun } from '../pieces/speech-frames.ts'
import { frameEnergies, frameMs, frameSamples, smoothed, speechRuns } from '../pieces/speech-frames.ts'
import { cepstraPerFrame, melCepstra } from './cepstra.ts'
import { logPitches } from './pitch.ts'

/** A second or two of speech, assumed to be of one voice, with that voice's vector. */
export type Stretch = { startMs: number; endMs: number; vector: Float32Array }

const stretchFrames = 130
/** A pause this short is within one speaker's phrase. */
const breathFrames = 25
/** Shorter stretches reveal more about their phonemes than about their speaker. */
const fewestFrames = 60
/** An octave of pitch weighs about as much as the difference between two dissimilar voices' cepstra. */
const pitchWeight = 5
/** Used if no pitch is clear: between most men's and most women's. */
const middleLogPitch = Math.log(160)

function phrases(runs: readonly FrameRun[]): FrameRun[] {
  const joined: FrameRun[] = []
  for (const run of runs) {
    const last = joined.at(-1)
    if (last !== undefined && run.start - last.end <= breathFrames) last.end = run.end
    else joined.push({ ...run })
  }
  return joined
}

/** Cuts speech into stretches of about 1.5 s that span no pause; times in frames. */
function cutStretches(samples: Int16Array): { start: number; end: number }[] {
  const stretches: { start: number; end: number }[] = []
  for (const run of phrases(speechRuns(smoothed(frameEnergies(samples))))) {
    const frames = run.end - run.start
    if (frames < fewestFrames) continue
    const count = Math.max(1, Math.round(frames / stretchFrames))
    for (let index = 0; index < count; index += 1) {
      const start = run.start + Math.floor((frames * index) / count)
      stretches.push({ start, end: run.start + Math.floor((frames * (index + 1)) / count) })
    }
  }
  return stretches
}

function medianLogPitch(samples: Int16Array): number {
  const pitches = logPitches(samples).sort((a, b) => a - b)
  return pitches.length < 5 ? middleLogPitch : (pitches[pitches.length >> 1] ?? middleLogPitch)
}

/** The mean cepstrum and pitch of a stretch: a rough fingerprint of a voice and its microphone. */
function likeness(samples: Int16Array): Float32Array {
  const cepstra = melCepstra(samples)
  const frames = cepstra.length / cepstraPerFrame
  const vector = new Float32Array(cepstraPerFrame + 1)
  for (const [index, value] of cepstra.entries()) {
    const order = index % cepstraPerFrame
    vector[order] = (vector[order] ?? 0) + value / frames
  }
  vector[cepstraPerFrame] = pitchWeight * (medianLogPitch(samples) - middleLogPitch)
  return vector
}

/**
 * Returns a piece's stretches, with vectors of cepstra and pitch or with empty ones; times from the recording's start.
 */
export function voiceStretches(pcm: Int16Array, pieceStartMs: number, withVectors = true): Stretch[] {
  return cutStretches(pcm).map(({ start, end }) => ({
    startMs: pieceStartMs + start * frameMs,
    endMs: pieceStartMs + end * frameMs,
    vector: withVectors ? likeness(pcm.subarray(start * frameSamples, end * frameSamples)) : new Float32Array(0),
  }))
}
