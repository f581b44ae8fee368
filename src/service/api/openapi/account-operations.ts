import * as z from 'zod/mini'
import { accountOverview } from '../../../contract/account/account.ts'
import { logActions, logPage } from '../../../contract/account/audit-log.ts'
import { captionHouseIds, captionReport } from '../../../contract/account/captions.ts'
import {
  correctionChange,
  correctionRevision,
  correctionVersions,
  keptCorrections,
  newVersionName,
} from '../../../contract/account/corrections.ts'
import { deleteWhenReady, fileChanges, filePage, playback } from '../../../contract/account/file-pages.ts'
import { labelChange, labelledFiles, labelsBefore } from '../../../contract/account/labels.ts'
import { fileWork, reReview, reReviewState } from '../../../contract/account/manual-work.ts'
import { queueAnswer } from '../../../contract/account/queue.ts'
import { retention, retentionChange, retentionPreview } from '../../../contract/account/retention.ts'
import { checkChange, newReviewState, review } from '../../../contract/account/review.ts'
import { searchPage } from '../../../contract/account/search.ts'
import { accountDefaults, accountSettings, newDefaults, programText } from '../../../contract/account/settings.ts'
import { ledgerPage, usage } from '../../../contract/account/usage.ts'
import { askedHashes, knownRecordings } from '../../../contract/interface/content-hash.ts'
import { keyRoutes } from '../account/key-routes.ts'
import { paymentRoutes } from '../account/payment-routes.ts'
import { projectRoutes } from '../account/project-routes.ts'
import { vocabularyRoutes } from '../account/vocabulary-routes.ts'
import {
  answer,
  badBody,
  binary,
  nothing,
  type OperationRow,
  operationsOf,
  pageQueries,
  queries,
  type Row,
  text,
} from '../http/operation.ts'

const saved = {
  200: answer(accountSettings, 'The current settings.'),
  413: 'The settings would exceed 64 KiB.',
}
const lost = 'The recording is lost on the service; the rest of the file is not affected.'
const reviewTag = 'Its `ETag` is the revision.'
const recording = { 'audio/*': text, 'video/*': text }
const zone = { zone: 'The time zone of the days, such as Europe/Berlin; UTC by default.' }
const times = { from: 'ISO 8601, included.', to: 'ISO 8601, not included.' }
const ledgerFilter = { ...times, kind: '`charge` or `refund`.', search: 'In file names and transaction ids.' }

const logFilter = {
  ...times,
  action: `One of ${logActions.join(', ')}.`,
  search: 'In file names, details, names of keys and addresses.',
}

const resources: Record<string, readonly (OperationRow | Row)[]> = {
  Account: [
    ['get /', 'Who signed in, and what the service offers', { 200: accountOverview }],
    ['get /settings', 'Settings of the dashboard', { 200: accountSettings }],
    ['put /settings', 'Replace the settings', saved, { body: accountSettings }],
    [
      'patch /settings',
      'Update settings',
      { ...saved, 400: badBody },
      {
        description:
          'The body is a JSON merge patch (RFC 7396): members of objects are merged at every depth, null removes a ' +
          'member, everything else replaces what was there. Two updates of different members do not overwrite each other.',
        body: {
          required: true,
          content: { 'application/merge-patch+json': accountSettings, 'application/json': accountSettings },
        },
      },
    ],
    ['put /defaults', 'Set the default options', { 200: accountDefaults }, { body: newDefaults }],
    ['put /program-text', 'Choose which text `/v1/` returns', { 200: programText }, { body: programText }],
  ],
  Vocabulary: vocabularyRoutes,
  'API keys': keyRoutes,
  Payment: paymentRoutes,
  Usage: [
    ['get /usage', 'Totals for a period', { 200: usage, 400: badBody }, { query: queries(times) }],
    [
      'get /ledger',
      'Charges and refunds, the newest first',
      { 200: ledgerPage, 400: badBody },
      { query: queries({ ...ledgerFilter, ...pageQueries }) },
    ],
    [
      'get /ledger.csv',
      'Charges and refunds as CSV',
      { 200: { description: 'CSV.', content: { 'text/csv; charset=utf-8': text } } },
      { query: queries(ledgerFilter) },
    ],
  ],
  Log: [
    [
      'get /log',
      'What was done, by which key, from where',
      { 200: logPage, 400: badBody },
      { query: queries({ ...logFilter, ...pageQueries }), description: 'The newest first; kept for a year.' },
    ],
    [
      'get /log.csv',
      'The log as CSV',
      { 200: { description: 'CSV.', content: { 'text/csv; charset=utf-8': text } } },
      { query: queries(logFilter) },
    ],
  ],
  Search: [
    [
      'get /search',
      'Find words, speakers and names of files',
      { 200: searchPage, 400: 'There is no query, or it is too long.' },
      {
        description:
          'Words, "phrases", beginnings* and -without; `speaker:anna`, `tag:field`, `project:"field work"` (its whole name), ' +
          '`from:2026-01` and `before:2026-02-15` (UTC, when a file was ordered). All words must be said at once by one ' +
          'person, or be in the name of the speaker or the file. ' +
          'Case and accents do not count. Anything else is searched as words; the first 32 count. A page can have fewer ' +
          'files than its limit; `next_cursor` says whether there may be more.',
        query: queries({ q: 'What is searched for.', ...pageQueries }),
      },
    ],
  ],
  Projects: projectRoutes,
  'File pages': [
    [
      'get /files/{id}/work',
      'What people have done so far of a manual order',
      { 200: fileWork, 404: 'Nobody types it, or not yet.' },
    ],
    [
      'get /files/{id}/re-review',
      'Whether a typed transcript may be reviewed once more, is, or was',
      { 200: reReviewState, 404: 'People have not typed and checked it, or not yet.' },
    ],
    [
      'post /files/{id}/re-review',
      'Have places of a typed transcript reviewed once more, once and free',
      { 204: nothing, 409: 'It is not ready, was not typed by people, or that was done before.', 410: lost },
      { body: reReview },
    ],
    [
      'get /files',
      'Metadata of many files',
      { 200: z.union([filePage, fileChanges]), 400: badBody },
      { query: queries({ ...pageQueries, since: 'A version: returns what changed after it instead of a page.' }) },
    ],
    [
      'get /queue',
      'How long it would take to recognise a recording that is ordered now',
      { 200: queueAnswer, 400: badBody },
      { query: queries({ seconds: 'The length of the recording, whole seconds.' }) },
    ],
    [
      'get /files/{id}/queue',
      'How long a file that is recognised, or waits for that, still takes',
      { 200: queueAnswer },
    ],
    [
      'post /files/known',
      'Which recordings are on the account already',
      { 200: knownRecordings, 400: badBody },
      {
        body: askedHashes,
        description:
          'A content hash is the SHA-256, hex, of the length in bytes as a decimal number, a line feed and the content; ' +
          'above 64 MiB instead of all of the content 64 stretches of 1 MiB, the first and the last and 62 evenly between ' +
          '(at `floor(index * (length - 1048576) / 63)`). Answers the newest file of each that is there.',
      },
    ],
    [
      'patch /labels',
      'Change names, notes, tags or the archive of many files',
      { 200: labelsBefore, 400: badBody },
      { body: labelChange, description: 'All or nothing; files that are gone are left out. Answers what was before.' },
    ],
    [
      'put /labels',
      'Give files the labels that they had',
      { 200: labelsBefore, 400: badBody },
      { body: labelledFiles, description: 'With `undone`, what others changed since that change stays.' },
    ],
    [
      'get /keeping',
      'Rules by which recordings and files are deleted, and what goes when',
      { 200: retention, 400: badBody },
      { query: queries(zone) },
    ],
    [
      'put /keeping',
      'Make, change or remove a retention rule',
      { 200: retentionPreview, 400: badBody, 409: 'There are 500 rules.' },
      {
        description:
          'Days count from when the transcript was ready. The nearest rule counts: of a tag, else of the project, else of ' +
          'the account; of two tags the one that keeps longer. A file for which another rule counts stays for at least ' +
          'seven days. Nothing in progress goes, and nothing that is held.',
        query: queries(zone),
        body: retentionChange,
      },
    ],
    ['put /files/{id}/delete-when-ready', 'Delete when it is ready', { 200: deleteWhenReady }],
    ['delete /files/{id}/delete-when-ready', 'Cancel deleting when ready', { 200: deleteWhenReady }],
    ['post /files/{id}/playback', 'Get a short-lived URL that plays the recording', { 200: playback, 410: lost }],
    [
      'get /media/{token}',
      'The recording itself, at the URL that playback returned',
      {
        200: { description: 'The recording.', content: recording },
        206: { description: 'The requested range.', content: recording },
        404: 'The URL or its key has expired, or the file was deleted.',
        410: lost,
        416: 'The recording has no such range.',
      },
      {
        description: 'Needs no key, for page elements that cannot send one. Supports `Range`.',
        authenticated: false,
      },
    ],
    [
      'get /files/{id}/corrections',
      'What people corrected in the transcript',
      {
        200: answer(keptCorrections, 'Its `ETag` is the revision.'),
        304: 'They are still of the revision of `If-None-Match`.',
      },
      { headers: [{ name: 'If-None-Match', description: 'A revision that is known.', schema: text }] },
    ],
    [
      'post /files/{id}/corrections',
      'Correct the transcript',
      {
        200: answer(correctionRevision, 'Kept.'),
        409: 'The change is of another text, or does not fit the corrections that are there.',
        412: 'Another change came first: read the corrections again and merge.',
        413: 'The change is longer than 8 MiB.',
        428: '`If-Match` is missing.',
      },
      {
        headers: [{ name: 'If-Match', required: true, description: 'The revision that was changed.', schema: text }],
        body: correctionChange,
      },
    ],
    [
      'get /files/{id}/corrected/{format}',
      'The transcript as it is corrected now',
      {
        200: { description: 'In one of the seven formats.', content: { '*/*': binary } },
        409: 'The transcript is newer than its corrections.',
        415: 'It is none of the seven formats.',
      },
    ],
    ['get /files/{id}/corrections/versions', 'Earlier states of the corrections', { 200: correctionVersions }],
    ['get /files/{id}/corrections/versions/{revision}', 'One earlier state', { 200: keptCorrections }],
    [
      'patch /files/{id}/corrections/versions/{revision}',
      'Name an earlier state',
      { 204: nothing },
      { body: newVersionName },
    ],
    ['get /files/{id}/review', 'What is checked, and the review state', { 200: answer(review, reviewTag) }],
    [
      'post /files/{id}/review',
      'Send to review, approve or reopen',
      {
        200: answer(review, reviewTag),
        409: 'The state does not follow, or other corrections came meanwhile.',
        412: 'Another change of the review came first: read it again.',
        428: '`If-Match` is missing.',
      },
      {
        description: 'An approved transcript takes no corrections until it is reopened: made a draft again.',
        headers: [{ name: 'If-Match', required: true, description: 'The revision that was changed.', schema: text }],
        body: newReviewState,
      },
    ],
    [
      'post /files/{id}/review/checks',
      'Check words, or uncheck them',
      { 200: answer(review, reviewTag), 409: 'It is of another text, has no such words, or is approved.' },
      { body: checkChange },
    ],
    [
      'get /files/{id}/caption-report',
      'How the captions keep caption rules',
      { 200: captionReport, 409: 'The order has no subtitle file, or is not ready.' },
      {
        description:
          'Of the text as it is corrected now. What an order with `subtitle_file` gets besides its captions.',
        query: queries({ house: `Whose rules: one of ${captionHouseIds.join(', ')}; the first by default.` }),
      },
    ],
    [
      'post /files/{id}/captioned-video',
      'The recording as a video with captions',
      {
        200: { description: 'MP4, MOV, WebM or MKV; burnt: MP4.', content: { '*/*': binary } },
        409: 'The recording has no picture, or its transcript is not ready.',
        410: lost,
        422: 'The video is damaged, or of a kind that cannot hold captions.',
        429: 'Another video is being made for this account.',
      },
      {
        description: 'Made before it is answered, whole: burnt captions take about as long as the recording.',
        query: queries({
          captions: '`soft`, a track that players can hide, by default; or `burnt`, drawn on the picture.',
          house: `Whose caption rules: one of ${captionHouseIds.join(', ')}; the first by default.`,
        }),
      },
    ],
    [
      'get /files/{id}/peaks',
      'The waveform',
      { 200: { description: 'Peaks.', content: { [binary.contentMediaType]: binary } } },
      { query: queries({ fine: 'As it is kept, else in at most 2,000 peaks.' }) },
    ],
    [
      'get /events',
      'Changes as they happen',
      { 200: { description: 'Server-sent events; `Last-Event-ID` resumes.', content: { 'text/event-stream': text } } },
    ],
  ],
}

/** Parley's own interface alongside `/v1/`: account, keys, payment, usage, files. */
export const accountOperations = operationsOf('/account', resources)
