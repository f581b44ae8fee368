import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SherpaModel } from '../engines/sherpa-protocol.ts'
import { sha256Of } from './model-folder.ts'
import { pinnedModels } from './pins.ts'

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
