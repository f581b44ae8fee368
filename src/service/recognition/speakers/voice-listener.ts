import { addAbortListener } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Engine, Piece } from '../engine.ts'
import type { SpeakerCount, VoicedStretch } from './diarise.ts'
import type { HeardVoices } from './packed-voices.ts'
import type { Stretch } from './stretches.ts'
import type { PackedPiece, VoiceMessage, VoiceReply, VoiceRequest } from './voice-worker.ts'

const samplesPerMs = 16

/**
 * Collects the voices of a recording piece by piece, in a worker thread: by the engine's speaker model if it has one,
 * else by cepstra and pitch. Close it at the end.
 */
export class VoiceListener {
  readonly #worker = new Worker(join(import.meta.dirname, 'voice-worker.ts'), {
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  })
  readonly #engine: Pick<Engine, 'embedVoice'>
  readonly #asked = new Map<number, { resolve: (reply: VoiceReply) => void; reject: (reason: unknown) => void }>()
  #lastId = 0

  constructor(engine: Pick<Engine, 'embedVoice'>) {
    this.#engine = engine
    this.#worker.unref()
    this.#worker.on('message', ({ id, reply }: { id: number; reply: VoiceReply }) => {
      this.#asked.get(id)?.resolve(reply)
    })
    this.#worker.on('error', (error) => this.#fail(error))
    this.#worker.on('exit', () => this.#fail(new DOMException('The voice thread has ended.', 'AbortError')))
  }

  /** Analyzes the voices of a piece. May be called concurrently. */
  async listen({ pcm, startMs }: Piece, signal: AbortSignal): Promise<HeardVoices> {
    const { embedVoice } = this.#engine
    if (embedVoice === undefined) return this.#byCepstra(pcm, startMs, signal)
    const stretches = (await this.#ask({ kind: 'cut', pcm, startMs }, signal)) as Stretch[]
    for (const stretch of stretches) {
      const part = pcm.slice((stretch.startMs - startMs) * samplesPerMs, (stretch.endMs - startMs) * samplesPerMs)
      const vector = await embedVoice.call(this.#engine, part, signal)
      if (vector === null) return this.#byCepstra(pcm, startMs, signal)
      stretch.vector = vector
    }
    return { kind: 'embedding', stretches }
  }

  /** Diarizes a whole recording, in order of time, from the packed voices of its pieces. */
  async diarise(pieces: PackedPiece[], count: SpeakerCount, signal: AbortSignal): Promise<VoicedStretch[]> {
    return (await this.#ask({ kind: 'diarise', pieces, count }, signal)) as VoicedStretch[]
  }

  /**
   * Lets the thread exit after its current task, without waiting: Node has been seen to crash if threads are terminated
   * while others start (nodejs/node#56312).
   */
  close(): void {
    this.#send('end')
  }

  async #byCepstra(pcm: Int16Array, startMs: number, signal: AbortSignal): Promise<HeardVoices> {
    return { kind: 'cepstra', stretches: (await this.#ask({ kind: 'listen', pcm, startMs }, signal)) as Stretch[] }
  }

  async #ask(asked: VoiceRequest, signal: AbortSignal): Promise<VoiceReply> {
    signal.throwIfAborted()
    this.#lastId += 1
    const id = this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<VoiceReply>()
    using _ = addAbortListener(signal, () => reject(signal.reason))
    this.#asked.set(id, { resolve, reject })
    this.#send({ id, asked })
    try {
      return await promise
    } finally {
      this.#asked.delete(id)
    }
  }

  #send(message: VoiceMessage): void {
    this.#worker.postMessage(message)
  }

  #fail(reason: unknown): void {
    for (const { reject } of this.#asked.values()) reject(reason)
  }
}
