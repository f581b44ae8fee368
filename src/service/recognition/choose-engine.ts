import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Recognition } from '../../contract/account/account.ts'
import type { Config } from '../platform/config.ts'
import { findScratchDir } from '../platform/data-directory.ts'
import type { Chosen, Engine } from './engine.ts'
import { HttpEngine } from './engines/http.ts'
import { PocketsphinxEngine } from './engines/pocketsphinx.ts'
import { hasSherpaAddon, SherpaEngine } from './engines/sherpa.ts'
import { explainChoice } from './explain-choice.ts'
import { explainSilence, readMeasurement } from './measure/stored-measurement.ts'
import { ModelFolder } from './models/model-folder.ts'
import { ModelSupply, type SuppliedModel } from './models/model-supply.ts'

type Parts = { supply?: ModelSupply; pocketsphinx?: Engine; hasAddon?: () => boolean }

/** From here on somebody who reads a transcript stumbles in each sentence. */
const lowFromPercent = 15

const remedies =
  'No speech recognizer is available. Install one where the service runs (apt-get install pocketsphinx pocketsphinx-en-us), ' +
  'fetch a model (npm run parley -- model fetch), or set a server in RECOGNIZER_URL.'

/** The engines of this process; picks the one for the next recording, by `RECOGNIZER` (docs/recognition.md). */
export class EngineChoice {
  /** concurrency limit: sections recognized at once */
  readonly parallel: number
  readonly #config: Config
  readonly #log: Logger
  readonly #supply: ModelSupply
  readonly #pocketsphinx: Engine
  readonly #http: Engine | null
  readonly #hasAddon: () => boolean
  #sherpa: { engine: SherpaEngine; key: string } | null = null
  #last = ''

  constructor(config: Config, log: Logger, parts: Parts) {
    this.#config = config
    this.parallel = config.workerParallel
    this.#log = log
    this.#supply = parts.supply ?? new ModelSupply(config, new ModelFolder(join(config.dataDir, 'models')), log)
    this.#hasAddon = parts.hasAddon ?? hasSherpaAddon
    const { recognizer, recognizerUrl: url, recognizerKey: key, recognizerModel: model, modelDir } = config
    this.#http = url === null ? null : new HttpEngine({ url, key, model })
    this.#pocketsphinx =
      parts.pocketsphinx ??
      new PocketsphinxEngine({
        modelDir: recognizer === 'pocketsphinx' ? modelDir : null,
        accurate: model === 'accurate',
        directory: findScratchDir(config),
      })
  }

  /** Checks again at each call: a model or a package may have been installed since. */
  async choose(): Promise<Chosen> {
    const chosen = await this.#byConfig(() => this.#supply.supply())
    const words = chosen.engine === null ? chosen.reason : `${chosen.name}. ${chosen.note ?? ''}`
    if (words !== this.#last) this.#log.info({ recognizer: words }, 'recognizer')
    this.#last = words
    return chosen
  }

  /** What `choose` would return now, for customers, without starting a download. */
  async describe(): Promise<Recognition> {
    const model_download = this.#supply.download
    const chosen = await this.#byConfig(() => this.#supply.present())
    // Orders wait for a model being downloaded, even if another engine could recognize them now.
    const waits = model_download !== null && (chosen.engine === null || chosen.worth.engine === 'pocketsphinx')
    if (waits || chosen.engine === null) {
      const reason = chosen.engine === null && !waits ? chosen.reason : null
      const worth = { language: null, quality: 'unknown', measured: null } as const
      return { engine: null, reason, ...worth, model_download: waits ? model_download : null }
    }
    return { ...chosen.worth, ...this.#measured(chosen.name), reason: null, model_download: null }
  }

  /** Which engine would hear the next order, and why, in words. Downloads nothing. */
  async explain(): Promise<{ chosen: Chosen; says: string }> {
    const chosen = await this.#byConfig(() => this.#supply.present())
    const hasAddon = this.#hasAddon()
    const hasModel = hasAddon && (await this.#supply.present()).state === 'ready'
    return { chosen, says: explainChoice(this.#config, chosen, { hasAddon, hasModel, model: this.#supply.pinned }) }
  }

  /** What is known of an engine's worth. The order page speaks from it, never from a constant. */
  #measured(engineName: string): Pick<Recognition, 'quality' | 'measured'> {
    const found = readMeasurement(this.#config, engineName)
    if (found === null || explainSilence(found) !== null) return { quality: 'unknown', measured: null }
    const { wrong_percent, words, measured_at, recordings } = found
    const quality = wrong_percent >= lowFromPercent ? 'low' : 'good'
    return { quality, measured: { wrong_percent, words, measured_at, recordings } }
  }

  async close(): Promise<void> {
    await Promise.all([
      this.#supply.close(),
      this.#sherpa?.engine.close(),
      this.#pocketsphinx.close(),
      this.#http?.close(),
    ])
  }

  /** @param supply finds the installed model, and may start its download */
  #byConfig(supply: () => Promise<SuppliedModel>): Promise<Chosen> {
    switch (this.#config.recognizer) {
      case 'http':
        return this.#http === null
          ? Promise.resolve({ engine: null, reason: 'RECOGNIZER is http, but RECOGNIZER_URL is not set.' })
          : asChosen(this.#http)
      case 'sherpa':
        return this.#bySherpa(supply)
      case 'pocketsphinx':
        return asChosen(this.#pocketsphinx)
      default:
        return this.#automatically(supply)
    }
  }

  async #bySherpa(supply: () => Promise<SuppliedModel>): Promise<Chosen> {
    if (!this.#hasAddon()) {
      return { engine: null, reason: 'RECOGNIZER is sherpa, but sherpa-onnx-node is not installed for this platform.' }
    }
    const supplied = await supply()
    return supplied.state === 'ready' ? this.#loaded(supplied) : { engine: null, reason: supplied.reason }
  }

  /** Picks the first available: a server, a model folder, an installed model, a download, pocketsphinx. */
  async #automatically(supply: () => Promise<SuppliedModel>): Promise<Chosen> {
    if (this.#http !== null) return asChosen(this.#http)
    const pocketsphinx = await asChosen(this.#pocketsphinx)
    if (!this.#hasAddon()) return pocketsphinx.engine === null ? { engine: null, reason: remedies } : pocketsphinx
    const supplied = await supply()
    if (supplied.state === 'ready') {
      const sherpa = await this.#loaded(supplied)
      return sherpa.engine === null && pocketsphinx.engine !== null ? pocketsphinx : sherpa
    }
    const isOnItsWay = supplied.state === 'coming' && (supplied.bytes > 0 || pocketsphinx.engine === null)
    if (isOnItsWay) return { engine: null, reason: supplied.reason }
    return pocketsphinx.engine === null ? { engine: null, reason: `${remedies} ${supplied.reason}` } : pocketsphinx
  }

  /** Returns a model's engine, reused as long as its files are unchanged. */
  async #loaded({ name, files }: SuppliedModel & { state: 'ready' }): Promise<Chosen> {
    const key = JSON.stringify(files)
    if (this.#sherpa?.key !== key) {
      await this.#sherpa?.engine.close()
      this.#sherpa = { engine: new SherpaEngine(name, files), key }
    }
    return asChosen(this.#sherpa.engine)
  }
}

async function asChosen(engine: Engine): Promise<Chosen> {
  const state = await engine.state()
  if (!state.ready) return { engine: null, reason: state.reason }
  const { name, note, worth } = state
  return { engine, name, note, worth }
}

export function createEngineChoice(config: Config, log: Logger, parts: Parts = {}): EngineChoice {
  return new EngineChoice(config, log, parts)
}
