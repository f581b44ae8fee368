import type { Recognition } from '../../contract/account/recognition.ts'
import type { FrameRun } from './pieces/speech-frames.ts'

/** A recognised word; times in seconds from the start of the piece. */
export type HeardWord = {
  text: string
  start: number
  end: number
  /** 0 to 1; 1 is highest */
  confidence: number
  /** true if the engine gave no word times and they were spread over the segment */
  estimated?: boolean
}

/**
 * Up to 30 s of sound between two silences: 16 kHz mono signed 16-bit little-endian samples; no samples where it is a
 * long silence. `resumeMs`: where the search for the next piece begins.
 */
export type Piece = { position: number; startMs: number; endMs: number; resumeMs: number; pcm: Int16Array }

export type EngineState =
  | {
      ready: true
      name: string
      /** shown in the log and by `doctor`, such as "low quality" of the offline engine */
      note: string | null
      /** shown to customers before they pay */
      worth: Pick<Recognition, 'language' | 'quality'> & { engine: NonNullable<Recognition['engine']> }
    }
  | { ready: false /** for `delay_reason`: what is missing and what to install */; reason: string }

/**
 * Turns pieces of a recording into words. One engine serves the whole process; `recognise` may be called for several
 * pieces at once, up to `parallel`.
 */
export interface Engine {
  readonly parallel: number
  /** longest piece it should be given: a slow engine gets short ones, so that progress moves */
  readonly maxPieceMs: number
  /** Checks again at each call: a model or a package may have been installed since. */
  state(): Promise<EngineState>
  /**
   * Words of one piece, in order, times relative to the piece.
   * @param hints words and names that may be said in it, the most important first; engines that take none ignore them
   * @throws EngineError if the engine failed; AbortError when `signal` is aborted
   */
  recognise(piece: Piece, signal: AbortSignal, hints?: readonly string[]): Promise<HeardWord[]>
  /** Runs of speech in frames of 10 ms, by a better detector than energy; null or absent: there is none. */
  detectSpeech?(pcm: Int16Array, signal: AbortSignal): Promise<FrameRun[] | null>
  /** Embedding of a voice: near for the same voice, far for others (cosine); null or absent: not available. */
  embedVoice?(pcm: Int16Array, signal: AbortSignal): Promise<Float32Array | null>
  close(): Promise<void>
}

/** The engine failed at a piece. `retryable`: the same piece may succeed later (a server that did not answer). */
export class EngineError extends Error {
  override readonly name: string = 'EngineError'
  readonly retryable: boolean
  constructor(message: string, retryable: boolean, options?: ErrorOptions) {
    super(message, options)
    this.retryable = retryable
  }
}

/** The engine is not available, whatever the recording (a server that is down): the order waits, however long. */
export class EngineAwayError extends EngineError {
  override readonly name = 'EngineAwayError'
  constructor(message: string, options?: ErrorOptions) {
    super(message, true, options)
  }
}
