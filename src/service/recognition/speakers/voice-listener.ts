import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Engine, Piece } from '../engine.ts'
import type { SpeakerCount, VoicedStretch } from './tell-voices.ts'
import type { VoiceAsk, VoiceTell } from './voice-worker.ts'

const samplesPerMs = 16

/**
 * Listens to who speaks in a recording, piece by piece in a thread of its own: by the engine's speaker model where it has
 * one, else by cepstra and pitch. Close it at the end.
 */
export class VoiceListener {
  readonly #worker = new Worker(join(import.meta.dirname, 'voice-worker.ts'))
  readonly #engine: Engine
  /** null until the first stretch shows whether the engine has a speaker model */
  #isEmbedding: boolean | null

  constructor(engine: Engine) {
    this.#engine = engine
    this.#isEmbedding = engine.embedVoice === undefined ? false : null
    this.#worker.unref()
  }

  /** Hears a piece; in order, one at a time. */
  async add(piece: Piece, signal: AbortSignal): Promise<void> {
    const { pcm, startMs } = piece
    const told = await this.#ask({ ask: 'add', pcm, startMs, isOnlyCut: this.#isEmbedding !== false }, signal)
    if (!('stretches' in told) || this.#isEmbedding === false) return
    const vectors: Float32Array[] = []
    for (const stretch of told.stretches) {
      const part = pcm.slice((stretch.startMs - startMs) * samplesPerMs, (stretch.endMs - startMs) * samplesPerMs)
      const vector = (await this.#engine.embedVoice?.(part, signal)) ?? null
      if (vector === null) {
        this.#isEmbedding = false
        return this.add(piece, signal)
      }
      this.#isEmbedding = true
      vectors.push(vector)
    }
    await this.#ask({ ask: 'vectors', vectors }, signal)
  }

  /** The voices of all that was added, in order of time. */
  async tell(count: SpeakerCount, signal: AbortSignal): Promise<VoicedStretch[]> {
    const kind = this.#isEmbedding === true ? 'embedding' : 'cepstra'
    const told = await this.#ask({ ask: 'tell', kind, count }, signal)
    return 'voices' in told ? told.voices : []
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  async #ask(ask: VoiceAsk, signal: AbortSignal): Promise<VoiceTell> {
    const answer = once(this.#worker, 'message', { signal })
    this.#worker.postMessage(ask)
    return ((await answer) as [VoiceTell])[0]
  }
}
