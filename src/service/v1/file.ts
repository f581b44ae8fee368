import { create as contentDisposition } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { metadataHeader } from '../../contract/metadata.ts'
import { isTranscriptFormat, transcriptFormats, transcriptMimeTypes } from '../../contract/transcript-formats.ts'
import type { FileRow } from '../db/schema.ts'
import { deleteFile, fileNotFound } from '../orders/delete.ts'
import { metadataHeaderOf } from '../orders/file-metadata.ts'
import type { Platform } from '../platform.ts'
import { ServiceError } from '../service-error.ts'
import { renderTranscript } from '../transcripts/render-transcript.ts'

/** `<file_id>` and, where one is given, `<ext>` (spec 4.4); an id has no dot. */
function readTarget(request: FastifyRequest): { fileId: string; extension: string | null } {
  const { target } = request.params as { target: string }
  const dot = target.indexOf('.')
  return dot === -1
    ? { fileId: target, extension: null }
    : { fileId: target.slice(0, dot), extension: target.slice(dot + 1).toLowerCase() }
}

function requireFile({ hotReads }: Platform, request: FastifyRequest, fileId: string): FileRow {
  const file = hotReads.fileOf(request.caller.account.id, fileId)
  if (file === undefined) throw fileNotFound()
  return file
}

/** An attachment's name: for old clients in ASCII, for all others in full (RFC 6266, RFC 8187). */
function attachment(file: FileRow, extension: string): string {
  return contentDisposition(`${file.name}.${extension}`)
}

/** `HEAD file/<file_id>`: metadata alone (spec 4.3). */
export function headFile(platform: Platform) {
  return (request: FastifyRequest, reply: FastifyReply) => {
    const file = requireFile(platform, request, readTarget(request).fileId)
    return reply
      .header(metadataHeader, metadataHeaderOf(file))
      .header('content-type', transcriptMimeTypes.txt)
      .header('content-disposition', attachment(file, 'txt'))
      .send()
  }
}

/** `GET file/<file_id>[.<ext>]`: the transcript; below 100 % the work in progress as txt, whatever is asked (spec 4.4). */
export function getFile(platform: Platform) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { fileId, extension } = readTarget(request)
    const file = requireFile(platform, request, fileId)
    const asked = extension ?? 'txt'
    if (!isTranscriptFormat(asked)) {
      throw new ServiceError(415, `Transcripts come in these file types: ${transcriptFormats.join(', ')}.`)
    }
    const { format, bytes, content } = await renderTranscript(platform, file, asked)
    return reply
      .header(metadataHeader, metadataHeaderOf(file))
      .header('content-type', transcriptMimeTypes[format])
      .header('content-disposition', attachment(file, format))
      .header('content-length', bytes)
      .send(content)
  }
}

/** `DELETE file/<file_id>`: by the table of spec 3; the body is empty. */
export function removeFile(platform: Platform) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    await deleteFile(platform, request.caller.account.id, readTarget(request).fileId)
    return reply.code(200).send()
  }
}
