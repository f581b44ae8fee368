import type * as z from 'zod/mini'
import type { KeyRight } from '../../../contract/account/key-limits.ts'
import { servedFormats } from '../../../contract/interface/transcript-formats.ts'
import type { QueryField } from './read-request.ts'

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
  /** what the key must be allowed to do; absent for staff */
  right?: KeyRight | undefined
}

/**
 * What a route reads and answers, beside its handler. A response, by status, may be a description or a JSON schema; a
 * body is a JSON schema and implies the 400. Path parameters are not repeated, nor is the 404 for an unknown ID.
 */
export type Details = {
  readonly [status: number]: Answer | z.core.$ZodType | string
  description?: string
  authenticated?: false
  /** what the key must be allowed to do: `read` by default, for routes that change nothing */
  right?: KeyRight
  /** open to keys that are limited to projects: it shows and changes nothing outside of these */
  withinProjects?: true
  /** open to accounts that are closed, though it is no reading */
  whileClosed?: true
  query?: Readonly<Record<string, QueryField<unknown>>>
  /** headers, and parameters of the query that the handler reads itself */
  parameters?: readonly Parameter[]
  body?: z.core.$ZodType | Operation['body']
}

/** The shorthand for an operation. `call`: method and path below the base. */
export type OperationRow = Details & { call: `${Method} /${string}`; summary: string }

/** Describes what is registered with another row's route. */
export function describe(call: OperationRow['call'], summary: string, details: Details): OperationRow {
  return { ...details, call, summary }
}

export const jsonType = 'application/json; charset=utf-8'
export const text = { type: 'string' }
export const binary = { type: 'string', contentMediaType: 'application/octet-stream' }

export const nothing = 'Done, with an empty body.'
export const unknown = 'Not found in this account.'
export const providerSilent = 'The payment provider refused, or did not answer. Nothing was kept.'
export const badBody = 'The body is malformed.'
export const lost = 'The recording is lost on the service; the rest of the file is not affected.'

export type JsonAnswer<Schema> = Answer & { content: { readonly [jsonType]: Schema } }

export function answer<Schema extends z.core.$ZodType>(schema: Schema, description = 'Done.'): JsonAnswer<Schema> {
  return { description, content: { [jsonType]: schema } }
}

export function header(name: string, description: string, isRequired = false, schema: Schema = text): Parameter {
  return { in: 'header', name, ...(isRequired && { required: true }), description, schema }
}

/** Path parameters, and the 404 message when they match nothing. */
const pathParameters: Record<string, { description: string; schema: Schema; unknown?: string }> = {
  id: { description: 'An identifier of the account.', schema: text, unknown },
  token: { description: 'Opens what it was made for, until it expires.', schema: text },
  file_id: {
    description: 'The file identifier that was returned at creation.',
    schema: text,
    unknown: 'Wrong file id, or the file was deleted.',
  },
  ext: { description: 'The format.', schema: { type: 'string', enum: servedFormats } },
}

export function isSchema(given: object): given is z.core.$ZodType {
  return '_zod' in given
}

function toAnswer(given: Answer | z.core.$ZodType | string): Answer {
  if (typeof given === 'string') return { description: given }
  return isSchema(given) ? answer(given) : given
}

function toOperation(tag: string, base: string, row: OperationRow): Operation {
  const { call, summary, description, authenticated, right, body, query = {}, parameters: others = [] } = row
  const [method, path] = call.split(' ') as [Method, string]
  const isJson = body !== undefined && isSchema(body)
  const given: Record<number, Details[number]> = isJson ? { 400: badBody } : {}
  for (const status of listStatuses(row)) given[status] = row[status] ?? ''
  const parameters: Parameter[] = []
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    const { unknown, description = '', schema = text } = pathParameters[name] ?? {}
    if (unknown !== undefined) given[404] ??= unknown
    parameters.push({ name, in: 'path', required: true, description, schema })
  }
  for (const [name, { description, schema = text }] of Object.entries(query)) {
    parameters.push({ in: 'query', name, description, schema })
  }
  parameters.push(...others)
  return {
    // The base itself is answered without a last slash, too.
    ...{ method, path: path === '/' ? base : base + path, tag, summary, description, authenticated, right },
    parameters: parameters.length === 0 ? undefined : parameters,
    body: isJson ? { required: true, content: { 'application/json': body } } : body,
    answers: Object.fromEntries(Object.entries(given).map(([status, each]) => [status, toAnswer(each)])),
  }
}

/** The statuses a route answers with, ascending. */
export function listStatuses(details: Details): number[] {
  return Object.keys(details).map(Number).filter(Number.isInteger)
}

/**
 * Says what a key must be allowed to do for routes that do not say it themselves.
 * @param change for those that change something
 * @param read for the others
 */
export function withRights<Row extends OperationRow>(
  rows: readonly Row[],
  change: KeyRight,
  read: KeyRight = 'read',
): Row[] {
  return rows.map((row) => ({ right: /^(get|head|options) /.test(row.call) ? read : change, ...row }))
}

/** Routes by resource, as they are grouped in the document. */
export type Resources<Row extends OperationRow = OperationRow> = Readonly<Record<string, readonly Row[]>>

/** The operations of routes below a base path. */
export function toOperations(base: string, resources: Resources): Operation[] {
  return Object.entries(resources).flatMap(([tag, rows]) => rows.map((row) => toOperation(tag, base, row)))
}
