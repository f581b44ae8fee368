import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { addAbortListener } from 'node:events'
import { join } from 'node:path'
import { EngineError } from '../engine.ts'
import type { SherpaModel, SherpaReply, SherpaRequest } from './sherpa-protocol.ts'

const child = join(import.meta.dirname, 'sherpa-child.ts')
/** Startup timeout: loading 650 MB from a slow disk. */
const startPatienceMs = 120_000
const patienceStartMs = 30_000
const patienceFactor = 20

type Waiting = { resolve: (reply: SherpaReply) => void; reject: (error: Error) => void }

/** The native recognizer in a child process, one request at a time. If it dies, only that request fails. */
export class SherpaProcess {
  readonly #child: ChildProcess
  #waiting: Waiting | null = null
  alive = true

  /**
   * Starts the process and loads the model.
   * @throws EngineError if it cannot be loaded (a bad model crashes the process), or on `signal`
   */
  static async start(model: SherpaModel, signal: AbortSignal): Promise<SherpaProcess> {
    const started = new SherpaProcess(model)
    using _ = addAbortListener(signal, () => started.kill())
    await started.#answer(startPatienceMs)
    return started
  }

  private constructor(model: SherpaModel) {
    this.#child = fork(child, [JSON.stringify(model)], {
      serialization: 'advanced',
      // JavaScript needs memory for one piece only; without a limit its garbage grows to several times the model.
      execArgv: ['--max-semi-space-size=1', '--max-old-space-size=64'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child.on('message', (reply) => {
      const waiting = this.#waiting
      this.#waiting = null
      waiting?.resolve(reply as SherpaReply)
    })
    this.#child.once('error', (error) => this.#end(error.message))
    this.#child.once('close', (code, signal) => this.#end(`it ended with ${signal ?? code}`))
  }

  /** @throws EngineError if the process dies or times out, or the addon rejects the request */
  async ask(request: SherpaRequest): Promise<SherpaReply> {
    const seconds = request.pcm.length / 16_000
    const answer = this.#answer(patienceStartMs + seconds * 1_000 * patienceFactor)
    if (this.alive) this.#child.send(request, () => {}) // a broken channel is reported by 'close'
    const reply = await answer
    if (reply.kind === 'failed') throw new EngineError(`sherpa failed: ${reply.message}`, false)
    return reply
  }

  kill(): void {
    this.alive = false
    this.#child.kill('SIGKILL')
  }

  async #answer(patienceMs: number): Promise<SherpaReply> {
    using _ = setTimeout(() => this.kill(), patienceMs)
    return await new Promise((resolve, reject) => {
      if (this.alive) this.#waiting = { resolve, reject }
      else reject(new EngineError('The recognizer process has ended.', true))
    })
  }

  #end(message: string): void {
    this.alive = false
    this.#waiting?.reject(new EngineError(`The recognizer process failed: ${message}.`, true))
    this.#waiting = null
  }
}
