import type { Schema } from '../service/api/http/operation.ts'

/** A cell of a Markdown table: one line, with `|` escaped, and no markup outside of code. */
function cell(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;')))
    .join('')
    .replaceAll('|', '\\|')
    .replaceAll(/\s*\n\s*/g, ' ')
}

/** A Markdown table; empty if it has no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

/** Where the shared schemas are explained. */
const explained: Readonly<Record<string, string>> = {
  Error: '[error](/docs/errors#body)',
  FileMetadata: '[metadata](/docs/progress#metadata)',
  Word: '[word](/docs/transcripts#words)',
}

/** More levels make a table that nobody reads; `/openapi.json` has them. */
const maxLevels = 4

function alternatives(schema: Schema): Schema[] | null {
  const found = schema.anyOf ?? schema.oneOf
  return Array.isArray(found) && found.every((one) => 'type' in one || '$ref' in one || 'anyOf' in one) ? found : null
}

function bounds({ minimum, maximum, maxLength, minItems, maxItems }: Schema): string {
  const isSet = (value: unknown) => typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER
  if (isSet(maxLength)) return `, at most ${maxLength} characters`
  if (isSet(maxItems)) return `, ${isSet(minItems) ? `${minItems} to` : 'at most'} ${maxItems}`
  if (isSet(minimum) && isSet(maximum)) return `, ${minimum} to ${maximum}`
  return isSet(maximum) ? `, at most ${maximum}` : isSet(minimum) && minimum !== 0 ? `, at least ${minimum}` : ''
}

/** The type of a value in a few words. */
export function typeText(schema: Schema): string {
  if (typeof schema.$ref === 'string') return explained[schema.$ref.split('/').at(-1) ?? ''] ?? 'object'
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `\`${value}\``).join(' ')
  const either = alternatives(schema)
  if (either !== null) return [...new Set(either.map(typeText))].join(' or ')
  if (schema.type === 'array') return `array of ${typeText((schema.items ?? {}) as Schema)}${bounds(schema)}`
  if (schema.format === 'date-time') return 'ISO 8601 time'
  if (schema.format === 'uri') return 'URL'
  if (schema.contentMediaType === 'application/octet-stream' || schema.format === 'binary') return 'bytes'
  return `${Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'any')}${bounds(schema)}`
}

/** The objects in a schema whose fields are shown below it. */
function objectsIn(schema: Schema, path: string): [Schema, string][] {
  if (schema.properties !== undefined) return [[schema, path]]
  if (schema.type === 'array') return objectsIn((schema.items ?? {}) as Schema, `${path}[]`)
  return (alternatives(schema) ?? []).flatMap((one) => objectsIn(one, path))
}

/**
 * Rows of fields by their path, such as `deliveries[].id`: name, type, meaning.
 * @param asks of a request: says which fields may be left out
 */
function fieldRows(schema: Schema, asks: boolean, path = '', levels = maxLevels): string[][] {
  const seen = new Set<string>()
  return objectsIn(schema, path).flatMap(([object, at]) => {
    const required = (object.required ?? []) as string[]
    return Object.entries(object.properties as Record<string, Schema>).flatMap(([name, field]) => {
      const full = at === '' ? name : `${at}.${name}`
      if (seen.has(full)) return []
      seen.add(full)
      const optional = asks && !required.includes(name) ? 'optional ' : ''
      const row = [`\`${full}\``, `${optional}${typeText(field)}`, String(field.description ?? '')]
      return [row, ...(levels === 0 ? [] : fieldRows(field, asks, full, levels - 1))]
    })
  })
}

/** A table of a schema's fields; its type in words if it has none. */
export function schemaTable(schema: Schema, asks: boolean): string {
  const rows = fieldRows(schema, asks)
  if (rows.length === 0) return typeText(schema)
  const hasMeaning = rows.some(([, , meaning]) => meaning !== '')
  return table(
    hasMeaning ? ['Field', 'Type', 'Meaning'] : ['Field', 'Type'],
    hasMeaning ? rows : rows.map((row) => row.slice(0, 2)),
  )
}
