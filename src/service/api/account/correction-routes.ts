import type { FastifyInstance, FastifyRequest } from 'fastify'
import { correctionChange, maxChangeBytes, newVersionName } from '../../../contract/account/corrections.ts'
import {
  isTranscriptFormat,
  transcriptFormats,
  transcriptMimeTypes,
} from '../../../contract/interface/transcript-formats.ts'
import { ownFile } from '../../orders/file/own-file.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { changeCorrections } from '../../text/corrections/change-corrections.ts'
import { correctedText } from '../../text/corrections/corrected-text.ts'
import { correctionsAt, correctionsOf, revisionOfFile } from '../../text/corrections/read-corrections.ts'
import { listVersions, nameVersion, noVersion } from '../../text/corrections/versions.ts'
import { attachmentNamed } from '../http/attachment-name.ts'
import { readBody } from '../http/read-request.ts'

export type OfFile = { Params: { id: string } }
type InFormat = { Params: { id: string; format: string } }
type OfVersion = { Params: { id: string; revision: string } }

/** @throws ServiceError 404 */
export function fileOf(platform: Platform, { caller, params }: FastifyRequest<OfFile>): Promise<FileRow> {
  return ownFile(platform, caller.account.id, params.id)
}

/** `files/:id/corrections`: a transcript's corrections; `files/:id/corrected/:format`: the text with them applied. */
export async function correctionRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  const { db } = platform

  app.get<OfFile>('files/:id/corrections', async (request, reply) => {
    const { id } = await fileOf(platform, request)
    const revision = await revisionOfFile(db, id)
    if (request.headers['if-none-match'] === `"${revision}"`) {
      return reply.code(304).header('etag', `"${revision}"`).send()
    }
    const kept = await correctionsOf(db, id)
    return reply.header('etag', `"${kept.revision}"`).send(kept)
  })

  app.post<OfFile>('files/:id/corrections', { bodyLimit: maxChangeBytes }, async (request, reply) => {
    const file = await fileOf(platform, request)
    const change = readBody(correctionChange, request)
    const expected = expectedRevision(request, 'the corrections')
    const revision = await changeCorrections(platform, request.caller, file, expected, change)
    return reply.header('etag', `"${revision}"`).send({ revision })
  })

  app.get<InFormat>('files/:id/corrected/:format', async (request, reply) => {
    const file = await fileOf(platform, request)
    const { format } = request.params
    if (!isTranscriptFormat(format)) {
      throw new ServiceError(415, `Transcripts come in these file types: ${transcriptFormats.join(', ')}.`)
    }
    const { revision, content } = await correctedText(platform, file, format)
    platform.readLog.note(file.account_id, file, format, platform.clock())
    return reply
      .header('etag', `"${revision}.${format}"`)
      .header('content-type', transcriptMimeTypes[format])
      .header('content-disposition', attachmentNamed(`${file.name} corrected.${format}`))
      .send(content)
  })
}

/** `files/:id/corrections/versions`: earlier states of the corrections, and their names. */
export async function versionRoutes(app: FastifyInstance, platform: Platform): Promise<void> {
  const { db } = platform

  app.get<OfFile>('files/:id/corrections/versions', async (request) => {
    return { versions: await listVersions(db, (await fileOf(platform, request)).id) }
  })

  app.get<OfVersion>('files/:id/corrections/versions/:revision', async (request) => {
    const { id } = await fileOf(platform, request)
    const revision = revisionOf(request)
    const set = await correctionsAt(db, id, revision)
    if (set === null) throw noVersion()
    return { revision, set }
  })

  app.patch<OfVersion>('files/:id/corrections/versions/:revision', async (request, reply) => {
    const { id } = await fileOf(platform, request)
    const { name } = readBody(newVersionName, request)
    await nameVersion(db, id, revisionOf(request), name)
    return reply.code(204).send()
  })
}

/**
 * Returns the revision in `If-Match`; `what` names the resource in errors, e.g. `the corrections`.
 * @throws ServiceError 428, 400
 */
export function expectedRevision({ headers }: FastifyRequest, what: string): number {
  const given = headers['if-match']
  if (given === undefined) throw new ServiceError(428, `Say which state of ${what} was changed: If-Match: "revision".`)
  const revision = /^"(\d{1,10})"$/.exec(given)?.[1]
  if (revision === undefined) throw new ServiceError(400, `If-Match must be the ETag of ${what}, such as "3".`)
  return Number(revision)
}

/** @throws ServiceError 404 */
function revisionOf({ params }: FastifyRequest<OfVersion>): number {
  if (!/^[1-9]\d{0,9}$/.test(params.revision)) throw noVersion()
  return Number(params.revision)
}
