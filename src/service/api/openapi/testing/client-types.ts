import { openApiDocument } from '../document.ts'

/*
 * Writes `src/client/operations.ts`, the client's types, from the description of the interface:
 *
 *   node src/service/api/openapi/testing/client-types.ts --write
 */

type JsonSchema = {
  type?: string | string[]
  $ref?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  propertyNames?: JsonSchema
  items?: JsonSchema
  prefixItems?: JsonSchema[]
}
type Content = Record<string, { schema: JsonSchema }>
type Described = {
  parameters?: { in: string; name: string; required?: boolean; schema: JsonSchema }[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}

const quoted = (value: unknown) =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : JSON.stringify(value)
const member = (name: string) => (/^[a-z_]\w*$/i.test(name) ? name : quoted(name))
const union = (types: readonly string[]) => [...new Set(types)].join(' | ')

function fieldsType(fields: readonly { name: string; isRequired: boolean; type: string }[]): string {
  return `{ ${fields.map(({ name, isRequired, type }) => `${member(name)}${isRequired ? '' : '?'}: ${type}`).join('; ')} }`
}

function objectType({ properties = {}, required = [], additionalProperties }: JsonSchema): string {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    isRequired: required.includes(name),
    type: typeOf(schema),
  }))
  const others = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'
  return fields.length > 0 ? fieldsType(fields) : `{ [name: string]: ${others} }`
}

function arrayType({ prefixItems, items }: JsonSchema): string {
  if (prefixItems !== undefined) return `[${prefixItems.map(typeOf).join(', ')}]`
  const type = typeOf(items ?? {})
  return type.includes('|') && !type.startsWith('{') ? `(${type})[]` : `${type}[]`
}

/** A JSON schema as a TypeScript type. */
function typeOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.const !== undefined) return quoted(schema.const)
  if (schema.enum !== undefined) return union(schema.enum.map(quoted))
  const several = schema.anyOf ?? (schema.type === undefined ? schema.oneOf : undefined)
  if (several !== undefined) return union(several.map(typeOf))
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })))
  if (schema.type === 'object') return objectType(schema)
  if (schema.type === 'array') return arrayType(schema)
  if (schema.type === 'integer') return 'number'
  return schema.type ?? 'unknown'
}

function bodyType(content: Content): string {
  const types = Object.entries(content).map(([type, { schema }]) => {
    if (type === 'multipart/form-data') return 'FormData'
    return type.includes('json') ? typeOf(schema) : 'Blob | ReadableStream'
  })
  return union(types)
}

/** The type of a success: JSON as it is, nothing as undefined, else the response. */
function answerType(name: string, { responses }: Described): string {
  if (name.startsWith('head ')) return 'Response'
  const types = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => {
      if (content === undefined) return 'undefined'
      const [[type, { schema }] = ['', { schema: {} }], ...others] = Object.entries(content)
      return type.includes('json') && others.length === 0 ? typeOf(schema) : 'Response'
    })
  return union(types)
}

function operationType(name: string, operation: Described): string {
  const fieldsOf = (place: string) =>
    (operation.parameters ?? [])
      .filter((parameter) => parameter.in === place)
      .map(({ name, required = false, schema }) => ({ name, isRequired: required, type: typeOf(schema) }))
  const params = fieldsOf('path')
  const query = fieldsOf('query').map((field) => ({
    ...field,
    type: field.type === 'string' ? 'string | number' : field.type,
  }))
  const { requestBody } = operation
  const parts = [
    ...(params.length === 0 ? [] : [`params: ${fieldsType(params)}`]),
    ...(query.length === 0 ? [] : [`query?: ${fieldsType(query)}`]),
    ...(requestBody === undefined ? [] : [`body${requestBody.required ? '' : '?'}: ${bodyType(requestBody.content)}`]),
    `answer: ${answerType(name, operation)}`,
  ]
  return `  ${quoted(name)}: { ${parts.join('; ')} }`
}

/** The text of `src/client/operations.ts`: every operation but those of staff, in the order of the document. */
export function clientTypes(): string {
  const document = openApiDocument()
  const { schemas } = document.components as unknown as { schemas: Record<string, JsonSchema> }
  const named = Object.entries(schemas)
    .filter(([name]) => name !== 'Error')
    .map(([name, schema]) => `export type ${name} = ${typeOf(schema)}`)
  const operations = Object.entries(document.paths as Record<string, Record<string, Described>>)
    .filter(([path]) => !path.startsWith('/work/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => operationType(`${method} ${path}`, one)),
    )
  return [
    '// Written from the description of the interface; see src/service/api/openapi/testing/client-types.ts.',
    ...named,
    '/** Every operation, by method and path: what it takes, and the JSON that it answers. */',
    'export type Operations = {',
    ...operations,
    '}',
    '',
  ].join('\n')
}

if (process.argv.includes('--write')) {
  const { writeFile } = await import('node:fs/promises')
  await writeFile('src/client/operations.ts', clientTypes())
}
