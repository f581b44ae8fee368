import { spawn } from 'node:child_process'
import { access } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine, EngineState, HeardWord, Piece } from '../engine.ts'
import { EngineError } from '../engine.ts'
import { Pool } from './pool.ts'
import { SphinxProcess } from './sphinx-process.ts'

/** English model directories of Debian, a build from source and Homebrew. */
const wellKnownModelDirs = [
  '/usr/share/pocketsphinx/model/en-us',
  '/usr/local/share/pocketsphinx/model/en-us',
  '/opt/homebrew/share/pocketsphinx/model/en-us',
]

/**
 * Language model weight, below the default of 6.5, so that the audio counts for more: 22.5 instead of 25.8 % word error
 * rate on the shared clips, none of them worse, for a third more time.
 */
const languageWeight = ['-lw', '5']
/** Wider search beams, slower by half. No gain on the shared clips with the language weight above. */
const wideBeams = ['-beam', '1e-60', '-pbeam', '1e-60', '-wbeam', '1e-40', '-lpbeam', '1e-50', '-maxhmmpf', '60000']

/** Timeout: this multiple of the audio length, plus startup. */
const patienceFactor = 20
const patienceStartMs = 60_000

type Options = {
  /** another directory for the model, searched first */
  modelDir: string | null
  accurate: boolean
  /** for the audio of pieces; defaults to the system's temporary directory */
  directory?: string
  command?: string
  modelDirs?: readonly string[]
}

async function findModel(dirs: readonly string[]): Promise<string | null> {
  for (const dir of dirs) {
    const parts = ['en-us/mdef', 'en-us.lm.bin', 'cmudict-en-us.dict'].map((part) => access(join(dir, part)))
    if ((await Promise.allSettled(parts)).every(({ status }) => status === 'fulfilled')) return dir
  }
  return null
}

/** True if the command can be started; without arguments it prints its usage and exits. */
function canStart(command: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, { stdio: 'ignore' })
    child.once('error', () => resolve(false))
    child.once('close', () => resolve(true))
  })
}

/**
 * Debian's pocketsphinx with its English model: works offline, but far less accurate than a neural recognizer
 * (docs/recognition.md). English only; no case, no punctuation.
 */
export class PocketsphinxEngine implements Engine {
  readonly parallel = availableParallelism()
  /** about 5 s of work */
  readonly maxPieceMs = 20_000
  readonly #options: Options
  readonly #pool: Pool<SphinxProcess>
  #model: string | null = null

  constructor(options: Options) {
    this.#options = options
    this.#pool = new Pool(this.parallel, () => this.#start())
  }

  async state(): Promise<EngineState> {
    this.#model ??= await this.#find()
    if (this.#model !== null) {
      return {
        ready: true,
        name: 'pocketsphinx',
        note: 'Offline recognizer, English only; of real talk it gets about one word in four wrong.',
        worth: { engine: 'pocketsphinx', language: 'en' },
      }
    }
    return {
      ready: false,
      reason: 'pocketsphinx is not installed: apt-get install pocketsphinx pocketsphinx-en-us.',
    }
  }

  async recognize(piece: Piece, signal: AbortSignal): Promise<HeardWord[]> {
    return this.#pool.use(signal, async (process) => {
      const patienceMs = patienceStartMs + patienceFactor * (piece.endMs - piece.startMs)
      using _ = setTimeout(() => process.kill(), patienceMs).unref()
      return await process.recognize(piece.pcm)
    })
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }

  async #find(): Promise<string | null> {
    const { modelDir, modelDirs = wellKnownModelDirs, command = 'pocketsphinx_batch' } = this.#options
    const model = await findModel(modelDir === null ? modelDirs : [modelDir, ...modelDirs])
    return model !== null && (await canStart(command)) ? model : null
  }

  async #start(): Promise<SphinxProcess> {
    const model = this.#model ?? (await this.#find())
    if (model === null) throw new EngineError('pocketsphinx is not installed.', true)
    this.#model = model
    const files = ['-hmm', join(model, 'en-us'), '-lm', join(model, 'en-us.lm.bin')]
    const dictionary = ['-dict', join(model, 'cmudict-en-us.dict')]
    const beams = this.#options.accurate ? wideBeams : []
    return SphinxProcess.start({
      command: this.#options.command ?? 'pocketsphinx_batch',
      arguments: [...files, ...dictionary, ...languageWeight, ...beams],
      directory: this.#options.directory ?? tmpdir(),
    })
  }
}
