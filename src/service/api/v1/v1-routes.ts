import type { FastifyInstance, FastifyRequest } from 'fastify'
import { apiBasePath, type Environment } from '../../../contract/interface/environment.ts'
import { metadataHeader, transcriptVersionHeader } from '../../../contract/interface/headers.ts'
import { mediaExtensions } from '../../../contract/interface/media-formats.ts'
import { fileId, fileList } from '../../../contract/interface/metadata.ts'
import { optionMeanings } from '../../../contract/interface/option-table.ts'
import {
  isValueOption,
  listValues,
  optionNames,
  specDefaultOptions,
} from '../../../contract/interface/option-values.ts'
import { servedMimeTypes } from '../../../contract/interface/transcript-formats.ts'
import type { Platform } from '../../platform/platform.ts'
import { ServiceError } from '../../platform/service-error.ts'
import {
  type Answer,
  answer,
  binary,
  describe,
  header,
  type Parameter,
  providerSilent,
  text,
  withRights,
} from '../http/operation.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { requireKey } from '../http/require-key.ts'
import { addRoutes, notAllowed } from '../http/route.ts'
import { getFile, headFile, removeFile, versionQuery } from './file.ts'
import { createFile, listFiles } from './files.ts'
import {
  freeShare,
  knownAlready,
  knownRecording,
  orderLimit,
  orderQuote,
  overLimit,
  overTopUp,
  refunded,
  refundLimit,
  topUpLimit,
  unpaid,
  warned,
} from './order-limit.ts'
import { route } from './v1-route.ts'

/** The options of spec 2.3 as query parameters. Values are case insensitive, which JSON Schema cannot say. */
const optionParameters = optionNames.map((name): Parameter => {
  const description = optionMeanings[name]
  if (!isValueOption(name)) return { in: 'query', name, description, schema: text }
  const schema = { type: 'string', enum: listValues(name), default: specDefaultOptions[name] }
  return { in: 'query', name, description: `${description} Case insensitive.`, schema }
})

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
      'Only if the request or the account chooses which text programs get: `original`, `approved; revision=5` or ' +
      '`corrected; revision=7`. In a request, `original` asks for that.',
    schema: text,
  },
}

const unchanged = 'The copy that `If-None-Match` names is the current one.'

const transcript: Answer = {
  description: 'The transcript. Below 100% always the work-in-progress text, in txt format.',
  headers: transcriptHeaders,
  content: {
    ...Object.fromEntries(Object.values(servedMimeTypes).map((type) => [type, /charset/.test(type) ? text : binary])),
    [servedMimeTypes.json]: { type: 'array', items: { $ref: '#/components/schemas/Word' } },
  },
}
/** One route for a file and its transcripts, as names of formats are read by their own rules (spec 4.4). */
const ofTarget = { url: 'file/:target', exposeHeadRoute: false }
const unsupported = 'Unsupported format; the message lists the supported ones.'

const metadataAnswer: Answer = { description: 'The metadata, in a header.', headers: metadataHeaders }

const orderHeaders = [
  header(
    'Idempotency-Key',
    'Kept for 24 hours: the same key and input give the same answer, and nothing is charged twice.',
    false,
    { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  ),
  orderLimit,
  orderQuote,
  freeShare,
  topUpLimit,
  knownRecording,
  header(
    'Order-Preset',
    'A preset of the order page by its name, percent-encoded: its vocabulary is used beside that of the account. ' +
      'It sets no options.',
  ),
  header(
    'Order-Project',
    'The id of the project that the file goes into. Where an order would exceed its budget the answer is 409, and ' +
      'nothing is ordered or charged. If you have deleted it, the file is in none, and the answer has `Order-Project: none`.',
  ),
  header(
    'Order-Sound',
    'Of a recording with several sound tracks: the number of the one that is heard, from 1; or `each`: each track, of a ' +
      'single one each channel, is recognized alone and is a speaker of its own, named by the title of the track. It ' +
      'costs no more. Without it the default track is heard, else the first that is not silent.',
    false,
    { type: 'string', pattern: '^([1-9][0-9]?|each)$' },
  ),
  header(
    'Order-Batch',
    'Any name of yours for files that you order together: the dashboard shows them on a page of their own.',
    false,
    { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
  ),
  header('Over-Budget', '`yes`: the order is made also where it exceeds the budget of its project.', false, {
    type: 'string',
    enum: ['yes'],
  }),
]
const orderForm = {
  type: 'object',
  properties: {
    file: { ...binary, description: 'The recording, up to 10 GB (10,000,000,000 bytes).' },
    link: { type: 'string', format: 'uri', description: 'A publicly downloadable URL of it.' },
  },
  oneOf: [{ required: ['file'] }, { required: ['link'] }],
}

/** The endpoints of spec 4. A file and its transcript in a format are one route, but two paths in the document. */
const fileRows = withRights(
  [
    route(
      'get /files',
      'List files',
      // Sent as text, as the database made it.
      { 200: answer(fileList, "The account's files, the newest first.") as Answer },
      listFiles,
    ),
    describe('head /files', 'List files, headers alone', { 200: 'The headers of GET.' }),
    route(
      'post /files',
      'Create a file',
      {
        description:
          'Give exactly one of `file` and `link`. The payment method is charged when the file is created. ' +
          `The format is determined from the MIME type of the file and confirmed by its content. Formats: ${mediaExtensions.join(', ')}.`,
        parameters: [...optionParameters, ...orderHeaders],
        body: { required: true, content: { 'multipart/form-data': orderForm } },
        201: {
          ...answer(fileId, 'Created and charged.'),
          headers: {
            'Ignored-Options': {
              description: 'Options that you gave and that have no effect beside the others.',
              schema: text,
            },
            ...warned,
            'Order-Project': {
              description: 'If you named one: the project that the file is in, or `none`.',
              schema: text,
            },
          },
        },
        400: {
          description:
            '`file` (or `link`) is missing, options are wrongly formatted, the recording has no sound, or the order is ' +
            'above `Max-Total-Cents`: then the headers have its price.',
          headers: overLimit.headers,
        },
        402: unpaid,
        404: '`Order-Project`, `Order-Preset` or `Quote-Id` names nothing of this account.',
        408: 'The upload stalled.',
        409: {
          description:
            'The order would exceed a budget or `Max-Top-Up-Cents`, or its quote is for another one, used or expired. Nothing was ordered.',
          headers: { ...overTopUp, ...knownAlready },
        },
        411: 'The account may store only so much, and the request has no Content-Length.',
        413: 'The file size is over 10 GB.',
        415: 'Unsupported file type; the message lists the supported ones.',
        422: 'The Idempotency-Key was used for another input.',
        502: providerSilent,
        http: { config: { readsBody: true } },
      },
      createFile,
    ),
    route(
      'head /file/{file_id}',
      'File metadata',
      { 200: metadataAnswer, 304: unchanged, query: versionQuery, http: ofTarget },
      headFile,
    ),
    route(
      'get /file/{file_id}',
      'Get the transcript as text',
      {
        200: { ...transcript, content: { [servedMimeTypes.txt]: text } },
        304: unchanged,
        query: versionQuery,
        http: ofTarget,
      },
      getFile,
    ),
    describe('get /file/{file_id}.{ext}', 'Get the transcript in a format', {
      200: transcript,
      415: unsupported,
      304: unchanged,
      query: versionQuery,
    }),
    describe('head /file/{file_id}.{ext}', 'File metadata, with the headers of a format', {
      200: { ...metadataAnswer, description: 'The headers of GET.' },
      415: unsupported,
      304: unchanged,
      query: versionQuery,
    }),
    route(
      'delete /file/{file_id}',
      'Delete a file',
      {
        right: 'delete',
        description:
          'Below 60% the file is deleted and a refund proportional to the progress is issued after 1 business day, or to the ' +
          'balance at once if the account has chosen so. From 60 to under 100% nothing changes. At 100% the file is deleted without a refund.',
        200: { description: 'Deleted, with an empty body.', headers: refunded },
        409: {
          description:
            'Progress is 60 or more and not yet 100; retry after 100. Or the refund is below `Min-Refund-Cents`.',
          headers: refunded,
        },
        parameters: [refundLimit],
        http: ofTarget,
      },
      removeFile,
    ),
  ],
  'order',
)
export const v1Resources = { Files: fileRows }

/**
 * Methods of the two resources (spec 4.1, 4.6; decision 6: HEAD of the collection is allowed, POST of a file is not).
 */
const resources = [
  { path: /^files$/, methods: 'GET, HEAD, POST' },
  { path: /^file\/[^/]+$/, methods: 'GET, HEAD, DELETE' },
] as const

/** The error for a request below `/v1/` that matches no route: 405 for a resource, 404 for anything else. */
function refuseMethod({ method, url }: FastifyRequest, base: string): ServiceError {
  const below = new URL(url, 'http://any').pathname.slice(base.length).replace(/\/$/, '')
  const resource = resources.find(({ path }) => path.test(below))
  if (resource === undefined) {
    return new ServiceError(404, 'There is no such resource. Version 1 has files and file/<id>. See /docs.')
  }
  return notAllowed(method, resource.methods)
}

/** The REST interface of one environment, as a plugin to register with the prefix of its base path (spec 4). */
export function v1Routes(platform: Platform, environment: Environment, limits: RateLimits) {
  return async (app: FastifyInstance): Promise<void> => {
    const base = apiBasePath(environment)
    app.decorateRequest('caller')
    app.addHook('onRequest', requireKey(platform, environment, limits))
    app.addHook('onRequest', (request, reply, done) => {
      reply.header('cache-control', 'no-store')
      // This early because Fastify has its own error for a QUERY without body.
      done(request.is404 ? refuseMethod(request, base) : undefined)
    })
    // Handlers read bodies themselves; nothing is parsed before the checks.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _body, done) => done(null))
    addRoutes(app, v1Resources.Files, ({ caller }) => ({ platform, limits, caller }))
    const refuse = (request: FastifyRequest) => {
      throw refuseMethod(request, base)
    }
    // The base itself, with or without its last slash: else it would be answered outside this plugin.
    app.all('/', refuse)
    app.setNotFoundHandler(refuse)
  }
}
