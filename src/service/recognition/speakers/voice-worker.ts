import { parentPort } from 'node:worker_threads'
import type { Stretch } from './stretches.ts'
import { cutStretches, voiceStretches } from './stretches.ts'
import type { SpeakerCount } from './tell-voices.ts'
import { tellVoices, type VoicedStretch, type VoiceKind } from './tell-voices.ts'

/*
 * The thread that listens to the voices of one recording, so that requests do not wait for its arithmetic. It answers
 * each message in turn.
 */

export type VoiceAsk =
  /** cuts a piece into stretches and listens to them by cepstra, or only cuts where `isOnlyCut` */
  | { ask: 'add'; pcm: Int16Array; startMs: number; isOnlyCut: boolean }
  /** what a speaker model made of the stretches that were cut last */
  | { ask: 'vectors'; vectors: Float32Array[] }
  | { ask: 'tell'; kind: VoiceKind; count: SpeakerCount }
export type VoiceTell = { stretches: { startMs: number; endMs: number }[] } | { voices: VoicedStretch[] }

const all: Stretch[] = []
let cut: { startMs: number; endMs: number }[] = []

function answer(asked: VoiceAsk): VoiceTell {
  if (asked.ask === 'tell') return { voices: tellVoices(all, asked.kind, asked.count) }
  if (asked.ask === 'vectors') {
    for (const [index, stretch] of cut.entries()) {
      const vector = asked.vectors[index]
      if (vector !== undefined) all.push({ ...stretch, vector })
    }
    return { stretches: [] }
  }
  if (asked.isOnlyCut) {
    cut = cutStretches(asked.pcm).map(({ start, end }) => ({
      startMs: asked.startMs + start * 10,
      endMs: asked.startMs + end * 10,
    }))
    return { stretches: cut }
  }
  all.push(...voiceStretches(asked.pcm, asked.startMs))
  return { stretches: [] }
}

parentPort?.on('message', (asked: VoiceAsk) => parentPort?.postMessage(answer(asked)))
