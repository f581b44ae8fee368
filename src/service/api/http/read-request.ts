import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Cursor } from '../../platform/db/pages.ts'
import { ServiceError } from '../../platform/service-error.ts'

function inWords(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') return `Unknown field "${issue.keys[0]}".`
  if (issue.code === 'invalid_value') return `"${path}" must be one of: ${issue.values.join(', ')}.`
  if (issue.code === 'too_big') return `"${path}" is too long or too large; the maximum is ${issue.maximum}.`
  if (issue.code === 'too_small') return `"${path}" is too short or too small; the minimum is ${issue.minimum}.`
  return path === '' ? 'The body must be a JSON object.' : `"${path}" is missing or malformed.`
}

/** More levels than any valid body needs, and few enough for every recursive reader and writer. */
export const maxJsonLevels = 20

function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isNestedDeeper(member, levels - 1))
}

/** Pre-handler hook. @throws ServiceError 400 if the JSON is nested too deeply */
export function checkDepth({ body }: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const isTooDeep = isNestedDeeper(body, maxJsonLevels)
  done(isTooDeep ? new ServiceError(400, `JSON can be nested at most ${maxJsonLevels} levels deep.`) : undefined)
}

/** Parses a request's body. @throws ServiceError 400 naming the first invalid field */
export function readBody<Shape extends z.core.$ZodType>(shape: Shape, request: FastifyRequest): z.core.output<Shape> {
  const read = z.safeParse(shape, request.body ?? undefined)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new ServiceError(400, issue === undefined ? 'The body is malformed.' : inWords(issue))
}

/** Returns a query parameter; null if absent or empty. @throws ServiceError 400 if it is repeated */
export function queryValue(request: FastifyRequest, name: string): string | null {
  const value = (request.query as Record<string, unknown>)[name]
  if (value === undefined || value === '') return null
  if (typeof value === 'string') return value
  throw new ServiceError(400, `${name} is given more than once.`)
}

/** Reads a non-negative integer from the query. @throws ServiceError 400 */
export function queryNumber(request: FastifyRequest, name: string): number | null {
  const value = queryValue(request, name)
  if (value === null) return null
  if (/^\d{1,15}$/.test(value)) return Number(value)
  throw new ServiceError(400, `${name} must be a whole number.`)
}

/** Reads `limit`, the page size, from the query. @throws ServiceError 400 */
export function queryLimit(request: FastifyRequest, normal: number, most: number): number {
  const limit = queryNumber(request, 'limit') ?? normal
  if (limit >= 1 && limit <= most) return limit
  throw new ServiceError(400, `limit must be from 1 to ${most}.`)
}

/** Reads an ISO 8601 instant from the query, as milliseconds since 1970. @throws ServiceError 400 */
export function queryTime(request: FastifyRequest, name: string): number | null {
  const value = queryValue(request, name)
  if (value === null) return null
  const time = /^\d{4}-\d\d-\d\d(T|$)/.test(value) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(time)) return time
  throw new ServiceError(400, `${name} must be an ISO 8601 time, such as 2026-11-01T00:00:00Z.`)
}

/** Reads an enum value from the query. @throws ServiceError 400 */
export function queryChoice<Value extends string>(
  request: FastifyRequest,
  name: string,
  values: readonly Value[],
): Value | null {
  const value = queryValue(request, name)
  const known = values.find((each) => each === value)
  if (value === null || known !== undefined) return known ?? null
  throw new ServiceError(400, `${name} must be one of: ${values.join(', ')}.`)
}

/** Reads `cursor` from the query, as returned with the previous page. @throws ServiceError 400 on anything else */
export function queryCursor(request: FastifyRequest): Cursor | null {
  const value = queryValue(request, 'cursor')
  if (value === null) return null
  const parts = /^(\d{1,15})-([\w-]{1,128})$/.exec(value)
  if (parts !== null) return { createdAt: Number(parts[1]), id: parts[2] ?? '' }
  throw new ServiceError(400, 'cursor must be the next_cursor of a response.')
}
