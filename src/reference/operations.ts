import type { Schema } from '../service/api/http/operation.ts'
import { isCommonAnswer, type openApiDocument } from '../service/api/openapi/document.ts'
import { schemaTable, table, typeText } from './schema-tables.ts'

type Content = Record<string, { schema: Schema }>
type Shown = {
  summary: string
  description?: string
  /** none: no key; absent: the document's */
  security?: readonly { apiKey?: readonly string[] }[]
  parameters?: { name: string; in: string; required?: boolean; description: string; schema: Schema }[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<
    string,
    { description: string; headers?: Record<string, { description: string }>; content?: Content }
  >
}
type Operation = { method: string; path: string; shown: Shown }

/** Every operation of the document, in its order. */
export function listOperations({ paths }: ReturnType<typeof openApiDocument>): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Shown>).map(([method, shown]) => ({ method, path, shown })),
  )
}

/** The anchor of an operation: `post-v1-files`. */
export function operationId({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method}${path.replaceAll(/[^a-z0-9]+/gi, '-')}`.replace(/-$/, '')
}

function parameterTable(parameters: Shown['parameters'] = []): string {
  const rows = parameters.map(({ name, in: place, required, description, schema }) => {
    const type = schema.type === 'string' && schema.enum === undefined ? '' : ` ${typeText(schema)}`
    const standard = schema.default === undefined ? '' : ` Default: \`${schema.default}\`.`
    return [`\`${name}\``, `${place}${required ? ', required' : ''}`, `${description}${type}${standard}`]
  })
  return table(['Parameter', 'In', 'Meaning'], rows)
}

function contentText(content: Content, asks: boolean): string {
  return Object.entries(content)
    .map(([type, { schema }]) => `\`${type.replace('; charset=utf-8', '')}\`\n\n${schemaTable(schema, asks)}`)
    .join('\n\n')
}

/** Types that are alternatives of each other, such as formats of a transcript, are one line. */
function answerContent(status: string, content: Content | undefined): string {
  if (content === undefined) return ''
  const types = Object.keys(content)
  const body =
    types.length > 1
      ? `One of ${types.map((type) => `\`${type.replace('; charset=utf-8', '')}\``).join(', ')}.`
      : contentText(content, false)
  return `<details><summary>Body of ${status}</summary>\n\n${body}\n\n</details>`
}

function answerText({ responses }: Shown): string {
  const own = Object.entries(responses).filter(
    ([status, { description }]) => !isCommonAnswer(Number(status), description),
  )
  const rows = own.map(([status, { description, headers = {} }]) => {
    const named = Object.entries(headers).map(([name, header]) => `\`${name}\`: ${header.description}`)
    return [status, [description, ...named].join(' ')]
  })
  const bodies = own
    .filter(([status]) => Number(status) < 400)
    .map(([status, { content }]) => answerContent(status, content))
  return [table(['Answer', 'Meaning'], rows), ...bodies].filter(Boolean).join('\n\n')
}

/** Who may send it: anybody, or a key with a right. */
function needText({ security }: Shown): string {
  const [need] = security ?? [{ apiKey: [] }]
  if (need === undefined) return 'Needs no API key.'
  const [right] = need.apiKey ?? []
  return right === undefined ? '' : `Needs the right \`${right}\`.`
}

/** An operation as Markdown that unfolds. */
export function operationText(operation: Operation): string {
  const { method, path, shown } = operation
  const body = shown.requestBody
  const parts = [
    shown.description ?? '',
    needText(shown),
    parameterTable(shown.parameters),
    body === undefined ? '' : `Body${body.required ? '' : ', optional'}: ${contentText(body.content, true)}`,
    answerText(shown),
  ]
  const title = `<b class="${method}">${method.toUpperCase()}</b> <code>${path}</code> <span>${shown.summary}</span>`
  return `<details class="operation" id="${operationId(operation)}"><summary>${title}</summary>\n\n${parts.filter(Boolean).join('\n\n')}\n\n</details>`
}
