import type * as z from 'zod/mini'
import type { Answer, Operation, Parameter } from './operation.ts'

const json = 'application/json; charset=utf-8'
export const text = { type: 'string' }

export function answer(schema: z.core.$ZodType, description = 'Done.'): Answer {
  return { description, content: { [json]: schema } }
}

export const nothing: Answer = { description: 'Done, with an empty body.' }
export const badBody: Answer = { description: 'The body is not of the form asked for.' }
export const unknown: Answer = { description: 'There is no such thing in this account.' }

/** A required JSON body, in any of some media types. */
export function jsonBody(
  schema: z.core.$ZodType,
  types: readonly string[] = ['application/json'],
): NonNullable<Operation['body']> {
  return { required: true, content: Object.fromEntries(types.map((type) => [type, schema])) }
}

export const id: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'An identifier of the account.',
  schema: text,
}

export function queries(meanings: Record<string, string>): Parameter[] {
  return Object.entries(meanings).map(([name, description]) => ({ name, in: 'query', description, schema: text }))
}

export const pageQueries = { cursor: '`next_cursor` of the page before.', limit: 'Entries in a page.' }
export const timeQueries = { from: 'ISO 8601, included.', to: 'ISO 8601, not included.' }

/** An operation of the account interface: method, path below `/account`, summary, and the rest. */
export type Row = [
  method: Operation['method'],
  path: string,
  summary: string,
  rest: Pick<Operation, 'description' | 'parameters' | 'body' | 'answers' | 'authenticated'>,
]

/** The operations of the account interface from rows by resource. */
export function operationsOf(resources: Readonly<Record<string, readonly Row[]>>): Operation[] {
  return Object.entries(resources).flatMap(([tag, rows]) =>
    rows.map(([method, path, summary, rest]) => ({ method, path: `/account${path}`, tag, summary, ...rest })),
  )
}
