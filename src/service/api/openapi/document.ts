import * as z from 'zod/mini'
import { type KeyRight, keyRights } from '../../../contract/account/key-limits.ts'
import { errorBody } from '../../../contract/common/errors.ts'
import { fileMetadata } from '../../../contract/interface/metadata.ts'
import { wordRecord } from '../../../contract/interface/words.ts'
import { accountResources } from '../account/account-routes.ts'
import { type Answer, jsonType, type Operation, type Schema, text, toOperations } from '../http/operation.ts'
import { uploadResources } from '../uploads/upload-routes.ts'
import { v1Resources } from '../v1/v1-routes.ts'
import { workResources } from '../work/work-routes.ts'
import { withMeanings } from './field-meanings.ts'

/** Every documented operation by whom it is for: the same rows that the interfaces register. */
const parts = {
  customers: [...toOperations('/v1', v1Resources), ...toOperations('/uploads', uploadResources)],
  account: toOperations('/account', accountResources),
  staff: toOperations('/work/api', workResources),
}
export type DocumentPart = keyof typeof parts
export const documentParts = Object.keys(parts) as readonly DocumentPart[]

const meanings: Readonly<Record<string, string>> = {
  Files: 'Recordings and their transcripts: the interface that customers were promised.',
  'Resumable uploads': 'Sending a recording in parts, by the protocol tus 1.0.0.',
  Account: 'Who signed in, the settings of the account and of its orders.',
  Vocabulary: 'Names and terms that recognition and corrections know.',
  'API keys': 'Making, naming and revoking keys.',
  Payment: 'The saved payment method.',
  Usage: 'What was ordered and charged, and receipts.',
  Log: 'What was done in the account, by which key.',
  Search: 'Words in all transcripts.',
  Projects: 'Groups of files with a budget, defaults and rules of their own.',
  'File pages': 'What the pages of the dashboard read and change of files: labels, corrections, captions, sound.',
  Webhook: 'Where events are sent, and what became of them.',
  'Sandbox tools': 'Files whose progress you set, to try a program against every state.',
  Work: 'Typing, reviewing and managing manual orders.',
}

/** Responses that any operation may give (spec 7, decision 6). */
const commonAnswers: Readonly<Record<number, Answer>> = {
  308: { description: 'Plain HTTP is redirected to HTTPS.' },
  400: { description: 'The request is malformed.' },
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

function toJsonSchema(schema: Schema | z.core.$ZodType): Schema {
  if (!('_zod' in schema)) return schema as Schema
  const { $schema: _, ...rest } = z.toJSONSchema(schema as z.core.$ZodType)
  return withMeanings(rest)
}

function describeContent(content: Answer['content']) {
  if (content === undefined) return undefined
  return Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema: toJsonSchema(schema) }]))
}

const errorContent = {
  [jsonType]: { schema: { $ref: '#/components/schemas/Error' } },
}

/** Of operations that need a key. */
const keyAnswers: Readonly<Record<number, Answer>> = {
  401: {
    description: 'The API key is missing or not found.',
    headers: { 'WWW-Authenticate': { description: 'Basic; ApiKey for pages in a browser.', schema: text } },
  },
}

/** Of operations that change something. */
const changeAnswers: Readonly<Record<number, Answer>> = {
  413: { description: 'The body is too large.' },
  415: { description: 'The body has a Content-Encoding.' },
  507: { description: 'The service is out of storage space. Nothing was changed or charged.' },
}

/** True for an answer that many operations may give, which pages describe once. */
export function isCommonAnswer(status: number, description: string): boolean {
  const refused = keyRights.map((right) => ({ 403: refusedKey(right) }))
  const common: Operation['answers'][] = [commonAnswers, keyAnswers, changeAnswers, ...refused]
  return common.some((answers) => answers[status]?.description === description)
}

function refusedKey(right: KeyRight): Answer {
  return { description: `The key lacks the right \`${right}\`, or the request comes from another site.` }
}

function listAnswers({ method, authenticated, right, answers }: Operation): Operation['answers'] {
  const isRead = method === 'get' || method === 'head' || method === 'options'
  return {
    ...commonAnswers,
    ...(authenticated !== false && keyAnswers),
    ...(authenticated !== false && right !== undefined && { 403: refusedKey(right) }),
    ...(!isRead && changeAnswers),
    ...answers,
  }
}

/** The statuses of every operation, by method and path: `GET /v1/files`. */
export function documentedStatuses(): Map<string, ReadonlySet<number>> {
  const operations = Object.values(parts).flat()
  return new Map(
    operations.map((operation) => [
      `${operation.method.toUpperCase()} ${operation.path}`,
      new Set(Object.keys(listAnswers(operation)).map(Number)),
    ]),
  )
}

function describeAnswers(operation: Operation) {
  const answers = listAnswers(operation)
  return Object.fromEntries(
    Object.entries(answers).map(([status, { content, ...rest }]) => [
      status,
      // HEAD has no body, whatever the status (RFC 9110, 9.3.2).
      {
        ...rest,
        content:
          operation.method === 'head' ? undefined : Number(status) >= 400 ? errorContent : describeContent(content),
      },
    ]),
  )
}

/** The right that the key needs is listed as a role, which OpenAPI 3.1 allows for any scheme. */
function describeSecurity({ authenticated, right }: Operation) {
  if (authenticated === false) return []
  return right === undefined ? undefined : [{ apiKey: [right] }]
}

function operationObject(operation: Operation) {
  const { method, path, tag, summary, description, parameters, body } = operation
  return {
    operationId: `${method}${path.replaceAll(/[^a-z0-9]+/gi, '_')}`.replace(/_$/, ''),
    tags: [tag],
    summary,
    description,
    parameters,
    requestBody: body && { required: body.required, content: describeContent(body.content) },
    responses: describeAnswers(operation),
    security: describeSecurity(operation),
  }
}

const description =
  'Upload a recording or give a link to one, follow its progress, download its transcript in many formats, delete it. ' +
  'Every error is a JSON object with an `error` string. Paths under `/v1/` are the service; those under ' +
  '`/account/` are an extension of it. Those under `/work/api/` are for the staff of whoever runs it, with keys of their ' +
  'own. Every answer has a `Request-Id`, which support can look up. Data in the sandbox is kept for 24 hours.'

const webhooks = {
  progress: {
    post: {
      operationId: 'progress',
      summary: 'Sent to the webhook URL on every progress update of a file',
      description: 'Read the progress with HEAD afterwards. Signed by the headers of Standard Webhooks.',
      requestBody: {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: { id: { type: 'string', description: 'Id of the file.' } },
              required: ['id'],
              additionalProperties: false,
            },
          },
        },
      },
      responses: { '2XX': { description: 'Received. Anything else is retried for up to three days.' } },
    },
  },
}

/**
 * Generates the OpenAPI 3.1 document from the contract, as plain JSON data.
 * @param supportEmail null if none is set
 * @param part only what is for some readers; null: all
 */
export function openApiDocument(supportEmail: string | null = null, part: DocumentPart | null = null) {
  const isForCustomers = part === null || part === 'customers'
  const operations: readonly Operation[] = part === null ? Object.values(parts).flat() : parts[part]
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: operationObject(operation) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley: transcription service',
      version: '1',
      description,
      license: { name: 'UNLICENSED', identifier: 'LicenseRef-UNLICENSED' },
      contact: supportEmail === null ? undefined : { name: 'Support', email: supportEmail },
    },
    servers: [
      { url: '/', description: 'Live' },
      { url: '/sandbox', description: 'Sandbox: its own keys and data, kept for 24 hours' },
    ],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name, description: meanings[name] ?? name })),
    security: [{ apiKey: [] }],
    paths,
    webhooks: isForCustomers ? webhooks : undefined,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'basic',
          description:
            'The API key is the user name; the password is empty. The right that an operation needs is listed with it.',
        },
      },
      schemas: {
        Error: toJsonSchema(errorBody),
        ...(isForCustomers && {
          FileMetadata: toJsonSchema(fileMetadata),
          Word: toJsonSchema(wordRecord),
        }),
      },
    },
  }
}
