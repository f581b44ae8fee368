import type { Recognition } from '../../contract/account/account.ts'
import type { FrameRun } from './pieces/speech-frames.ts'

/**
 * A recognized word as an engine returns it, which nobody has checked yet; times in seconds from the start of the
 * piece, not of the recording as in `StoredWord`.
 */
export type HeardWord = {
  text: string
  start: number
  end: number
  /** 0 to 1; 1 is highest */
  confidence: number
  /** true if the engine gave no word times, so they were interpolated over the segment */
  estimated?: boolean
}

/**
 * Up to 30 s of audio between two silences: 16 kHz mono signed 16-bit little-endian samples; empty for a long silence.
 * `resumeMs`: where the search for the next piece begins.
 */
export type Piece = { position: number; startMs: number; endMs: number; resumeMs: number; pcm: Int16Array }

export type EngineState =
  | {
      ready: true
      name: string
      /** shown in the log */
      note: string | null
      /** shown to customers before they pay */
      worth: Pick<Recognition, 'language'> & { engine: NonNullable<Recognition['engine']> }
    }
  | { ready: false /** for `delay_reason`: what is missing and what to install */; reason: string }

/**
 * Speech-to-text backend: turns pieces of a recording into words. One engine serves the whole process; `recognize` may
 * be called concurrently, up to `parallel` times.
 */
export interface Engine {
  readonly parallel: number
  /** longest piece to pass in: slow engines get short ones, so that progress advances */
  readonly maxPieceMs: number
  /** Checks again at each call: a model or a package may have been installed since. */
  state(): Promise<EngineState>
  /**
   * Recognizes one piece.
   * @returns its words in order, times relative to the piece
   * @param hints expected words and names, the most important first; ignored by engines without support
   * @throws EngineError if the engine failed; AbortError when `signal` is aborted
   */
  recognize(piece: Piece, signal: AbortSignal, hints?: readonly string[]): Promise<HeardWord[]>
  /** Voice activity detection better than energy: runs of speech in 10 ms frames; null or absent if unavailable. */
  detectSpeech?(pcm: Int16Array, signal: AbortSignal): Promise<FrameRun[] | null>
  /** Speaker embedding: close for the same voice, distant for others (cosine); null or absent if unavailable. */
  embedVoice?(pcm: Int16Array, signal: AbortSignal): Promise<Float32Array | null>
  close(): Promise<void>
}

/** The engine of the next recording, or why there is none. */
export type Chosen =
  | (Omit<EngineState & { ready: true }, 'ready'> & { engine: Engine })
  | { engine: null; reason: string }

/** The engine failed on a piece. `retryable`: the same piece may succeed later (e.g. a server that did not respond). */
export class EngineError extends Error {
  override readonly name: string = 'EngineError'
  readonly retryable: boolean
  constructor(message: string, retryable: boolean, options?: ErrorOptions) {
    super(message, options)
    this.retryable = retryable
  }
}

/** The engine is unavailable for any recording (e.g. its server is down): the order waits indefinitely. */
export class EngineAwayError extends EngineError {
  override readonly name = 'EngineAwayError'
  constructor(message: string, options?: ErrorOptions) {
    super(message, true, options)
  }
}
