import { create as contentDisposition } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { metadataHeader } from '../../contract/metadata-header.ts'
import {
  isTranscriptFormat,
  type TranscriptFormat,
  transcriptFormats,
  transcriptMimeTypes,
} from '../../contract/transcript-formats.ts'
import type { FileRow } from '../db/schema.ts'
import { deleteFile, fileNotFound } from '../orders/delete.ts'
import { metadataHeaderOf } from '../orders/file-metadata.ts'
import type { Platform } from '../platform.ts'
import { ServiceError } from '../service-error.ts'
import { renderTranscript } from '../transcripts/render-transcript.ts'

/**
 * The account's file that `<file_id>[.<ext>]` names, and the requested format; txt without extension (spec 4.4).
 * @throws ServiceError 404; 415 on any other extension than the seven, with the list of them
 */
function readTarget(
  { hotReads, clock }: Platform,
  request: FastifyRequest,
): { file: FileRow; format: TranscriptFormat } {
  const { target } = request.params as { target: string }
  const dot = target.indexOf('.') // ids have none
  const fileId = dot === -1 ? target : target.slice(0, dot)
  const extension = dot === -1 ? 'txt' : target.slice(dot + 1).toLowerCase()
  const file = hotReads.fileOf(request.caller.account.id, fileId, clock())
  if (file === undefined) throw fileNotFound()
  if (isTranscriptFormat(extension)) return { file, format: extension }
  throw new ServiceError(415, `Transcripts come in these file types: ${transcriptFormats.join(', ')}.`)
}

/**
 * Content-Disposition with a name in ASCII for old clients and the full name for all others (decision 2: RFC 6266, RFC
 * 8187), always in quotes, as simple programs expect them.
 */
function attachmentNamed(name: string): string {
  const header = contentDisposition(name).replace(/^attachment; filename=([^";]+)/, 'attachment; filename="$1"')
  if (header.includes("; filename*=UTF-8''")) return header
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `${header}; filename*=UTF-8''${encoded}`
}

type FileHeaders = Readonly<Record<string, string>>

function fileHeadersOf(file: FileRow, format: TranscriptFormat): FileHeaders {
  return {
    [metadataHeader]: metadataHeaderOf(file),
    'content-type': transcriptMimeTypes[format],
    'content-disposition': attachmentNamed(`${file.name}.${format}`),
  }
}

const txtHeadersCache = new WeakMap<FileRow, FileHeaders>()

/** The headers of HEAD, cached by row: dashboards send HEAD for ten thousand files in a row. */
function txtHeadersOf(file: FileRow): FileHeaders {
  const known = txtHeadersCache.get(file)
  if (known !== undefined) return known
  const headers = fileHeadersOf(file, 'txt')
  txtHeadersCache.set(file, headers)
  return headers
}

/** `HEAD file/<file_id>[.<ext>]`: metadata alone (spec 4.3), with the headers that GET would have. */
export function headFile(platform: Platform) {
  return (request: FastifyRequest, reply: FastifyReply) => {
    const { file, format: asked } = readTarget(platform, request)
    const isTxt = file.progress_percent < 100 || asked === 'txt'
    return reply.headers(isTxt ? txtHeadersOf(file) : fileHeadersOf(file, asked)).send()
  }
}

/** `GET file/<file_id>[.<ext>]`: the transcript; below 100 % the work in progress as txt, in any format (spec 4.4). */
export function getFile(platform: Platform) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const asked = readTarget(platform, request)
    const { file } = asked
    const { format, bytes, content } = await renderTranscript(platform, file, asked.format)
    return reply.headers(fileHeadersOf(file, format)).header('content-length', bytes).send(content)
  }
}

/** `DELETE file/<file_id>`: by the table of spec 3; the body is empty. */
export function removeFile(platform: Platform) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { target } = request.params as { target: string }
    await deleteFile(platform, request.caller.account.id, target)
    return reply.code(200).send()
  }
}
