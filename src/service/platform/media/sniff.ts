import { fileTypeFromBuffer } from 'file-type'
import {
  bareMimeType,
  extensionsOfMimeType,
  mediaExtensions,
  undeclaredMimeTypes,
} from '../../../contract/interface/media-formats.ts'
import { ServiceError } from '../service-error.ts'
import { type Container, containerOfEnding } from './containers.ts'

/** How many of the first bytes `sniffContent` needs; fewer if the file is shorter. */
export const sniffBytes = 65_536

/** Spec 7: a 415 lists the supported file types. */
export function unsupportedType(found: string): ServiceError {
  return new ServiceError(415, `${found} Supported file types: ${mediaExtensions.join(', ')}.`)
}

/**
 * Checks the declared type: it must be of a listed format, or say nothing (decision 3).
 * @param contentType the Content-Type of the part, undefined if there is none
 * @throws ServiceError 415
 */
export function checkDeclaredType(contentType: string | undefined): void {
  const bare = bareMimeType(contentType ?? '')
  if (undeclaredMimeTypes.includes(bare) || extensionsOfMimeType(bare).length > 0) return
  const shown = /^[\w.+/-]{1,100}$/.test(bare) ? `"${bare}"` : 'of this file'
  throw unsupportedType(`The type ${shown} is not supported.`)
}

export type Sniffed = {
  container: Container
  /** file-type's finer name, see `Content.ending` */
  ending: string
}

/**
 * Recognizes a supported container by the first bytes; null if only ffprobe can.
 * @throws ServiceError 415 if they are certainly something else, whatever was declared
 */
export async function sniffContent(head: Uint8Array): Promise<Sniffed | null> {
  const type = await fileTypeFromBuffer(head)
  if (type === undefined) return null
  const container = containerOfEnding(type.ext)
  if (container === null) throw unsupportedType(`The content of this file is ${type.mime}, which is not supported.`)
  return { container, ending: type.ext }
}
