import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import type { Engine, EngineState, HeardWord, Piece } from '../engine.ts'
import { EngineAwayError } from '../engine.ts'
import type { FrameRun } from '../pieces/speech-frames.ts'
import { joinTokens } from './join-tokens.ts'
import { Pool } from './pool.ts'
import { SherpaProcess } from './sherpa-process.ts'
import type { SherpaModel, SherpaReply, SherpaRequest } from './sherpa-protocol.ts'

/** True if the native addon is installed for this platform (it is an optional dependency). */
export function hasSherpaAddon(): boolean {
  try {
    createRequire(import.meta.url).resolve('sherpa-onnx-node')
    return true
  } catch {
    return false
  }
}

/** Fewer samples contain no word, and are too few for the addon's feature extraction. */
const fewestSamples = 1_600

/**
 * sherpa-onnx with a NeMo transducer (Parakeet TDT-CTC): case, punctuation, token times and probabilities. One process
 * loads the model and uses all cores; concurrent recordings take turns.
 */
export class SherpaEngine implements Engine {
  readonly parallel = 1
  readonly maxPieceMs = 30_000
  readonly #pool: Pool<SherpaProcess>
  readonly #name: string
  readonly #model: Omit<SherpaModel, 'threads'>
  readonly #tryAgainAfterMs: number
  /** why and when loading the model failed */
  #broken: { reason: string; at: number } | null = null

  /** @param tryAgainAfterMs pause before loading a failed model again */
  constructor(name: string, model: Omit<SherpaModel, 'threads'>, tryAgainAfterMs = 60_000) {
    this.#tryAgainAfterMs = tryAgainAfterMs
    this.#name = name
    this.#model = model
    const threads = Math.max(1, Math.min(4, availableParallelism()))
    this.#pool = new Pool(1, (signal) => this.#start({ ...model, threads }, signal))
  }

  async state(): Promise<EngineState> {
    // The files may have been replaced under the same names.
    if (this.#broken === null || performance.now() - this.#broken.at > this.#tryAgainAfterMs) {
      const worth = { engine: 'sherpa', language: 'en' } as const
      return { ready: true, name: this.#name, note: null, worth }
    }
    return { ready: false, reason: this.#broken.reason }
  }

  async recognize(piece: Piece, signal: AbortSignal): Promise<HeardWord[]> {
    if (piece.pcm.length < fewestSamples) return []
    const reply = await this.#ask({ kind: 'words', pcm: piece.pcm }, signal)
    return reply.kind === 'words' ? joinTokens(reply.result) : []
  }

  /** Voice activity by Silero VAD; null if its model is not installed. */
  async detectSpeech(pcm: Int16Array, signal: AbortSignal): Promise<FrameRun[] | null> {
    if (this.#model.vad === null) return null
    const reply = await this.#ask({ kind: 'speech', pcm }, signal)
    return reply.kind === 'speech' ? reply.runs : null
  }

  /** Speaker embedding; null if no speaker model is installed. */
  async embedVoice(pcm: Int16Array, signal: AbortSignal): Promise<Float32Array | null> {
    if (this.#model.speaker === null) return null
    const reply = await this.#ask({ kind: 'voice', pcm }, signal)
    return reply.kind === 'voice' ? reply.embedding : null
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  /** An abort kills the process; reloading the model takes a second. */
  #ask(request: SherpaRequest, signal: AbortSignal): Promise<SherpaReply> {
    return this.#pool.use(signal, (process) => process.ask(request))
  }

  async #start(model: SherpaModel, signal: AbortSignal): Promise<SherpaProcess> {
    try {
      const process = await SherpaProcess.start(model, signal)
      this.#broken = null
      return process
    } catch (error) {
      signal.throwIfAborted()
      const reason =
        'The speech model cannot be loaded; it may be damaged. Check it with "npm run parley -- model verify" and download it again.'
      this.#broken = { reason, at: performance.now() }
      throw new EngineAwayError(reason, { cause: error })
    }
  }
}
