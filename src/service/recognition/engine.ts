import type { Recognition } from '../../contract/account-recognition.ts'
import type { FrameRun } from './pieces/speech-frames.ts'

/** A word as an engine hears it; times in seconds from the start of the piece. */
export type HeardWord = {
  text: string
  start: number
  end: number
  /** 0 to 1; 1 is highest */
  confidence: number
  /** true where the engine gave no word times and they were spread over the segment */
  estimated?: boolean
}

/**
 * Up to 30 s of sound between two silences: 16 kHz mono signed 16-bit little-endian samples; none where it is a long
 * silence. `resumeMs`: the next piece is found from here on.
 */
export type Piece = { position: number; startMs: number; endMs: number; resumeMs: number; pcm: Int16Array }

export type EngineState =
  | {
      ready: true
      name: string
      /** said in the log and by `doctor`, as "low quality" of the offline engine */
      note: string | null
      /** said to customers before they pay */
      worth: Pick<Recognition, 'language' | 'quality'> & { engine: NonNullable<Recognition['engine']> }
    }
  | { ready: false /** what stands in `delay_reason`: what is missing and what to install */; reason: string }

/**
 * Turns pieces of a recording into words. One engine serves the whole process; `recognise` may be called for several
 * recordings at once, up to `parallel`.
 */
export interface Engine {
  readonly parallel: number
  /** the longest piece it should be given: a slow engine gets short ones, so that progress moves */
  readonly maxPieceMs: number
  /** Looks again each time it is asked: a model or a package may have come meanwhile. */
  state(): Promise<EngineState>
  /**
   * Words of one piece, in order, times relative to the piece.
   * @throws EngineError where the engine failed; AbortError when `signal` says stop
   */
  recognise(piece: Piece, signal: AbortSignal): Promise<HeardWord[]>
  /** Runs of speech in frames of 10 ms, by a detector better than energy; null or absent: there is none. */
  detectSpeech?(pcm: Int16Array, signal: AbortSignal): Promise<FrameRun[] | null>
  /** A voice as a vector that is near to itself and far from others (cosine); null or absent: there is none. */
  embedVoice?(pcm: Int16Array, signal: AbortSignal): Promise<Float32Array | null>
  close(): Promise<void>
}

/** The engine failed at a piece. `retryable`: the same piece may go through later (a server that did not answer). */
export class EngineError extends Error {
  override readonly name: string = 'EngineError'
  readonly retryable: boolean
  constructor(message: string, retryable: boolean, options?: ErrorOptions) {
    super(message, options)
    this.retryable = retryable
  }
}

/** The engine is out of reach through no fault of the recording (a server that is down): the order waits, however long. */
export class EngineAwayError extends EngineError {
  override readonly name = 'EngineAwayError'
  constructor(message: string, options?: ErrorOptions) {
    super(message, true, options)
  }
}
