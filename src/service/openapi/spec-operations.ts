import { mediaExtensions } from '../../contract/media-formats.ts'
import { fileId, fileList } from '../../contract/metadata.ts'
import { metadataHeader } from '../../contract/metadata-header.ts'
import { transcriptFormats, transcriptMimeTypes } from '../../contract/transcript-formats.ts'
import type { Answer, Operation, Parameter } from './operation.ts'
import { optionParameters } from './spec-schemas.ts'

const tag = 'Files'
const json = 'application/json; charset=utf-8'
const text = { type: 'string' }
const binary = { type: 'string', contentMediaType: 'application/octet-stream' }

const fileIdParameter: Parameter = {
  name: 'file_id',
  in: 'path',
  required: true,
  description: 'The file identifier that was returned at creation.',
  schema: text,
}

const metadataHeaders = {
  [metadataHeader]: {
    description: 'JSON string of the metadata, ASCII with \\u escapes: see the schema `FileMetadata`.',
    schema: {
      type: 'string',
      contentMediaType: 'application/json',
      contentSchema: { $ref: '#/components/schemas/FileMetadata' },
    },
  },
  'Content-Disposition': { description: 'Attachment; names the file.', schema: text },
  'Strict-Transport-Security': { description: 'HTTPS only.', schema: text },
}

const transcriptContent: Answer['content'] = {
  ...Object.fromEntries(Object.values(transcriptMimeTypes).map((type) => [type, /charset/.test(type) ? text : binary])),
  [transcriptMimeTypes.json]: { type: 'array', items: { $ref: '#/components/schemas/Word' } },
}

const transcriptAnswer: Answer = {
  description: 'The transcript. Below 100 % always the work-in-progress text, in txt format.',
  headers: metadataHeaders,
  content: transcriptContent,
}

const extParameter: Parameter = {
  name: 'ext',
  in: 'path',
  required: true,
  description: 'The format.',
  schema: { type: 'string', enum: transcriptFormats },
}

const unsupportedFormat = 'Unsupported format; the message lists the supported ones.'
const notFound = 'Wrong file id, or the file was deleted.'

/** The endpoints of spec 4, relative to the service's root. */
export const specOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/v1/files',
    tag,
    summary: 'List files',
    answers: { 200: { description: "The account's files, the newest first.", content: { [json]: fileList } } },
  },
  {
    method: 'head',
    path: '/v1/files',
    tag,
    summary: 'List files, headers alone',
    answers: { 200: { description: 'The headers of GET.' } },
  },
  {
    method: 'post',
    path: '/v1/files',
    tag,
    summary: 'Create a file',
    description:
      'Give exactly one of `file` and `link`. The payment method is charged when the file is created. ' +
      `The format is determined from the MIME type of the file and confirmed by its content. Formats: ${mediaExtensions.join(', ')}.`,
    parameters: [
      ...optionParameters,
      {
        name: 'Idempotency-Key',
        in: 'header',
        description: 'Kept for 24 hours: the same key and input give the same answer, and nothing is charged twice.',
        schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
      },
    ],
    body: {
      required: true,
      content: {
        'multipart/form-data': {
          type: 'object',
          properties: {
            file: { ...binary, description: 'The recording, up to 10 GB (10,000,000,000 bytes).' },
            link: { type: 'string', format: 'uri', description: 'A publicly downloadable URL of it.' },
          },
          oneOf: [{ required: ['file'] }, { required: ['link'] }],
        },
      },
    },
    answers: {
      201: { description: 'Created and charged.', content: { [json]: fileId } },
      400: {
        description: '`file` (or `link`) is missing, options are wrongly formatted, or the recording has no sound.',
      },
      402: { description: 'No payment method, or the card was declined. Nothing is kept.' },
      408: { description: 'The body fell silent.' },
      413: { description: 'The file size is over 10 GB.' },
      415: { description: 'Unsupported file type; the message lists the supported ones.' },
      422: { description: 'The Idempotency-Key was used for another input.' },
      507: { description: 'The service has no room left on its disk. Nothing was charged.' },
    },
  },
  {
    method: 'head',
    path: '/v1/file/{file_id}',
    tag,
    summary: 'File metadata',
    parameters: [fileIdParameter],
    answers: {
      200: { description: 'The metadata, in a header.', headers: metadataHeaders },
      404: { description: notFound },
    },
  },
  {
    method: 'get',
    path: '/v1/file/{file_id}',
    tag,
    summary: 'Get the transcript as text',
    parameters: [fileIdParameter],
    answers: {
      200: { ...transcriptAnswer, content: { [transcriptMimeTypes.txt]: text } },
      404: { description: notFound },
    },
  },
  {
    method: 'get',
    path: '/v1/file/{file_id}.{ext}',
    tag,
    summary: 'Get the transcript in a format',
    parameters: [fileIdParameter, extParameter],
    answers: {
      200: transcriptAnswer,
      404: { description: notFound },
      415: { description: unsupportedFormat },
    },
  },
  {
    method: 'head',
    path: '/v1/file/{file_id}.{ext}',
    tag,
    summary: 'File metadata, with the headers of a format',
    parameters: [fileIdParameter, extParameter],
    answers: {
      200: { description: 'The headers of GET.', headers: metadataHeaders },
      404: { description: notFound },
      415: { description: unsupportedFormat },
    },
  },
  {
    method: 'delete',
    path: '/v1/file/{file_id}',
    tag,
    summary: 'Delete a file',
    description:
      'Below 60 % the file goes and a refund proportional to the progress is issued after 1 business day. From 60 to ' +
      'under 100 % nothing changes. At 100 % the file goes without refund.',
    parameters: [fileIdParameter],
    answers: {
      200: { description: 'Deleted, with an empty body.' },
      404: { description: notFound },
      409: { description: 'Progress is 60 or more and not yet 100; retry after 100.' },
    },
  },
]

/** Answers that any operation may give (spec 7, decision 6). */
export const commonAnswers: Readonly<Record<number, Answer>> = {
  400: { description: 'The request is not well formed.' },
  401: {
    description: 'The API key is missing or not found.',
    headers: { 'WWW-Authenticate': { description: 'Basic; for pages of a browser ApiKey.', schema: text } },
  },
  403: { description: 'A page of another site may not do this.' },
  405: {
    description: 'The method is not allowed; the message lists the allowed ones, as does `Allow`.',
    headers: { Allow: { description: 'The allowed methods.', schema: text } },
  },
  429: {
    description: 'Too many requests; `Retry-After` says when to come back.',
    headers: { 'Retry-After': { description: 'Whole seconds.', schema: text } },
  },
  500: { description: 'An unexpected error; contact support with the message.' },
  503: { description: 'Not at present; the message says why.' },
}
