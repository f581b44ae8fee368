import type { FrameRun } from '../pieces/speech-frames.ts'

/** Absolute paths of a transducer that sherpa-onnx loads as `nemo_transducer`, and of its auxiliary models. */
export type SherpaModel = {
  encoder: string
  decoder: string
  joiner: string
  tokens: string
  /** Silero VAD; if null, the energy detector is used */
  vad: string | null
  /** speaker embedding model; if null, voices are compared by cepstra and pitch */
  speaker: string | null
  threads: number
}

/** The addon's result for one piece: one entry per token, times in seconds from the start. */
export type SherpaResult = {
  tokens: readonly string[]
  timestamps: readonly number[]
  durations?: readonly number[]
  ys_log_probs?: readonly number[]
}

/** To the child: one request at a time, 16 kHz mono. */
export type SherpaRequest =
  | { kind: 'words'; pcm: Int16Array }
  | { kind: 'speech'; pcm: Int16Array }
  | { kind: 'voice'; pcm: Int16Array }

/** From the child: `ready` once, then one reply per request. */
export type SherpaReply =
  | { kind: 'ready' }
  | { kind: 'words'; result: SherpaResult }
  | { kind: 'speech'; runs: FrameRun[] }
  | { kind: 'voice'; embedding: Float32Array }
  | { kind: 'failed'; message: string }
