import { execFileSync } from 'node:child_process'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { speechClips } from '../../../src/service/recognition/testing/speech-clips.ts'
import { askApi } from '../../../src/service/testing/ask-api.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import type { Bench } from './measurement.ts'
import { watchMemory } from './process-memory.ts'
import { unlessShort } from './short.ts'

const kills = unlessShort(5, 1)

/** Loops the shared clips into one FLAC of `hours` hours. */
async function makeLoop(directory: string, hours: number): Promise<string> {
  const wavs: string[] = []
  for (const [index, clip] of speechClips().entries()) {
    const path = join(directory, `${index}.wav`)
    execFileSync('ffmpeg', ['-v', 'error', '-i', clip.path, '-ac', '1', '-ar', '16000', path])
    wavs.push(path)
  }
  const seconds = speechClips().reduce((sum, clip) => sum + clip.seconds, 0)
  const rounds = Math.ceil((hours * 3_600) / seconds)
  const list = join(directory, 'list.txt')
  await writeFile(
    list,
    wavs
      .map((path) => `file '${path}'\n`)
      .join('')
      .repeat(rounds),
  )
  const loop = join(directory, 'loop.flac')
  const length = ['-t', String(hours * 3_600)]
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'concat', '-safe', '0', '-i', list, ...length, loop])
  return loop
}

type Seen = { percent: number; reason: string | null }

/** A monitored order: polls its progress, and records the bench's figures. */
class Watched {
  percent = 0
  firstMs = Number.NaN
  /** longest times without progress: of the running service, and from a restart to the first progress after it */
  readonly longestStillMs = { running: 0, afterRestart: 0 }
  #kind: 'running' | 'afterRestart' = 'running'
  readonly #begun = performance.now()
  #movedAt = performance.now()
  readonly #look: () => Promise<Seen>

  constructor(look: () => Promise<Seen>) {
    this.#look = look
  }

  get seconds(): number {
    return (performance.now() - this.#begun) / 1_000
  }

  /** @throws with the reason if the order is delayed */
  async look(): Promise<void> {
    const { percent, reason } = await this.#look()
    if (reason !== null) throw new Error(reason)
    if (percent === this.percent) return
    const now = performance.now()
    if (this.percent === 0) this.firstMs = now - this.#begun
    else this.longestStillMs[this.#kind] = Math.max(this.longestStillMs[this.#kind], now - this.#movedAt)
    this.#kind = 'running'
    this.#movedAt = now
    this.percent = percent
  }

  restarted(): void {
    this.#kind = 'afterRestart'
    this.#movedAt = performance.now()
  }
}

async function watch(service: ServiceProcess, key: string, loop: string) {
  const form = new FormData()
  form.append('file', await openAsBlob(loop, { type: 'audio/flac' }), 'loop.flac')
  const ordered = { method: 'POST', body: form }
  const answer = await askApi(service.url, key, 'files?transcript_type=automated', ordered)
  const { id } = (await answer.json()) as { id: string }
  return new Watched(async () => {
    const head = await askApi(service.url, key, `file/${id}`, { method: 'HEAD' })
    const metadata = JSON.parse(head.headers.get('x-service-metadata') ?? '{}')
    return { percent: metadata.progress_percent, reason: metadata.delay_reason }
  })
}

/**
 * `npm run bench -- recognition-long --hours 10 --recognizer sherpa --model DIR`: one long recording through the whole
 * service, killed five times on its way; by default 0.05 hours with pocketsphinx.
 */
export const benchRecognitionLong: Bench = async ({
  hours: given = unlessShort('0.05', '0.01'),
  recognizer = 'pocketsphinx',
  model,
}) => {
  const hours = Number(given)
  const directory = await mkdtemp(join(tmpdir(), 'parley-long-'))
  const environment = {
    RECOGNIZER: recognizer,
    OFFLINE: '1',
    LOG_LEVEL: 'error',
    ...(model ? { MODEL_DIR: model } : {}),
  }
  const service = await ServiceProcess.start(environment)
  let highest = 0
  let restarts = 0
  try {
    const loop = await makeLoop(directory, hours)
    const { key } = await service.createAccount('sandbox')
    const order = await watch(service, key, loop)
    let unwatch = watchMemory(service.pid)
    while (order.percent < 100) {
      await new Promise((resolve) => setTimeout(resolve, 250))
      await order.look()
      if (restarts === kills || order.percent < (100 * (restarts + 1)) / (kills + 1)) continue
      highest = Math.max(highest, unwatch())
      await service.kill()
      await service.boot()
      unwatch = watchMemory(service.pid)
      restarts += 1
      order.restarted()
      console.error(
        `${Math.round(order.seconds)} s: killed at ${order.percent} %, highest so far ${Math.round(highest)} MB`,
      )
    }
    highest = Math.max(highest, unwatch())
    return [
      {
        what: `${given} h of clips with ${recognizer}: wall time per second of sound, ${restarts} kills`,
        value: order.seconds / (hours * 3_600),
        unit: 's',
      },
      {
        what: 'service and all its processes, highest sum of memory (Pss)',
        value: highest,
        unit: 'MB',
        goal: { atMost: 500 },
      },
      { what: 'first progress after', value: order.firstMs / 1_000, unit: 's' },
      { what: 'longest without progress, running', value: order.longestStillMs.running / 1_000, unit: 's' },
      { what: 'longest from a restart to progress', value: order.longestStillMs.afterRestart / 1_000, unit: 's' },
      { what: 'kills survived', value: restarts, unit: '', goal: { atLeast: kills } },
      { what: 'recording', value: (await stat(loop)).size / 1e6, unit: 'MB' },
    ]
  } finally {
    await service.remove()
    await rm(directory, { recursive: true, force: true })
  }
}
