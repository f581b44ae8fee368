import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SherpaModel } from '../engines/sherpa-protocol.ts'
import { sha256Of } from './model-folder.ts'
import { pinnedModels } from './pins.ts'

/** True where a file bears a pinned name and size beginning like it but is not it: a copy that was cut short. */
async function isDamaged(path: string, name: string): Promise<boolean> {
  const { size } = await stat(path)
  if (size === 0) return true
  const pinned = pinnedModels.flatMap(({ files }) => files).find((file) => file.name === name && file.bytes === size)
  return pinned !== undefined && (await sha256Of(path)) !== pinned.sha256
}

/**
 * The parts of a transducer in a folder of the operator's, by their names (`encoder….onnx`, int8 before others), with the
 * VAD and speaker models where they lie beside. Files that are pinned here are checked by hash; what else is damaged is
 * found out by the process that loads it.
 * @returns null where a part is missing or damaged
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
