import type { FastifyReply } from 'fastify'
import {
  correctionChange,
  correctionRevision,
  correctionVersions,
  keptCorrections,
  maxChangeBytes,
  newVersionName,
} from '../../../contract/account/corrections.ts'
import { checkChange, newReviewState, type Review, review } from '../../../contract/account/review.ts'
import { isServedFormat, servedFormats, servedMimeTypes } from '../../../contract/interface/transcript-formats.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { changeCorrections } from '../../text/corrections/change-corrections.ts'
import { correctedText } from '../../text/corrections/corrected-text.ts'
import { correctionsAt, loadCorrections, revisionOfFile } from '../../text/corrections/read-corrections.ts'
import { assembleReview, changeChecks, changeReviewState } from '../../text/corrections/review.ts'
import { listVersions, nameVersion, noVersion } from '../../text/corrections/versions.ts'
import { fileRoute } from '../http/account-route.ts'
import { attachmentNamed } from '../http/attachment-name.ts'
import { answer, binary, header, nothing } from '../http/operation.ts'
import { readExpectedRevision } from '../http/read-request.ts'

/** @throws ServiceError 404 */
function readRevision({ revision }: { revision: string }): number {
  if (!/^[1-9]\d{0,9}$/.test(revision)) throw noVersion()
  return Number(revision)
}

function withEtag(reply: FastifyReply, review: Review): Review {
  reply.header('etag', `"${review.revision}"`)
  return review
}

const ifMatch = header('If-Match', 'The revision that was changed.', true)
const taggedReview = answer(review, 'Its `ETag` is the revision.')

/**
 * Of `files/:id`: `corrections` of the transcript, `corrected/:format` with them applied, `corrections/versions`,
 * earlier states and their names; `review`: which turns are checked, and whether it is approved.
 */
export const correctionRoutes = [
  fileRoute(
    'get /files/{id}/corrections',
    'What people corrected in the transcript',
    {
      parameters: [header('If-None-Match', 'A revision that is known.')],
      200: answer(keptCorrections, 'Its `ETag` is the revision.'),
      304: 'They are still of the revision of `If-None-Match`.',
    },
    async ({ platform: { db }, file, request, reply }) => {
      const revision = await revisionOfFile(db, file.id)
      if (request.headers['if-none-match'] === `"${revision}"`) {
        return reply.code(304).header('etag', `"${revision}"`).send()
      }
      const kept = await loadCorrections(db, file.id)
      reply.header('etag', `"${kept.revision}"`)
      return kept
    },
  ),
  fileRoute(
    'post /files/{id}/corrections',
    'Correct the transcript',
    {
      parameters: [ifMatch],
      body: correctionChange,
      200: answer(correctionRevision, 'Kept.'),
      409: 'The change is of another text, or does not fit the corrections that are there.',
      412: 'Another change came first: read the corrections again and merge.',
      413: 'The change is longer than 8 MiB.',
      428: '`If-Match` is missing.',
      http: { bodyLimit: maxChangeBytes },
    },
    async ({ platform, caller, file, body, request, reply }) => {
      const expected = readExpectedRevision(request, 'the corrections')
      const revision = await changeCorrections(platform, caller, file, expected, body)
      reply.header('etag', `"${revision}"`)
      return { revision }
    },
  ),
  fileRoute(
    'get /files/{id}/corrected/{format}',
    'The transcript as it is corrected now',
    {
      200: { description: 'In one of the formats of `GET /v1/file/{file_id}.{ext}`.', content: { '*/*': binary } },
      409: 'The transcript is newer than its corrections.',
      415: 'It is none of them; the message lists them.',
    },
    async ({ platform, file, params: { format }, reply }) => {
      if (!isServedFormat(format)) {
        throw new ServiceError(415, `Transcripts come in these file types: ${servedFormats.join(', ')}.`)
      }
      const { revision, content } = await correctedText(platform, file, format)
      platform.readLog.note(file.account_id, file, format, platform.clock())
      return reply
        .header('etag', `"${revision}.${format}"`)
        .header('content-type', servedMimeTypes[format])
        .header('content-disposition', attachmentNamed(`${file.name} corrected.${format}`))
        .send(content)
    },
  ),
  fileRoute(
    'get /files/{id}/corrections/versions',
    'Earlier states of the corrections',
    { 200: correctionVersions },
    async ({ platform, file }) => ({ versions: await listVersions(platform.db, file.id) }),
  ),
  fileRoute(
    'get /files/{id}/corrections/versions/{revision}',
    'One earlier state',
    { 200: keptCorrections },
    async ({ platform, file, params }) => {
      const revision = readRevision(params)
      const set = await correctionsAt(platform.db, file.id, revision)
      if (set === null) throw noVersion()
      return { revision, set }
    },
  ),
  fileRoute(
    'patch /files/{id}/corrections/versions/{revision}',
    'Name an earlier state',
    { body: newVersionName, 204: nothing },
    ({ platform, file, params, body }) => nameVersion(platform.db, file.id, readRevision(params), body.name),
  ),
  fileRoute(
    'get /files/{id}/review',
    'What is checked, and the review state',
    { 200: taggedReview, 409: 'The transcript is not ready.' },
    async ({ platform, file, reply }) => withEtag(reply, await assembleReview(platform, file)),
  ),
  fileRoute(
    'post /files/{id}/review',
    'Send to review, approve or reopen',
    {
      description: 'An approved transcript takes no corrections until it is reopened: made a draft again.',
      parameters: [ifMatch],
      body: newReviewState,
      200: taggedReview,
      409: 'The state does not follow, or other corrections came meanwhile.',
      412: 'Another change of the review came first: read it again.',
      428: '`If-Match` is missing.',
    },
    async ({ platform, caller, file, body, request, reply }) => {
      const expected = readExpectedRevision(request, 'the review')
      return withEtag(reply, await changeReviewState(platform, caller, file, expected, body))
    },
  ),
  fileRoute(
    'post /files/{id}/review/checks',
    'Check words, or uncheck them',
    { body: checkChange, 200: taggedReview, 409: 'It is of another text, has no such words, or is approved.' },
    async ({ platform, caller, file, body, reply }) =>
      withEtag(reply, await changeChecks(platform, caller, file, body)),
  ),
]
