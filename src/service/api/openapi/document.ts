import * as z from 'zod/mini'
import { errorBody } from '../../../contract/common/errors.ts'
import { fileMetadata } from '../../../contract/interface/metadata.ts'
import { wordRecord } from '../../../contract/interface/words.ts'
import { type Answer, jsonType, type Operation, type Schema } from '../http/operation.ts'
import { accountOperations } from './account-operations.ts'
import { commonAnswers, specOperations } from './spec-operations.ts'
import { metadataMeanings, wordMeanings } from './spec-schemas.ts'
import { uploadOperations } from './upload-operations.ts'
import { webhookOperations } from './webhook-operations.ts'
import { workOperations } from './work-operations.ts'

/** Every documented operation. A folder with routes adds its list here. */
const operations: readonly Operation[] = [
  ...specOperations,
  ...accountOperations,
  ...webhookOperations,
  ...uploadOperations,
  ...workOperations,
]

function toJsonSchema(schema: Schema | z.core.$ZodType): Schema {
  if (!('_zod' in schema)) return schema as Schema
  const { $schema: _, ...rest } = z.toJSONSchema(schema as z.core.$ZodType)
  return rest
}

/** A zod object's JSON schema, with a description for each field. */
function described(schema: z.core.$ZodType, meanings: Readonly<Record<string, string>>): Schema {
  const plain = toJsonSchema(schema) as { properties: Record<string, Schema> }
  const properties = Object.entries(plain.properties).map(([name, property]) => [
    name,
    { ...property, description: meanings[name] },
  ])
  return { ...plain, properties: Object.fromEntries(properties) }
}

function contentOf(content: Answer['content']) {
  if (content === undefined) return undefined
  return Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema: toJsonSchema(schema) }]))
}

const errorContent = {
  [jsonType]: { schema: { $ref: '#/components/schemas/Error' } },
}

function answersOf(operation: Operation) {
  const answers = operation.authenticated === false ? operation.answers : { ...commonAnswers, ...operation.answers }
  return Object.fromEntries(
    Object.entries(answers).map(([status, { content, ...rest }]) => [
      status,
      // HEAD has no body, whatever the status (RFC 9110, 9.3.2).
      {
        ...rest,
        content: operation.method === 'head' ? undefined : Number(status) >= 400 ? errorContent : contentOf(content),
      },
    ]),
  )
}

function operationObject(operation: Operation) {
  const { method, path, tag, summary, description, parameters, body } = operation
  return {
    operationId: `${method}${path.replaceAll(/[^a-z]+/gi, '_')}`.replace(/_$/, ''),
    tags: [tag],
    summary,
    description,
    parameters,
    requestBody: body && { required: body.required, content: contentOf(body.content) },
    responses: answersOf(operation),
    security: operation.authenticated === false ? [] : undefined,
  }
}

const description =
  'Upload a recording or give a link to one, follow its progress, download its transcript in seven formats, delete it. ' +
  'Every error is a JSON object with an `error` string. Paths under `/v1/` are the service; those under ' +
  '`/account/` are an extension of it. Those under `/work/api/` are for the staff of whoever runs it, with keys of their ' +
  'own. Data in the sandbox is kept for 24 hours.'

/** Generates the OpenAPI 3.1 document from the contract, as plain JSON data. @param supportEmail null if none is set */
export function openApiDocument(supportEmail: string | null = null) {
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
      contact: supportEmail === null ? undefined : { name: 'Support', email: supportEmail },
    },
    servers: [
      { url: '/', description: 'Live' },
      { url: '/sandbox', description: 'Sandbox: its own keys and data, kept for 24 hours' },
    ],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ apiKey: [] }],
    paths,
    webhooks: {
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
                  properties: { id: { type: 'string' } },
                  required: ['id'],
                  additionalProperties: false,
                },
              },
            },
          },
          responses: { '2XX': { description: 'Received. Anything else is retried for up to three days.' } },
        },
      },
    },
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'basic', description: 'The API key is the user name; the password is empty.' },
      },
      schemas: {
        Error: toJsonSchema(errorBody),
        FileMetadata: described(fileMetadata, metadataMeanings),
        Word: described(wordRecord, wordMeanings),
      },
    },
  }
}
