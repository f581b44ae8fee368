import { join } from 'node:path'
import type { Config } from '../../platform/config.ts'
import { StartError } from '../../platform/start-error.ts'
import { lockFetching } from '../../recognition/models/fetch-lock.ts'
import { FetchError, fetchModel } from '../../recognition/models/fetch-model.ts'
import { ModelFolder } from '../../recognition/models/model-folder.ts'
import { type ModelId, modelBytes, pinnedModels } from '../../recognition/models/pins.ts'
import { modelMeasure } from './model-measure.ts'

/** Sets of `model fetch`, and the models in each. */
const sets: Record<string, readonly ModelId[]> = {
  default: ['parakeet-110m', 'silero-vad'],
  accurate: ['parakeet-0.6b', 'silero-vad'],
  speakers: ['titanet-small'],
}

function openModelFolder(config: Config): ModelFolder {
  return new ModelFolder(join(config.dataDir, 'models'))
}

/** `model list`: one line per model, and whether it is installed. */
async function modelList(config: Config): Promise<object[]> {
  const folder = openModelFolder(config)
  return Promise.all(
    pinnedModels.map(async (model) => ({
      model: model.id,
      about: model.about,
      license: model.license,
      megabytes: Math.round(modelBytes(model) / 1e6),
      present: (await folder.find(model.id)) !== null,
    })),
  )
}

/** `model verify`: rehashes every installed model. @throws StartError if one is damaged */
async function modelVerify(config: Config): Promise<object[]> {
  const folder = openModelFolder(config)
  const lines = await Promise.all(
    pinnedModels.map(async ({ id, files }) => {
      const faults = await folder.faults(id, true)
      const isAbsent = faults.length === files.length && faults.every((fault) => fault.endsWith('is missing'))
      return {
        model: id,
        state: faults.length === 0 ? 'whole' : isAbsent ? 'absent' : 'damaged',
        faults: isAbsent ? [] : faults,
      }
    }),
  )
  const damaged = lines.filter(({ state }) => state === 'damaged')
  if (damaged.length === 0) return lines
  throw new StartError(damaged.map(({ model, faults }) => `${model} is damaged: ${faults.join('; ')}.`).join('\n'))
}

/** `model import DIR`: copies pinned models from a folder. @throws StartError if there are none */
async function modelImport(config: Config, directory: string): Promise<object> {
  const imported = await openModelFolder(config)
    .importFrom(directory)
    .catch((error: unknown) => {
      throw new StartError(`The folder cannot be read: ${error instanceof Error ? error.message : error}.`)
    })
  if (imported.length === 0)
    throw new StartError('No file in that folder matches a supported model (by size and SHA-256).')
  return { imported }
}

/** `model fetch [default|accurate|speakers]`: downloads, with progress on stderr. @throws StartError */
async function modelFetch(config: Config, set: string): Promise<object> {
  const ids = sets[set]
  if (ids === undefined) throw new StartError(`model fetch takes one of: ${Object.keys(sets).join(', ')}.`)
  if (config.offline) throw new StartError('Downloads are disabled (OFFLINE).')
  const folder = openModelFolder(config)
  const release = await lockFetching(folder.root)
  if (release === null) throw new StartError('Another process is downloading models into this data directory.')
  try {
    for (const id of ids) {
      let shown = -1
      await fetchModel(folder, id, {
        mirrors: config.modelUrl,
        signal: new AbortController().signal,
        onProgress: (bytes, totalBytes) => {
          const percent = Math.floor((bytes / totalBytes) * 100)
          if (percent >= shown + 5 || percent === 100)
            console.error(`${id}: ${percent}% of ${Math.round(totalBytes / 1e6)} MB`)
          if (percent >= shown + 5) shown = percent
        },
      })
    }
  } catch (error) {
    throw error instanceof FetchError ? new StartError(error.message, { cause: error }) : error
  } finally {
    await release()
  }
  return { fetched: ids }
}

/** The commands of `model`, which need no database. @returns null if `words` is none of them */
export function modelCommand(config: Config, words: readonly string[]): Promise<object | object[]> | null {
  const [command, operand, ...more] = words
  if (more.length > 0) return null
  if (command === 'fetch') return modelFetch(config, operand ?? 'default')
  if (command === 'import' && operand !== undefined) return modelImport(config, operand)
  if (command === 'list' && operand === undefined) return modelList(config)
  if (command === 'verify' && operand === undefined) return modelVerify(config)
  if (command === 'measure') return modelMeasure(config, operand)
  return null
}
