import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Repeatable } from '../../orders/money/idempotency.ts'
import type { Cursor } from '../../platform/db/pages.ts'
import { refineJson } from '../../platform/refine-text.ts'
import { ServiceError } from '../../platform/service-error.ts'

/** What a value must be, by the names of zod. */
const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  datetime: 'an ISO 8601 time, such as 2026-11-01T00:00:00Z',
  url: 'a URL',
}

function inWords(issue: z.core.$ZodIssue, body: unknown): string {
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') return `Unknown field "${issue.keys[0]}".`
  if (issue.code === 'invalid_value') return `"${path}" must be one of: ${issue.values.join(', ')}.`
  if (issue.code === 'too_big') return `"${path}" is too long or too large; the maximum is ${issue.maximum}.`
  if (issue.code === 'too_small') return `"${path}" is too short or too small; the minimum is ${issue.minimum}.`
  if (path === '') return 'The body must be a JSON object, sent with Content-Type: application/json.'
  const value = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], body)
  const kind =
    issue.code === 'invalid_format'
      ? kinds[issue.format]
      : issue.code === 'invalid_type'
        ? kinds[issue.expected]
        : undefined
  if (value === undefined) return `"${path}" is missing${kind === undefined ? '' : `: it must be ${kind}`}.`
  return kind === undefined ? `"${path}" is malformed.` : `"${path}" must be ${kind}.`
}

/** More levels than any valid body needs, and few enough for every recursive reader and writer. */
export const maxJsonLevels = 20

function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isNestedDeeper(member, levels - 1))
}

/**
 * Hook before every handler: all text that comes in is text that can be stored (`refineText`). Headers that hold encoded
 * text are refined where they are decoded.
 * @throws ServiceError 400 if the path has U+0000, or the JSON is nested too deeply
 */
export function refineRequest(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const { params, query, body } = request
  if (Object.values(params ?? {}).some((value) => String(value).includes('\0'))) {
    done(new ServiceError(400, 'The path has the character U+0000, which no address has.'))
  } else if (isNestedDeeper(body, maxJsonLevels)) {
    done(new ServiceError(400, `JSON can be nested at most ${maxJsonLevels} levels deep.`))
  } else {
    refineJson(query)
    if (!Buffer.isBuffer(body)) request.body = refineJson(body)
    done()
  }
}

/** Parses a request's body. @throws ServiceError 400 naming the first invalid field */
export function readBody<Shape extends z.core.$ZodType>(shape: Shape, request: FastifyRequest): z.core.output<Shape> {
  const read = z.safeParse(shape, request.body ?? undefined)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new ServiceError(400, issue === undefined ? 'The body is malformed.' : inWords(issue, request.body))
}

/** A query parameter: what it is for, and its value, read when a request arrives. `read` throws ServiceError 400. */
export type QueryField<Value> = {
  description: string
  /** absent: text */
  schema?: { readonly [keyword: string]: unknown }
  read(request: FastifyRequest, name: string): Value
}

/** Returns a query parameter; null if absent or empty. @throws ServiceError 400 if it is repeated */
function readText(request: FastifyRequest, name: string): string | null {
  const value = (request.query as Record<string, unknown>)[name]
  if (value === undefined || value === '') return null
  if (typeof value === 'string') return value
  throw new ServiceError(400, `${name} is given more than once.`)
}

/** @throws ServiceError 400 if the query has a parameter that `known` does not name */
export function refuseUnknownQuery({ query, method }: FastifyRequest, known: readonly string[]): void {
  const unknown = Object.keys(query ?? {}).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const taken = known.length === 0 ? 'no parameters' : `only ${known.join(', ')}`
  throw new ServiceError(400, `"${unknown}" is not a parameter here: this ${method} takes ${taken}.`)
}

/** A field that is null if absent. @param parse returns undefined to refuse a value, which then "must be …" */
function field<Value>(description: string, must: string, parse: (value: string) => Value | undefined) {
  return {
    description,
    read(request: FastifyRequest, name: string): Value | null {
      const value = readText(request, name)
      if (value === null) return null
      const parsed = parse(value)
      if (parsed !== undefined) return parsed
      throw new ServiceError(400, `${name} must be ${must}.`)
    },
  }
}

export const textQuery = (description: string): QueryField<string | null> => ({ description, read: readText })

/** True if the parameter is there, whatever its value. */
export const flagQuery = (description: string): QueryField<boolean> => ({
  description,
  read: ({ query }, name) => (query as Record<string, unknown>)[name] !== undefined,
})

/** A non-negative integer. */
export const numberQuery = (description: string) => ({
  ...field(description, 'a whole number', (value) => (/^\d{1,15}$/.test(value) ? Number(value) : undefined)),
  schema: { type: 'integer', minimum: 0 },
})

/** An ISO 8601 instant, as milliseconds since 1970. */
export const timeQuery = (description: string) => ({
  ...field(description, kinds.datetime ?? '', (value) => {
    const time = /^\d{4}-\d\d-\d\d(T|$)/.test(value) ? Date.parse(value) : Number.NaN
    return Number.isNaN(time) ? undefined : time
  }),
  schema: { type: 'string', format: 'date-time' },
})

/** A month, such as `2026-11`. */
export const monthQuery = (description: string) =>
  field(description, 'a month, such as 2026-11', (value) =>
    /^20\d\d-(0[1-9]|1[0-2])$/.test(value) ? value : undefined,
  )

export const choiceQuery = <Value extends string>(values: readonly Value[], description: string) => ({
  ...field(description, `one of: ${values.join(', ')}`, (value) => values.find((each) => each === value)),
  schema: { type: 'string', enum: [...values] },
})

/**
 * The next page of a list: `cursor`, as returned with the page before; `limit`, at most `most`, else `normal`.
 * @param ids of the rows: SQLite sorts all text after numbers, and PostgreSQL compares only its own types
 */
export const pageQuery = (normal: number, most: number, ids: 'text' | 'number' = 'text') => ({
  cursor: field('`next_cursor` of the page before.', 'the next_cursor of a response', (value): Cursor | undefined => {
    const [, createdAt, id] = /^(\d{1,15})-([\w-]{1,128})$/.exec(value) ?? []
    if (id === undefined || (ids === 'number' && !/^\d{1,15}$/.test(id))) return undefined
    return { createdAt: Number(createdAt), id: ids === 'number' ? Number(id) : id }
  }),
  limit: limitQuery(normal, most),
})

export function limitQuery(normal: number, most: number): QueryField<number> {
  const { description, read } = numberQuery('Entries in a page.')
  return {
    description,
    schema: { type: 'integer', minimum: 1, maximum: most, default: normal },
    read(request, name) {
      const limit = read(request, name) ?? normal
      if (limit >= 1 && limit <= most) return limit
      throw new ServiceError(400, `limit must be from 1 to ${most}.`)
    },
  }
}

/**
 * Reads the revision in `If-Match`; `what` names the resource in errors, e.g. `the corrections`.
 * @throws ServiceError 428, 400
 */
export function readExpectedRevision({ headers }: FastifyRequest, what: string): number {
  const given = headers['if-match']
  if (given === undefined) throw new ServiceError(428, `Say which state of ${what} was changed: If-Match: "revision".`)
  const revision = /^"(\d{1,10})"$/.exec(given)?.[1]
  if (revision === undefined) throw new ServiceError(400, `If-Match must be the ETag of ${what}, such as "3".`)
  return Number(revision)
}

/**
 * Reads the client's `Idempotency-Key` (decision 7), null if absent.
 * @throws ServiceError 400 if malformed
 */
export function parseIdempotencyKey(header: string | string[] | undefined): Repeatable | null {
  if (header === undefined) return null
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return { key: header }
  throw new ServiceError(400, 'Idempotency-Key takes 1 to 255 visible ASCII characters.')
}
