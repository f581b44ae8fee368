import type { FrameRun } from '../pieces/speech-frames.ts'

/** The files of a transducer that sherpa-onnx loads as `nemo_transducer`, and of what helps it. Absolute paths. */
export type SherpaModel = {
  encoder: string
  decoder: string
  joiner: string
  tokens: string
  /** Silero VAD; null: the energy detector stays in charge */
  vad: string | null
  /** a speaker embedding model; null: voices are told apart by cepstra and pitch */
  speaker: string | null
  threads: number
}

/** What the addon gives of one piece: a token each entry, times in seconds from the start. */
export type SherpaResult = {
  tokens: readonly string[]
  timestamps: readonly number[]
  durations?: readonly number[]
  ys_log_probs?: readonly number[]
}

/** To the child: one of these at a time, 16 kHz mono. */
export type SherpaRequest =
  | { kind: 'words'; pcm: Int16Array }
  | { kind: 'speech'; pcm: Int16Array }
  | { kind: 'voice'; pcm: Int16Array }

/** From the child: `ready` once, then an answer to each ask. */
export type SherpaReply =
  | { kind: 'ready' }
  | { kind: 'words'; result: SherpaResult }
  | { kind: 'speech'; runs: FrameRun[] }
  | { kind: 'voice'; embedding: Float32Array }
  | { kind: 'failed'; message: string }
