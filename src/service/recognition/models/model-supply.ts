import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../../platform/config.ts'
import type { SherpaModel } from '../engines/sherpa-protocol.ts'
import { lockFetching } from './fetch-lock.ts'
import { FetchError, type FetchOptions, fetchModel } from './fetch-model.ts'
import { type ModelFolder, sha256Of } from './model-folder.ts'
import { type ModelId, modelBytes, type PinnedModel, pinnedModels } from './pins.ts'

/** Retry delay after a failed download; another engine is used in the meantime. */
const tryAgainAfterMs = 10 * 60_000
/** How long `supply` waits for the first byte, so that missing internet is detected at once. */
const firstByteMs = 3_000
const logEveryShare = 0.1

export type SuppliedModel =
  | { state: 'ready'; name: string; files: Omit<SherpaModel, 'threads'> }
  /** downloading; `reason` includes the progress, for `delay_reason` */
  | { state: 'coming'; reason: string; bytes: number }
  | { state: 'absent'; reason: string }

type Download = { bytes: number; totalBytes: number }

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000)
}

/** Finds a model for sherpa: in the operator's folder, already downloaded, or by a background download. */
export class ModelSupply {
  readonly #config: Pick<Config, 'modelDir' | 'modelUrl' | 'offline' | 'recognizerModel'>
  readonly #folder: ModelFolder
  readonly #log: Logger
  readonly #stop = new AbortController()
  readonly #retry: Pick<FetchOptions, 'retryWaitsMs' | 'silenceMs'>
  #download: Download | null = null
  #underWay: Promise<void> | null = null
  #begun: Promise<void> = Promise.resolve()
  #resolveBegun: () => void = () => {}
  #failed: { reason: string; at: number } | null = null

  constructor(
    config: Pick<Config, 'modelDir' | 'modelUrl' | 'offline' | 'recognizerModel'>,
    folder: ModelFolder,
    log: Logger,
    retry: Pick<FetchOptions, 'retryWaitsMs' | 'silenceMs'> = {},
  ) {
    this.#config = config
    this.#folder = folder
    this.#log = log
    this.#retry = retry
  }

  /** The configured recognition model: `accurate` is the large one. */
  get id(): ModelId {
    return this.#config.recognizerModel === 'accurate' ? 'parakeet-0.6b' : 'parakeet-110m'
  }

  /** The model that is downloaded if none is installed. */
  get pinned(): PinnedModel {
    return this.#folder.model(this.id)
  }

  /** The installed model, without starting a download. */
  async present(): Promise<SuppliedModel> {
    if (this.#config.modelDir !== null) {
      const files = await findInFolder(this.#config.modelDir)
      if (files !== null) return { state: 'ready', name: 'model of MODEL_DIR', files }
      return {
        state: 'absent',
        reason: 'The folder MODEL_DIR does not contain a complete model (encoder, decoder, joiner, tokens.txt).',
      }
    }
    const dir = await this.#folder.find(this.id)
    const model = this.#folder.model(this.id)
    if (dir === null)
      return { state: 'absent', reason: 'No speech model has been downloaded yet (npm run parley -- model fetch).' }
    const [encoder, decoder, joiner, tokens] = model.files.map((file) => this.#folder.path(this.id, file))
    if (encoder === undefined || decoder === undefined || joiner === undefined || tokens === undefined) {
      throw new Error(`The pins of ${this.id} are not those of a transducer.`)
    }
    const [vad, speaker] = await Promise.all([this.#only('silero-vad'), this.#only('titanet-small')])
    return { state: 'ready', name: this.id, files: { encoder, decoder, joiner, tokens, vad, speaker } }
  }

  /** The download in progress, if any, without starting one. */
  get download(): { bytes: number; total_bytes: number } | null {
    if (this.#underWay === null) return null
    const { bytes, totalBytes } = this.#download ?? { bytes: 0, totalBytes: modelBytes(this.#folder.model(this.id)) }
    return { bytes, total_bytes: totalBytes }
  }

  /** Like `present`, but starts a download if allowed and none is running. */
  async supply(): Promise<SuppliedModel> {
    const present = await this.present()
    if (present.state !== 'absent' || this.#config.modelDir !== null) return present
    if (this.#config.offline) return { state: 'absent', reason: `${present.reason} Downloads are disabled (OFFLINE).` }
    if (this.#failed !== null && Date.now() - this.#failed.at < tryAgainAfterMs) {
      return { state: 'absent', reason: this.#failed.reason }
    }
    if (this.#underWay === null) {
      this.#failed = null
      this.#begun = new Promise((resolve) => {
        this.#resolveBegun = resolve
      })
      this.#underWay = this.#fetch().finally(() => {
        this.#underWay = null
      })
    }
    await Promise.race([this.#underWay, this.#begun, delay(firstByteMs, undefined, { ref: false })])
    if (this.#failed !== null) return { state: 'absent', reason: this.#failed.reason }
    const { bytes, totalBytes } = this.#download ?? { bytes: 0, totalBytes: modelBytes(this.#folder.model(this.id)) }
    return {
      state: 'coming',
      bytes,
      reason: `The speech model is being downloaded: ${megabytes(bytes)} of ${megabytes(totalBytes)} MB.`,
    }
  }

  /** Aborts a download; the next one resumes it. */
  async close(): Promise<void> {
    this.#stop.abort(new DOMException('The service ends.', 'AbortError'))
    await this.#underWay
  }

  async #only(id: ModelId): Promise<string | null> {
    const [file] = this.#folder.model(id).files
    return (await this.#folder.find(id)) !== null && file !== undefined ? this.#folder.path(id, file) : null
  }

  async #fetch(): Promise<void> {
    const release = await lockFetching(this.#folder.root)
    if (release === null) return // another process is downloading: its files are found once complete
    try {
      for (const id of [this.id, 'silero-vad'] as const) await this.#fetchOne(id)
      this.#failed = null
      this.#log.info({ model: this.id }, 'the speech model has been downloaded')
    } catch (error) {
      if (this.#stop.signal.aborted) return
      const reason = error instanceof FetchError ? error.message : 'It could not be saved.'
      this.#failed = { reason: `The speech model is not installed. ${reason}`, at: Date.now() }
      this.#log.warn(
        { err: error, model: this.id },
        'the speech model could not be downloaded; it will be retried later',
      )
    } finally {
      this.#download = null
      await release()
    }
  }

  async #fetchOne(id: ModelId): Promise<void> {
    let logged = 0
    await fetchModel(this.#folder, id, {
      ...this.#retry,
      mirrors: this.#config.modelUrl,
      signal: this.#stop.signal,
      failFast: true,
      onProgress: (bytes, totalBytes) => {
        this.#download = { bytes, totalBytes }
        this.#resolveBegun()
        if (bytes / totalBytes < logged + logEveryShare) return
        logged = bytes / totalBytes
        this.#log.info({ model: id, percent: Math.floor(logged * 100) }, 'downloading a model')
      },
    })
  }
}

/** True if a file is empty, or has the name and size of a pinned file but different content. */
async function isDamaged(path: string, name: string): Promise<boolean> {
  const { size } = await stat(path)
  if (size === 0) return true
  const pinned = pinnedModels.flatMap(({ files }) => files).find((file) => file.name === name && file.bytes === size)
  return pinned !== undefined && (await sha256Of(path)) !== pinned.sha256
}

/**
 * Finds a transducer's parts in the operator's folder by name (`encoder….onnx`, int8 preferred), and VAD and speaker
 * models if present. Pinned files are checked by hash; damage to others surfaces in the process that loads them.
 * @returns null if a part is missing or damaged
 */
export async function findInFolder(directory: string): Promise<Omit<SherpaModel, 'threads'> | null> {
  const names = (await readdir(directory).catch(() => [])).sort()
  const find = async (pattern: RegExp): Promise<string | null> => {
    const fitting = names.filter((name) => pattern.test(name))
    const name = fitting.find((each) => each.includes('int8')) ?? fitting[0]
    if (name === undefined) return null
    const path = join(directory, name)
    return (await isDamaged(path, name)) ? null : path
  }
  const encoder = await find(/^encoder.*\.onnx$/)
  const decoder = await find(/^decoder.*\.onnx$/)
  const joiner = await find(/^joiner.*\.onnx$/)
  const tokens = await find(/^tokens\.txt$/)
  if (encoder === null || decoder === null || joiner === null || tokens === null) return null
  const vad = await find(/^silero_vad.*\.onnx$/)
  const speaker = await find(/(titanet|embedding).*\.onnx$/)
  return { encoder, decoder, joiner, tokens, vad, speaker }
}
