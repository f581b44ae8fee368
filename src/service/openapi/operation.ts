import type * as z from 'zod/mini'

/** JSON Schema of draft 2020-12, as OpenAPI 3.1 uses it. */
export type Schema = { readonly [keyword: string]: unknown }

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description: string
  schema: Schema
}

export type Answer = {
  description: string
  /** MIME type and schema of the body; absent: an empty body */
  content?: Readonly<Record<string, Schema | z.core.$ZodType>>
  headers?: Readonly<Record<string, { description: string; schema: Schema }>>
}

/** One method of one path, before it becomes OpenAPI. */
export type Operation = {
  method: 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete' | 'options'
  /** from the service's root, with `{name}` for its path parameters */
  path: string
  tag: string
  summary: string
  description?: string
  parameters?: readonly Parameter[]
  body?: { required: boolean; content: Readonly<Record<string, Schema | z.core.$ZodType>> }
  answers: Readonly<Record<number, Answer>>
  /** false where no key is asked for */
  authenticated?: boolean
}
