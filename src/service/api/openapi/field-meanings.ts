import { readFileSync } from 'node:fs'
import { optionMeanings } from '../../../contract/interface/option-table.ts'
import type { Schema } from '../http/operation.ts'
import { commonMeanings, metadataMeanings, wordMeanings } from './common-meanings.ts'

/** The commented fields of one schema in the code; `isPart`: objects made with it have further fields. */
export type MeantFields = { fields: string[]; isPart: boolean; meanings: Record<string, string> }

const tables = [metadataMeanings, wordMeanings, optionMeanings].map(
  (meanings): MeantFields => ({ fields: Object.keys(meanings), isPart: false, meanings }),
)
let comments: readonly MeantFields[] | null = null
function readComments(): readonly MeantFields[] {
  comments ??= JSON.parse(readFileSync(new URL('./field-meanings.json', import.meta.url), 'utf8')) as MeantFields[]
  return comments
}

/** Fewer may be anything's. */
const leastOfPart = 3

/** Whose fields these are: the schemas in the code with the same names, those that say most first. */
function sourcesOf(names: readonly string[]): MeantFields[] {
  const has = new Set(names)
  return [...tables, ...readComments()]
    .filter(({ fields, isPart }) => (isPart ? fields.length >= leastOfPart : fields.length === has.size))
    .filter(({ fields }) => fields.every((name) => has.has(name)))
    .sort((one, other) => other.fields.length - one.fields.length)
}

/** A JSON schema whose objects' fields say what they mean, as the comments of the code do. */
export function withMeanings(schema: Schema): Schema {
  const entries = Object.entries(schema).map(([key, value]) => {
    if (key !== 'properties') return [key, visit(value)]
    const fields = value as Record<string, Schema>
    const sources = sourcesOf(Object.keys(fields))
    const described = Object.entries(fields).map(([name, field]) => {
      const description =
        field.description ?? sources.find(({ meanings }) => meanings[name])?.meanings[name] ?? commonMeanings[name]
      return [name, { ...withMeanings(field), ...(description === undefined ? {} : { description }) }]
    })
    return [key, Object.fromEntries(described)]
  })
  return Object.fromEntries(entries) as Schema
}

function visit(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(visit)
  return typeof value === 'object' && value !== null ? withMeanings(value as Schema) : value
}
