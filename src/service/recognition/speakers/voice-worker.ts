import { parentPort } from 'node:worker_threads'
import { frameMs } from '../pieces/speech-frames.ts'
import { type HeardVoices, unpackVoices } from './packed-voices.ts'
import { cutStretches, voiceStretches } from './stretches.ts'
import { type SpeakerCount, tellVoices, type VoicedStretch } from './tell-voices.ts'

/*
 * The thread that listens to the voices of one recording, so that requests do not wait for its arithmetic. It keeps
 * nothing and answers each message in turn.
 */

export type PackedPiece = { startMs: number; voices: Uint8Array }
export type VoiceAsk =
  /** listens to a piece by cepstra and pitch, or only cuts it into stretches for a speaker model */
  | { ask: 'listen' | 'cut'; pcm: Int16Array; startMs: number }
  /** tells the voices of all pieces apart */
  | { ask: 'tell'; pieces: PackedPiece[]; count: SpeakerCount }
export type VoiceTell = HeardVoices['stretches'] | VoicedStretch[]

/** All stretches, where two runs listened in different ways those of the way that heard more. */
function joinedVoices(pieces: readonly PackedPiece[]): HeardVoices {
  const all: Record<HeardVoices['kind'], HeardVoices['stretches']> = { cepstra: [], embedding: [] }
  for (const { startMs, voices } of pieces) {
    const { kind, stretches } = unpackVoices(voices, startMs)
    all[kind].push(...stretches)
  }
  const kind = all.embedding.length >= all.cepstra.length ? 'embedding' : 'cepstra'
  return { kind, stretches: all[kind] }
}

function answer(asked: VoiceAsk): VoiceTell {
  if (asked.ask === 'tell') {
    const { kind, stretches } = joinedVoices(asked.pieces)
    return tellVoices(stretches, kind, asked.count)
  }
  if (asked.ask === 'listen') return voiceStretches(asked.pcm, asked.startMs)
  return cutStretches(asked.pcm).map(({ start, end }) => ({
    startMs: asked.startMs + start * frameMs,
    endMs: asked.startMs + end * frameMs,
    vector: new Float32Array(0),
  }))
}

parentPort?.on('message', ({ id, asked }: { id: number; asked: VoiceAsk }) =>
  parentPort?.postMessage({ id, told: answer(asked) }),
)
