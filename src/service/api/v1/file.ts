import type { FastifyReply } from 'fastify'
import { type ProgramText, programTexts } from '../../../contract/account/settings.ts'
import { metadataHeader, refundHeader, transcriptVersionHeader } from '../../../contract/interface/headers.ts'
import {
  isServedFormat,
  type ServedFormat,
  servedFormats,
  servedMimeTypes,
} from '../../../contract/interface/transcript-formats.ts'
import { reaches } from '../../accounts/auth/key-limits.ts'
import { testEventFileId } from '../../accounts/webhooks/delivery-request.ts'
import { deleteFile } from '../../orders/file/delete.ts'
import { hideDuplicates } from '../../orders/file/duplicates.ts'
import { formatMetadataHeader } from '../../orders/file/file-metadata.ts'
import { fileNotFound, ownFile } from '../../orders/file/own-file.ts'
import { encodingFor } from '../../platform/content-encoding.ts'
import { afterRead } from '../../platform/db/hot-reads.ts'
import type { FileRow } from '../../platform/db/schema.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { readProgramText, type TextVersion } from '../../text/corrections/program-text.ts'
import { setOfRevision } from '../../text/corrections/read-corrections.ts'
import { pickVariant, readTranscript, renderAs, type Variant } from '../../text/transcripts/render-transcript.ts'
import { attachmentNamed } from '../http/attachment-name.ts'
import { addToVary, addVary } from '../http/compress-answers.ts'
import { noteFile } from '../http/gone-file.ts'
import { choiceQuery } from '../http/read-request.ts'
import { parseCents } from './order-limit.ts'
import { testEventFile } from './test-event-file.ts'
import type { V1Context } from './v1-route.ts'

/** Which text is asked for: the account's choice by default. */
export const versionQuery = {
  version: choiceQuery(programTexts, 'The text: as transcribed, as last approved, or as corrected now.'),
}
type ReadContext = V1Context & { query: { version: ProgramText | null } }

type Target = { file: FileRow; format: ServedFormat }

/**
 * Resolves `<file_id>[.<ext>]` to the account's file and the requested format; txt without extension (spec 4.4).
 * @throws ServiceError 404; 415 on any extension other than the served ones, listing them
 */
function readTarget({ platform, caller, request }: V1Context): Target | Promise<Target> {
  const { hotReads, clock } = platform
  const { target } = request.params as { target: string }
  const dot = target.indexOf('.') // IDs have no dots
  const fileId = dot === -1 ? target : target.slice(0, dot)
  const extension = dot === -1 ? 'txt' : target.slice(dot + 1).toLowerCase()
  const isTest = fileId === testEventFileId
  const found = isTest ? testEventFile(caller.account, clock()) : hotReads.fileOf(caller.account.id, fileId, clock())
  return afterRead(found, (file) => {
    if (file === undefined || !(isTest || reaches(caller, file.project_id))) throw fileNotFound()
    noteFile(request, platform, fileId)
    if (isServedFormat(extension)) return { file, format: extension }
    throw new ServiceError(415, `Transcripts come in these file types: ${servedFormats.join(', ')}.`)
  })
}

/** True if the client's cached copy matches (RFC 9110, 13.1.2). */
function isKnown(condition: string | undefined, { etag }: Variant): boolean {
  if (condition === undefined || etag === null) return false
  return (
    condition.trim() === '*' ||
    condition.split(',').some((known) => known.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''))
  )
}

/**
 * The requested file, the response variant, and whether the client has it already. `version`: set if the account has
 * chosen which text API clients get.
 */
type Asked = { file: FileRow; variant: Variant; version: TextVersion | null; isKnown: boolean }

function readAsked(context: ReadContext): Asked | Promise<Asked> {
  const { platform, caller, request, query } = context
  const { headers } = request
  const target = afterRead(readTarget(context), ({ file, format }) =>
    afterRead(hideDuplicates(platform.db, caller.limits?.projects ?? null, [file]), ([shown = file]) => ({
      file: shown,
      format,
    })),
  )
  return afterRead(target, ({ file, format }) => {
    const chosen = readProgramText(
      platform,
      caller.account,
      file,
      query.version,
      headers[transcriptVersionHeader.toLowerCase()],
    )
    return afterRead(chosen, (version) => {
      const variant = pickVariant(
        file,
        format,
        encodingFor(headers['accept-encoding']),
        version?.revision,
        version?.rules,
      )
      return { file, variant, version, isKnown: isKnown(headers['if-none-match'], variant) }
    })
  })
}

function writeHeaders(reply: FastifyReply, { file, variant, version, isKnown }: Asked): FastifyReply {
  const { format, encoding, etag } = variant
  if (version !== null) {
    addToVary(reply, transcriptVersionHeader)
    const { kind, revision } = version
    reply.header(transcriptVersionHeader, kind === 'original' ? kind : `${kind}; revision=${revision}`)
  }
  if (etag !== null) {
    addVary(reply)
    reply.header('etag', etag)
  }
  if (isKnown) reply.code(304)
  else if (encoding !== null) reply.header('content-encoding', encoding)
  return reply
    .header(metadataHeader, formatMetadataHeader(file))
    .header('content-type', servedMimeTypes[format])
    .header('content-disposition', attachmentNamed(`${file.name}.${format}`))
}

/** `HEAD file/<file_id>[.<ext>]`: metadata only (spec 4.3), with the headers that GET would have. */
export function headFile(context: ReadContext): FastifyReply | Promise<FastifyReply> {
  return afterRead(readAsked(context), (asked) => writeHeaders(context.reply, asked).send())
}

/** `GET file/<file_id>[.<ext>]`: the transcript; below 100 % the work in progress as txt, in any format (spec 4.4). */
export async function getFile(context: ReadContext): Promise<FastifyReply> {
  const { platform, caller, reply } = context
  const asked = await readAsked(context)
  if (asked.isKnown) return writeHeaders(reply, asked).send()
  const read = await readAs(platform, asked)
  platform.readLog.note(caller.account.id, asked.file, asked.variant.format, platform.clock())
  // Set only now: on an error they would be sent with it.
  writeHeaders(reply, asked)
  return 'bytes' in read ? reply.header('content-length', read.bytes).send(read.content) : reply.send(read)
}

async function readAs(platform: Platform, { file, variant }: Asked) {
  const { format, revision, rules } = variant
  if (revision === 0 && rules === null) return await readTranscript(platform, file, variant)
  const corrections = revision === 0 ? null : await setOfRevision(platform.db, file.id, revision)
  // Deleted in the meantime.
  if (revision > 0 && corrections === null) throw fileNotFound()
  return await renderAs(platform, file, format, { corrections, rules })
}

/** `DELETE file/<file_id>`: follows the table of spec 3; the body is empty. */
export async function removeFile({ platform, caller, request, reply }: V1Context): Promise<FastifyReply> {
  const { target } = request.params as { target: string }
  const { id } = await ownFile(platform, caller, target)
  const least = parseCents('Min-Refund-Cents', request.headers['min-refund-cents']) ?? 0
  const { refundCents } = await deleteFile(platform, caller.account.id, id, least)
  return reply.header(refundHeader, refundCents).send()
}
