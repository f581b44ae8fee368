import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { maxFileBytes } from '../../../contract/interface/limits.ts'
import type { StagedBlob } from '../../platform/media/blob-store.ts'
import { pour } from '../../platform/media/pour.ts'
import { checkDeclaredType, sniffBytes, sniffContent } from '../../platform/media/sniff.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { type FormPart, parseBoundary, readForm } from './read-form.ts'

/** A complete staged recording, or a link to one. */
export type ReceivedRecording =
  | { staged: StagedBlob; fileName: string; declaredType: string | undefined }
  | { link: string }

function tooLarge(): ServiceError {
  return new ServiceError(413, 'The file is larger than 10 GB (10,000,000,000 bytes). Nothing was charged.')
}

/** Longer than the headers of a part with a 255-character UTF-8 file name. */
const longestUsualHeaders = 1_024

/**
 * Rejects a body whose declared length exceeds that of a form with a 10 GB file, before reading any of it. A smaller
 * excess is found while counting bytes.
 */
function checkDeclaredLength(contentLength: string | undefined, boundary: string): void {
  if (Number(contentLength ?? 0) > maxFileBytes + longestUsualHeaders + 2 * boundary.length) throw tooLarge()
}

/** Writes a part to the staged blob. Its first bytes must match a supported type, its size be at most 10 GB. */
async function stageContent(content: Readable, staged: StagedBlob): Promise<void> {
  let head: Buffer | null = Buffer.alloc(0)
  await pour(content, async (chunk) => {
    if (staged.bytes + chunk.byteLength > maxFileBytes) throw tooLarge()
    if (head !== null) {
      head = Buffer.concat([head, chunk.subarray(0, sniffBytes - head.byteLength)])
      if (head.byteLength >= sniffBytes) {
        await sniffContent(head)
        head = null
      }
    }
    await staged.append(chunk)
  })
}

const longestLink = 8_192

async function readLink(content: Readable): Promise<string> {
  let link = ''
  for await (const chunk of content.setEncoding('utf8')) {
    link += chunk
    if (link.length > longestLink) throw new ServiceError(400, 'The link is too long.')
  }
  return link.trim()
}

/** Describes an unexpected part, by name if printable. */
function shownPart(name: string): string {
  return /^[\w.-]{1,60}$/.test(name) ? `, and this one has "${name}"` : ''
}

/**
 * Checks a form's headers before its body, and returns its boundary.
 * @throws ServiceError 400 if it is not a form, 413 if it is certainly too large
 */
export function readFormHeaders(headers: IncomingHttpHeaders): string {
  const boundary = parseBoundary(headers['content-type'])
  checkDeclaredLength(headers['content-length'], boundary)
  return boundary
}

/**
 * Reads the body of POST files: exactly one of `file` and `link`, and nothing else (spec 4.2, decision 4).
 * @throws ServiceError 400, 408, 413, 415, 503, 507; nothing of the recording is then stored
 */
export async function receiveRecording(
  platform: Platform,
  body: Readable,
  boundary: string,
): Promise<ReceivedRecording> {
  let received: ReceivedRecording | null = null

  async function take({ name, fileName, contentType, content }: FormPart): Promise<void> {
    if (name !== 'file' && name !== 'link') {
      throw new ServiceError(
        400,
        `The form can have only one part: "file" or "link"${shownPart(name)}. Options belong in the query string.`,
      )
    }
    if (received !== null) throw new ServiceError(400, 'Give exactly one "file" or one "link".')
    if (name === 'link') {
      received = { link: await readLink(content) }
      return
    }
    checkDeclaredType(contentType)
    const staged = await platform.blobs.stage()
    received = { staged, fileName: fileName ?? '', declaredType: contentType }
    await stageContent(content, staged)
  }

  try {
    await readForm(body, boundary, platform.config.silentBodyMs, take, platform.ending)
  } catch (error) {
    await discard(received)
    throw error
  }
  if (received === null) throw new ServiceError(400, 'The part "file" (or "link") is missing from the form.')
  return received
}

/** Not inlined: TypeScript does not see the assignment in `take`. */
async function discard(received: ReceivedRecording | null): Promise<void> {
  if (received !== null && 'staged' in received) await received.staged.discard()
}
