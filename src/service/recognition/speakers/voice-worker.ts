import { parentPort } from 'node:worker_threads'
import { diarise, type SpeakerCount, type VoicedStretch } from './diarise.ts'
import { type HeardVoices, unpackVoices } from './packed-voices.ts'
import { voiceStretches } from './stretches.ts'

/*
 * Worker thread that computes the voices of one recording, so that requests are not blocked. Stateless; answers
 * messages in order.
 */

export type PackedPiece = { startMs: number; voices: Uint8Array }
export type VoiceRequest =
  /** cuts a piece into stretches, with vectors by cepstra and pitch or without */
  | { kind: 'listen' | 'cut'; pcm: Int16Array; startMs: number }
  /** diarizes a whole recording */
  | { kind: 'diarise'; pieces: PackedPiece[]; count: SpeakerCount }
export type VoiceMessage = { id: number; asked: VoiceRequest } | 'end'
export type VoiceReply = HeardVoices['stretches'] | VoicedStretch[]

/** All stretches; if runs used different kinds of vectors, those of the more frequent kind. */
function joinedVoices(pieces: readonly PackedPiece[]): HeardVoices {
  const all: Record<HeardVoices['kind'], HeardVoices['stretches']> = { cepstra: [], embedding: [] }
  for (const { startMs, voices } of pieces) {
    const { kind, stretches } = unpackVoices(voices, startMs)
    all[kind].push(...stretches)
  }
  const kind = all.embedding.length >= all.cepstra.length ? 'embedding' : 'cepstra'
  return { kind, stretches: all[kind] }
}

function answer(asked: VoiceRequest): VoiceReply {
  if (asked.kind === 'diarise') {
    const { kind, stretches } = joinedVoices(asked.pieces)
    return diarise(stretches, kind, asked.count)
  }
  return voiceStretches(asked.pcm, asked.startMs, asked.kind === 'listen')
}

parentPort?.on('message', (message: VoiceMessage) => {
  if (message === 'end') parentPort?.close()
  else parentPort?.postMessage({ id: message.id, reply: answer(message.asked) })
})
