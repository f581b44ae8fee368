import * as z from 'zod/mini'
import {
  deleteWhenReady,
  fileChanges,
  fileEntry,
  filePage,
  recordedTimes,
} from '../../../contract/account/file-pages.ts'
import { labelChange, labelledFiles, labelsBefore } from '../../../contract/account/labels.ts'
import { fileWork, reReview, reReviewState } from '../../../contract/account/manual-work.ts'
import { queueAnswer } from '../../../contract/account/queue.ts'
import { retention, retentionChange, retentionPreview } from '../../../contract/account/retention.ts'
import { maxQueryLength, searchPage } from '../../../contract/account/search.ts'
import { askedHashes, knownRecordings } from '../../../contract/interface/content-hash.ts'
import { maxFilesPerPage } from '../../../contract/interface/limits.ts'
import { reaches } from '../../accounts/auth/key-limits.ts'
import { placeOfFile, placeOfNew } from '../../orders/create/queue-depth.ts'
import { setDeleteWhenReady } from '../../orders/file/delete.ts'
import { knownContent } from '../../orders/file/duplicates.ts'
import { recordingBytes } from '../../orders/file/own-file.ts'
import { readFileChanges, readFileEntry, readFilePage } from '../../orders/file-pages.ts'
import { changeLabels, restoreLabels } from '../../orders/labels/change-labels.ts'
import { changeRule } from '../../orders/retention/change-rules.ts'
import { daysIn, readRetention } from '../../orders/retention/forecast.ts'
import { readRecordedTimes } from '../../platform/media/recorded-times.ts'
import { ServiceError } from '../../platform/service-error.ts'
import { readFileWork } from '../../workbench/file-work.ts'
import { askReReview, readReReview } from '../../workbench/re-review.ts'
import { fileRoute, route } from '../http/account-route.ts'
import { lost, nothing } from '../http/operation.ts'
import { limitQuery, numberQuery, pageQuery, textQuery } from '../http/read-request.ts'

/** `search`: full-text search over words, speakers and file names of the account. */
export const searchRoutes = [
  route(
    'get /search',
    'Find words, speakers and names of files',
    {
      description:
        'Words, "phrases", beginnings* and -without; `speaker:anna`, `tag:field`, `project:"field work"` (its whole name), ' +
        '`from:2026-01` and `before:2026-02-15` (UTC, when a file was ordered). All words must be said at once by one ' +
        'person, or be in the name of the speaker or the file. ' +
        'Case and accents do not count. Anything else is searched as words; the first 32 count. A page can have fewer ' +
        'files than its limit; `next_cursor` says whether there may be more.',
      withinProjects: true,
      query: {
        q: textQuery('What is searched for.'),
        cursor: numberQuery('`next_cursor` of the page before.'),
        limit: limitQuery(20, 50),
      },
      200: searchPage,
      400: 'There is no query, or it is too long.',
    },
    async ({ search, caller, query: { q, cursor, limit } }) => {
      if (q === null) throw new ServiceError(400, 'Say what to search for: q.')
      if (q.length > maxQueryLength) {
        throw new ServiceError(400, `A search can have at most ${maxQueryLength} characters.`)
      }
      return await search.find(caller.account.id, q, cursor, limit, (projectId) => reaches(caller, projectId))
    },
  ),
]

const filesQuery = {
  ...pageQuery(200, maxFilesPerPage),
  since: numberQuery('A version: returns what changed after it instead of a page.'),
}
const zone = textQuery('The time zone of the days, such as Europe/Berlin; UTC by default.')
/** Fits ten thousand files with short notes; more would keep all other requests waiting for over half a second. */
const http = { bodyLimit: 8 * 1_024 * 1_024 }

/** What staff have done of a manual order; pages of files and their changes; labels; retention. */
export const fileRoutes = [
  fileRoute(
    'get /files/{id}/work',
    'What people have done so far of a manual order',
    { 200: fileWork, 404: 'Nobody types it, or not yet.' },
    ({ platform, file }) => readFileWork(platform, file.id),
  ),
  fileRoute(
    'get /files/{id}/re-review',
    'Whether a typed transcript may be reviewed once more, is, or was',
    { 200: reReviewState, 404: 'People have not typed and checked it, or not yet.' },
    ({ platform, file }) => readReReview(platform, file.id),
  ),
  fileRoute(
    'post /files/{id}/re-review',
    'Have places of a typed transcript reviewed once more, once and free',
    {
      body: reReview,
      204: nothing,
      409: 'It is not ready, was not typed by people, or that was done before.',
      410: lost,
    },
    ({ platform, file, body }) => askReReview(platform, file, body),
  ),
  route(
    'get /files',
    'Metadata of many files',
    { query: filesQuery, withinProjects: true, 200: z.union([filePage, fileChanges]) },
    ({ platform: { db }, caller: { account, limits }, query: { since, cursor, limit } }) => {
      const listed = { accountId: account.id, projects: limits?.projects ?? null }
      return since === null ? readFilePage(db, listed, cursor, limit) : readFileChanges(db, listed, since, limit)
    },
  ),
  fileRoute('get /files/{id}', 'The same of one file', { 200: fileEntry }, ({ platform: { db }, caller, file }) =>
    readFileEntry(db, file, caller.limits?.projects ?? null),
  ),
  fileRoute(
    'get /files/{id}/recorded-times',
    'When the recording began, by its time code, its recorder or its date',
    { 200: recordedTimes, 410: lost },
    async ({ platform, file }) => {
      await recordingBytes(platform, file)
      return { times: await platform.blobs.withMedia(file.id, readRecordedTimes) }
    },
  ),
  route(
    'get /queue',
    'How long it would take to recognize a recording that is ordered now',
    {
      query: { seconds: numberQuery('The length of the recording, whole seconds.') },
      withinProjects: true,
      200: queueAnswer,
    },
    async ({ platform, caller, query: { seconds } }) => {
      if (seconds === null) throw new ServiceError(400, 'Say how long the recording is: seconds.')
      return { place: await placeOfNew(platform, caller.account.id, seconds * 1_000) }
    },
  ),
  fileRoute(
    'get /files/{id}/queue',
    'How long a file that is recognized, or waits for that, still takes',
    { 200: queueAnswer },
    async ({ platform, file }) => ({ place: await placeOfFile(platform, file.id) }),
  ),
  route(
    'post /files/known',
    'Which recordings are on the account already',
    {
      description:
        'A content hash is the SHA-256, hex, of the length in bytes as a decimal number, a line feed and the content; ' +
        'above 64 MiB instead of all of the content 64 stretches of 1 MiB, the first and the last and 62 evenly between ' +
        '(at `floor(index * (length - 1048576) / 63)`). Answers the newest file of each that is there.',
      right: 'order',
      withinProjects: true,
      body: askedHashes,
      200: knownRecordings,
    },
    async ({ platform, caller, body }) => {
      const known = await knownContent(platform, caller.account.id, body.content_hashes)
      const reached = known.filter(({ project_id }) => reaches(caller, project_id))
      return { known: reached.map(({ content_hash, id }) => ({ content_hash, id })) }
    },
  ),
  route(
    'patch /labels',
    'Change names, notes, tags or the archive of many files',
    {
      description: 'All or nothing; files that are gone are left out. Answers what was before.',
      withinProjects: true,
      body: labelChange,
      200: labelsBefore,
      http,
    },
    async ({ platform, caller, body }) => ({ before: await changeLabels(platform, caller, body) }),
  ),
  route(
    'put /labels',
    'Give files the labels that they had',
    {
      description: 'With `undone`, what others changed since that change stays. At most 8 MiB: send more in pieces.',
      withinProjects: true,
      body: labelledFiles,
      200: labelsBefore,
      http,
    },
    async ({ platform, caller, body }) => ({ before: await restoreLabels(platform, caller, body) }),
  ),
  route(
    'get /retention',
    'Rules by which recordings and files are deleted, and what goes when',
    { query: { zone }, 200: retention },
    ({ platform, caller, query }) => readRetention(platform, caller.account.id, daysIn(query.zone ?? 'UTC')),
  ),
  route(
    'put /retention',
    'Make, change or remove a retention rule',
    {
      description:
        'Days count from when the transcript was ready. The nearest rule counts: of a tag, else of the project, else of ' +
        'the account; of two tags the one that keeps longer. A file for which another rule counts stays for at least ' +
        'seven days. Nothing in progress goes, and nothing that is held.',
      right: 'manage',
      query: { zone },
      body: retentionChange,
      404: 'There is no such project.',
      200: retentionPreview,
      409: 'There are 500 rules.',
    },
    ({ platform, caller, query, body }) => changeRule(platform, caller.account.id, body, daysIn(query.zone ?? 'UTC')),
  ),
  fileRoute(
    'put /files/{id}/delete-when-ready',
    'Delete when it is ready',
    { right: 'delete', 200: deleteWhenReady },
    ({ platform, file }) => setDeleteWhenReady(platform, file, true),
  ),
  fileRoute(
    'delete /files/{id}/delete-when-ready',
    'Cancel deleting when ready',
    { right: 'delete', 200: deleteWhenReady },
    ({ platform, file }) => setDeleteWhenReady(platform, file, false),
  ),
]
