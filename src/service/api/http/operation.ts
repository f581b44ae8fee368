import type * as z from 'zod/mini'
import { transcriptFormats } from '../../../contract/interface/transcript-formats.ts'

/** JSON Schema of draft 2020-12, as OpenAPI 3.1 uses it. */
export type Schema = { readonly [keyword: string]: unknown }

/** A body by MIME type. */
type Content = Readonly<Record<string, Schema | z.core.$ZodType>>

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description: string
  schema: Schema
}

export type Answer = {
  description: string
  /** absent: an empty body */
  content?: Content
  headers?: Readonly<Record<string, { description: string; schema: Schema }>>
}

type Method = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete' | 'options'

/** One method of one path, before conversion to OpenAPI. */
export type Operation = {
  method: Method
  /** from the service root, with `{name}` for path parameters */
  path: string
  tag: string
  summary: string
  description?: string | undefined
  parameters?: readonly Parameter[] | undefined
  body?: { required: boolean; content: Content } | undefined
  answers: Readonly<Record<number, Answer>>
  /** false if no key is required */
  authenticated?: boolean | undefined
}

/**
 * Shorthand for an operation. `call`: method and path. A response may be a description or a JSON schema; a body is a
 * JSON schema and implies the 400. Path parameters are not repeated, nor is the 404 for an unknown ID.
 */
export type OperationRow = {
  call: `${Method} /${string}`
  summary: string
  answers: Readonly<Record<number, Answer | z.core.$ZodType | string>>
  description?: string
  authenticated?: false
  headers?: readonly Omit<Parameter, 'in'>[]
  query?: readonly Omit<Parameter, 'in'>[]
  body?: z.core.$ZodType | Operation['body']
}

/** The same as a tuple, for routes registered separately. */
export type Row = [
  call: OperationRow['call'],
  summary: string,
  answers: OperationRow['answers'],
  rest?: Omit<OperationRow, 'call' | 'summary' | 'answers'>,
]

export const jsonType = 'application/json; charset=utf-8'
export const text = { type: 'string' }
export const binary = { type: 'string', contentMediaType: 'application/octet-stream' }

export const nothing = 'Done, with an empty body.'
export const unknown = 'Not found in this account.'
export const badBody = 'The body is malformed.'

export type JsonAnswer<Schema> = Answer & { content: { readonly [jsonType]: Schema } }

export function answer<Schema extends z.core.$ZodType>(schema: Schema, description = 'Done.'): JsonAnswer<Schema> {
  return { description, content: { [jsonType]: schema } }
}

/** Optional query parameters by name. */
export function queries(meanings: Record<string, string>): Omit<Parameter, 'in'>[] {
  return Object.entries(meanings).map(([name, description]) => ({ name, description, schema: text }))
}

export const pageQueries = { cursor: '`next_cursor` of the page before.', limit: 'Entries in a page.' }

/** Path parameters, and the 404 message when they match nothing. */
const pathParameters: Record<string, { description: string; schema: Schema; unknown?: string }> = {
  id: { description: 'An identifier of the account.', schema: text, unknown },
  token: { description: 'Valid for two hours at most.', schema: text },
  file_id: {
    description: 'The file identifier that was returned at creation.',
    schema: text,
    unknown: 'Wrong file id, or the file was deleted.',
  },
  ext: { description: 'The format.', schema: { type: 'string', enum: transcriptFormats } },
}

function isSchema(given: object): given is z.core.$ZodType {
  return '_zod' in given
}

function toAnswer(given: Answer | z.core.$ZodType | string): Answer {
  if (typeof given === 'string') return { description: given }
  return isSchema(given) ? answer(given) : given
}

function operationOf(tag: string, base: string, row: OperationRow): Operation {
  const { call, summary, answers, description, authenticated, body, headers = [], query = [] } = row
  const [method, path] = call.split(' ') as [Method, string]
  const isJson = body !== undefined && isSchema(body)
  const given: Record<number, OperationRow['answers'][number]> = { ...(isJson && { 400: badBody }), ...answers }
  const parameters: Parameter[] = []
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    const { unknown, description = '', schema = text } = pathParameters[name] ?? {}
    if (unknown !== undefined) given[404] ??= unknown
    parameters.push({ name, in: 'path', required: true, description, schema })
  }
  for (const each of query) parameters.push({ in: 'query', ...each })
  for (const each of headers) parameters.push({ in: 'header', ...each })
  return {
    ...{ method, path: base + path, tag, summary, description, authenticated },
    parameters: parameters.length === 0 ? undefined : parameters,
    body: isJson ? { required: true, content: { 'application/json': body } } : body,
    answers: Object.fromEntries(Object.entries(given).map(([status, each]) => [status, toAnswer(each)])),
  }
}

/** Builds the operations below a base path, grouped by resource, from routes or from separate rows. */
export function operationsOf(
  base: string,
  resources: Readonly<Record<string, readonly (OperationRow | Row)[]>>,
): Operation[] {
  const rowOf = (row: OperationRow | Row): OperationRow =>
    'call' in row ? row : { call: row[0], summary: row[1], answers: row[2], ...row[3] }
  return Object.entries(resources).flatMap(([tag, rows]) => rows.map((row) => operationOf(tag, base, rowOf(row))))
}
