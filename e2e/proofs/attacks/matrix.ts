import { authorization } from '../../../src/service/testing/ask-api.ts'
import { oddBodies, oddHeaders, oddJson, oddParts } from './odd-values.ts'

type Schema = {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
  minimum?: number
}
type Parameter = { name: string; in: 'path' | 'query' | 'header'; schema: Schema }
type Documented = { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema?: Schema }> } }
export type Described = { paths: Record<string, Record<string, Documented>> }

/** One request, and the odd thing about it in words. */
export type Attack = { odd: string; method: string; path: string; headers: Record<string, string>; body?: string }

/** Ids that the attacked account has, by the name of a parameter or field. */
export type Owned = { [name: string]: string }

const deepest = 5

/**
 * A body that the schema allows, or nearly: what a rule in words asks for is not in it.
 * @param isFull with all fields and no null, so that each is attacked; else what is most likely taken
 */
function makeGood(schema: Schema, owned: Owned, isFull: boolean, name = '', depth = 0): unknown {
  const choices = schema.anyOf ?? schema.oneOf
  const one = (isFull ? undefined : choices?.find(({ type }) => type === 'null')) ?? choices?.[0]
  if (one !== undefined) return makeGood(one, owned, isFull, name, depth)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.properties !== undefined) {
    const entries = Object.entries(schema.properties)
    return Object.fromEntries(entries.map(([key, each]) => [key, makeGood(each, owned, isFull, key, depth + 1)]))
  }
  if (schema.type === 'array')
    return depth > deepest ? [] : [makeGood(schema.items ?? {}, owned, isFull, name, depth + 1)]
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (schema.type === 'boolean') return false
  if (schema.type === 'null') return null
  return owned[name] ?? 'odd'
}

/** The places of a value, each as its path: every field and the first entry of every list. */
function* listPlaces(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, each] of Object.entries(value)) {
    yield [...path, key]
    yield* listPlaces(each, [...path, key])
  }
}

/** The JSON of a value with other JSON in one place. */
function replaceAt(value: unknown, [key, ...rest]: readonly string[], json: string): string {
  if (key === undefined) return json
  const written = Object.entries(value as object).map(([each, inner]) => {
    const text = each === key ? replaceAt(inner, rest, json) : JSON.stringify(inner)
    return Array.isArray(value) ? text : `${JSON.stringify(each)}:${text}`
  })
  return Array.isArray(value) ? `[${written.join()}]` : `{${written.join()}}`
}

const shorten = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}… (${text.length})` : text)

/**
 * Every parameter and every field of the body of one operation, each with every odd value, the others good.
 * @param key of the account or the staff
 */
export function* attackOperation(
  [path, method, operation]: [string, string, Documented],
  key: string,
  owned: Owned,
): Generator<Attack> {
  const parameters = operation.parameters ?? []
  const fill = (odd?: Parameter, value = '') =>
    path.replaceAll(/\{(\w+)\}/g, (_, name) => (odd?.in === 'path' && odd.name === name ? value : (owned[name] ?? 'x')))
  const isUpload = path.startsWith('/uploads')
  const type = Object.keys(operation.requestBody?.content ?? {}).at(-1)
  const headers = {
    authorization: authorization(key),
    ...(isUpload && { 'tus-resumable': '1.0.0', 'upload-length': '10', 'upload-offset': '0' }),
    ...(path.startsWith('/work/api/parts') && { claim: 'x' }),
    ...(type !== undefined && { 'content-type': type }),
  }
  const schema = type?.endsWith('json') ? operation.requestBody?.content[type]?.schema : undefined
  const good = schema === undefined ? undefined : makeGood(schema, owned, false)
  const body = good === undefined ? (type === undefined ? {} : { body: 'odd' }) : { body: JSON.stringify(good) }
  const plain = { method: method.toUpperCase(), headers }
  for (const parameter of parameters) {
    const { name } = parameter
    for (const odd of parameter.in === 'header' ? oddHeaders : oddParts) {
      const words = `${parameter.in} ${name}: ${shorten(odd)}`
      if (parameter.in === 'header')
        yield { ...plain, ...body, odd: words, path: fill(), headers: { ...headers, [name]: odd } }
      else if (parameter.in === 'path') yield { ...plain, ...body, odd: words, path: fill(parameter, odd) }
      else yield { ...plain, ...body, odd: words, path: `${fill()}?${name}=${odd}` }
    }
  }
  if (good === undefined) return
  for (const odd of oddBodies) yield { ...plain, odd: `body ${shorten(odd)}`, path: fill(), body: odd }
  for (const base of [good, makeGood(schema ?? {}, owned, true)]) {
    for (const place of listPlaces(base)) {
      for (const odd of oddJson) {
        const words = `${place.join('.')}: ${shorten(odd)}`
        yield { ...plain, odd: words, path: fill(), body: replaceAt(base, place, odd) }
      }
    }
  }
}
