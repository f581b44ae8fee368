import type { Config } from '../platform/config.ts'
import type { Chosen } from './engine.ts'
import { modelBytes, type PinnedModel } from './models/pins.ts'

type Known = {
  /** sherpa-onnx is installed for this platform */
  hasAddon: boolean
  /** a model for it is here */
  hasModel: boolean
  /** what is downloaded if there is none */
  model: PinnedModel
}

/** Why pocketsphinx is the engine: what `RECOGNIZER=auto` would rather have had. */
function whyOffline({ recognizer, modelDir }: Config, { hasAddon, hasModel }: Known): string {
  if (recognizer === 'pocketsphinx') return 'RECOGNIZER says so'
  if (!hasAddon) return 'sherpa-onnx is not installed for this platform, and RECOGNIZER_URL is not set'
  if (hasModel) return 'the speech model that is installed cannot be loaded'
  if (modelDir !== null) return 'MODEL_DIR has no complete model'
  return 'no speech model is installed, downloads are disabled (OFFLINE), and RECOGNIZER_URL is not set'
}

function why(config: Config, chosen: Extract<Chosen, { name: string }>, known: Known): string {
  if (chosen.worth.engine === 'pocketsphinx') return whyOffline(config, known)
  if (chosen.worth.engine === 'http')
    return config.recognizer === 'http' ? 'RECOGNIZER says so' : 'RECOGNIZER_URL is set'
  return config.modelDir === null ? 'its model is installed' : 'MODEL_DIR has a model'
}

/** Which engine hears the next order and why, as `RECOGNIZER`, what is installed and what may be downloaded have it. */
export function explainChoice(config: Config, chosen: Chosen, known: Known): string {
  const { recognizer, recognizerUrl, modelDir, offline } = config
  const wantsModel = recognizer === 'sherpa' || (recognizer === 'auto' && recognizerUrl === null)
  if (wantsModel && known.hasAddon && !known.hasModel && modelDir === null && !offline) {
    const { id } = known.model
    const megabytes = Math.round(modelBytes(known.model) / 1e6)
    const fallback = chosen.engine === null ? '' : ` If it cannot be downloaded, ${chosen.name} hears the order.`
    return `The next order downloads the speech model ${id} (${megabytes} MB) and waits for it: none is installed.${fallback}`
  }
  return chosen.engine === null ? chosen.reason : `${chosen.name} hears the next order: ${why(config, chosen, known)}.`
}
