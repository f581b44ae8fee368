import { metadataHeader, transcriptVersionHeader } from '../../../contract/interface/headers.ts'
import { mediaExtensions } from '../../../contract/interface/media-formats.ts'
import { fileId, fileList } from '../../../contract/interface/metadata.ts'
import { transcriptMimeTypes } from '../../../contract/interface/transcript-formats.ts'
import { type Answer, answer, binary, operationsOf, text } from '../http/operation.ts'
import { optionParameters } from './spec-schemas.ts'

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

const transcriptHeaders = {
  ...metadataHeaders,
  [transcriptVersionHeader]: {
    description:
      'Only where the account has chosen which text programs get: `original`, `approved; revision=5` or ' +
      '`corrected; revision=7`. In a request, `original` asks for that.',
    schema: text,
  },
}

const transcript: Answer = {
  description: 'The transcript. Below 100% always the work-in-progress text, in txt format.',
  headers: transcriptHeaders,
  content: {
    ...Object.fromEntries(
      Object.values(transcriptMimeTypes).map((type) => [type, /charset/.test(type) ? text : binary]),
    ),
    [transcriptMimeTypes.json]: { type: 'array', items: { $ref: '#/components/schemas/Word' } },
  },
}
const unsupported = 'Unsupported format; the message lists the supported ones.'

/** The endpoints of spec 4, relative to the service's root. */
export const specOperations = operationsOf('/v1', {
  Files: [
    ['get /files', 'List files', { 200: answer(fileList, "The account's files, the newest first.") }],
    ['head /files', 'List files, headers alone', { 200: 'The headers of GET.' }],
    [
      'post /files',
      'Create a file',
      {
        201: answer(fileId, 'Created and charged.'),
        400: '`file` (or `link`) is missing, options are wrongly formatted, or the recording has no sound.',
        402: 'No payment method, or the card was declined. Nothing is kept.',
        408: 'The upload stalled.',
        413: 'The file size is over 10 GB.',
        415: 'Unsupported file type; the message lists the supported ones.',
        422: 'The Idempotency-Key was used for another input.',
        507: 'The service is out of storage space. Nothing was charged.',
      },
      {
        description:
          'Give exactly one of `file` and `link`. The payment method is charged when the file is created. ' +
          `The format is determined from the MIME type of the file and confirmed by its content. Formats: ${mediaExtensions.join(', ')}.`,
        query: optionParameters,
        headers: [
          {
            name: 'Idempotency-Key',
            description:
              'Kept for 24 hours: the same key and input give the same answer, and nothing is charged twice.',
            schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
          },
          {
            name: 'Max-Total-Cents',
            description:
              'The most that the order may cost. Above it the answer is 400, and nothing is ordered or charged.',
            schema: { type: 'string', pattern: '^\\d{1,9}$' },
          },
          {
            name: 'Order-Preset',
            description:
              'A preset of the order page by its name, percent-encoded: its vocabulary is used beside that of the account. ' +
              'It sets no options.',
            schema: { type: 'string' },
          },
          {
            name: 'Order-Project',
            description:
              'The id of the project that the file goes into. Where an order would exceed its budget the answer is 409, and ' +
              'nothing is ordered or charged. Where it is gone, the file is in none.',
            schema: { type: 'string' },
          },
          {
            name: 'Over-Budget',
            description: '`yes`: the order is made also where it exceeds the budget of its project.',
            schema: { type: 'string', enum: ['yes'] },
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
      },
    ],
    [
      'head /file/{file_id}',
      'File metadata',
      { 200: { description: 'The metadata, in a header.', headers: metadataHeaders } },
    ],
    [
      'get /file/{file_id}',
      'Get the transcript as text',
      { 200: { ...transcript, content: { [transcriptMimeTypes.txt]: text } } },
    ],
    ['get /file/{file_id}.{ext}', 'Get the transcript in a format', { 200: transcript, 415: unsupported }],
    [
      'head /file/{file_id}.{ext}',
      'File metadata, with the headers of a format',
      { 200: { description: 'The headers of GET.', headers: metadataHeaders }, 415: unsupported },
    ],
    [
      'delete /file/{file_id}',
      'Delete a file',
      { 200: 'Deleted, with an empty body.', 409: 'Progress is 60 or more and not yet 100; retry after 100.' },
      {
        description:
          'Below 60% the file is deleted and a refund proportional to the progress is issued after 1 business day. From 60 to ' +
          'under 100% nothing changes. At 100% the file is deleted without a refund.',
      },
    ],
  ],
})

/** Responses that any operation may give (spec 7, decision 6). */
export const commonAnswers: Readonly<Record<number, Answer>> = {
  400: { description: 'The request is malformed.' },
  401: {
    description: 'The API key is missing or not found.',
    headers: { 'WWW-Authenticate': { description: 'Basic; ApiKey for pages in a browser.', schema: text } },
  },
  403: { description: 'Requests from other sites cannot do this.' },
  405: {
    description: 'The method is not allowed; the message lists the allowed ones, as does `Allow`.',
    headers: { Allow: { description: 'The allowed methods.', schema: text } },
  },
  429: {
    description: 'Too many requests; `Retry-After` says when to retry.',
    headers: { 'Retry-After': { description: 'Whole seconds.', schema: text } },
  },
  500: { description: 'An unexpected error; contact support with the message.' },
  503: { description: 'Temporarily unavailable; the message says why.' },
}
