import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import fastify from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { optionNames } from '../../../contract/interface/option-values.ts'
import { openApiRoutes } from './openapi-routes.ts'
import { fieldMeanings } from './testing/field-meanings.ts'
import { readChoices, readSections, readTables } from './testing/interface-document.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is read as foreign JSON, as its users read it
type Json = any

let document: Json
const app = fastify()
/** Names of fields, which descriptions may mention. */
let names: Set<string>
beforeAll(async () => {
  await app.register((docs) => openApiRoutes(docs, { supportEmail: 'help@parley.example' }))
  document = (await app.inject('/openapi.json')).json()
  names = new Set([...nodesOf(document)].flatMap(({ properties = {} }) => Object.keys(properties)))
})

const sections = readSections(readFileSync(join(import.meta.dirname, '../../../../docs/interface.md'), 'utf8'))

function textOf(number: string): string {
  return sections.get(number)?.text ?? ''
}

/** Rows of the table in a section of the interface document. */
function rowsOf(number: string): string[][] {
  return readTables(textOf(number))[0] ?? []
}

/** Yields all nodes of a schema, resolving references. */
function* nodesOf(value: Json): Generator<Json> {
  if (typeof value !== 'object' || value === null) return
  yield value
  for (const child of Object.values(value)) yield* nodesOf(child)
}

it.each(['', '/customers', '/account', '/staff'])(
  'openapi%s.json follows all rules that are recommended',
  async (part) => {
    const source = (await app.inject(`/openapi${part}.json`)).body
    // Spec 4.4: a file and its transcript in a format differ by an extension only.
    const config = await createConfig({ extends: ['recommended'], rules: { 'no-ambiguous-paths': 'off' } })
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
    expect(problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`)).toEqual([])
  },
)

it('is OpenAPI 3.1 with resolvable references and unique operation IDs', () => {
  expect(document.openapi).toMatch(/^3\.1\./)
  for (const { $ref } of nodesOf(document)) {
    if (typeof $ref !== 'string') continue
    const target = $ref
      .slice(2)
      .split('/')
      .reduce((node: Json, key: string) => node?.[key], document)
    expect(target, $ref).toBeDefined()
  }
  const operations = Object.values<Json>(document.paths).flatMap((path) => Object.values<Json>(path))
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
})

it('includes the support address (spec 1, rule 6)', () => {
  expect(document.info.contact).toEqual({ name: 'Support', email: 'help@parley.example' })
})

it('names every parameter of a path, and no other', () => {
  for (const [path, methods] of Object.entries<Json>(document.paths)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    for (const operation of Object.values<Json>(methods)) {
      const named = (operation.parameters ?? []).filter((parameter: Json) => parameter.in === 'path')
      expect(named.map(({ name }: Json) => name).sort(), path).toEqual(inPath.sort())
    }
  }
})

it('has nothing of the account interface below /v1/', () => {
  const paths = Object.keys(document.paths)
  expect(paths.filter((path) => path.startsWith('/v1/'))).toEqual([
    '/v1/files',
    '/v1/file/{file_id}',
    '/v1/file/{file_id}.{ext}',
  ])
  expect(paths.filter((path) => path.startsWith('/account/')).length).toBeGreaterThan(20)
})

describe('against docs/interface.md', () => {
  const post = () => document.paths['/v1/files'].post

  it('has every endpoint and method of section 4', () => {
    const named = ['4.1', '4.2', '4.3', '4.4', '4.5'].flatMap((number) => [
      ...textOf(number).matchAll(/^- `(GET|HEAD|POST|DELETE) (files?(?:\/<file_id>)?)`/gm),
    ])
    expect(named.length).toBe(5)
    for (const [, method, path] of named) {
      const documented = document.paths[`/v1/${path?.replace('<file_id>', '{file_id}')}`]
      expect(documented?.[method?.toLowerCase() ?? ''], `${method} ${path}`).toBeDefined()
    }
  })

  it('has every field of 2.2 with its type', () => {
    const { properties, required } = document.components.schemas.FileMetadata
    const rows = rowsOf('2.2')
    expect(rows.length).toBe(15)
    expect(Object.keys(properties).sort()).toEqual(rows.map(([name]) => name).sort())
    expect(required.sort()).toEqual(rows.map(([name]) => name).sort())
    for (const [name = '', type = ''] of rows) {
      const wanted = /^(string|number|object|null)/.exec(type)?.[1]
      if (wanted === 'null') expect(JSON.stringify(properties[name]), name).toContain('"null"')
      else expect(properties[name].type, name).toBe(wanted)
      expect(properties[name].description, name).toBeTruthy()
    }
  })

  it('has every option of 2.3 with its values and default', () => {
    const rows = rowsOf('2.3')
    expect(rows.length).toBe(optionNames.length)
    const parameters = post().parameters.filter((parameter: Json) => parameter.in === 'query')
    expect(parameters.map(({ name }: Json) => name)).toEqual(rows.map(([name]) => name))
    for (const [index, [name, values = '', standard]] of rows.entries()) {
      const { schema, required } = parameters[index]
      expect(required, name).toBeUndefined()
      if (schema.enum === undefined) expect(standard, name).toBe('none')
      else expect([schema.enum.join(', '), schema.default], name).toEqual([values, standard])
    }
  })

  it('has every key of 2.4', () => {
    expect(Object.keys(document.components.schemas.Word.properties)).toEqual(rowsOf('2.4').map(([key]) => key))
  })

  it('has every status of section 7 on the operations that can return it', () => {
    const places: Record<string, Json[]> = {
      'POST files': [post()],
      'GET file': [document.paths['/v1/file/{file_id}'].get, document.paths['/v1/file/{file_id}.{ext}'].get],
      'DELETE file': [document.paths['/v1/file/{file_id}'].delete],
      all: Object.values<Json>(document.paths)
        .flatMap((path) => Object.values<Json>(path))
        .filter(({ security }) => security === undefined),
    }
    const rows = rowsOf('7')
    expect(rows.length).toBe(8)
    for (const [status = '', , operations = ''] of rows) {
      for (const place of operations.split(', ')) {
        for (const operation of places[place] ?? [{}]) {
          // A 415 of GET concerns the extension, which only one of the two paths has.
          if (status === '415' && operation === document.paths['/v1/file/{file_id}'].get) continue
          expect(operation.responses?.[status], `${status} ${place}`).toBeDefined()
        }
      }
    }
    for (const status of ['400', '413', '415', '201']) expect(post().responses[status]).toBeDefined()
  })

  it('lists the formats of 4.2 and 4.4', () => {
    const formats = readChoices(textOf('4.2'), 'format')
    expect(formats.length).toBe(26)
    expect(post().description).toContain(formats.join(', '))
    const listed = [...readChoices(textOf('4.4'), '`<ext>`'), ...readChoices(textOf('4.4'), 'or it')].sort()
    const ext = document.paths['/v1/file/{file_id}.{ext}'].get.parameters.find(({ name }: Json) => name === 'ext')
    expect([...ext.schema.enum].sort()).toEqual(listed)
  })

  it('has the webhook of section 6 with exactly its body', () => {
    const { schema } = document.webhooks.progress.post.requestBody.content['application/json']
    expect(schema).toMatchObject({ required: ['id'], additionalProperties: false })
    expect(Object.keys(schema.properties)).toEqual(['id'])
  })
})

it('names no value that a field cannot have, and nothing of the code', async () => {
  const wrong: string[] = []
  for (const { properties = {} } of nodesOf(document)) {
    for (const [name, { description = '', ...field }] of Object.entries<Json>(properties)) {
      const values = [field, field.items, ...(field.anyOf ?? [])].flatMap((one) => one?.enum ?? [])
      const named = [...description.matchAll(/`([^`]+)`/g)].map(([, value]) => value)
      const isValue = (value: Json) => value === 'null' || values.includes(value) || names.has(value)
      if (values.length > 0 && !named.every(isValue)) wrong.push(`${name}: ${description}`)
      if (/\.ts\b|\(account-/.test(description)) wrong.push(`${name}: ${description}`)
    }
  }
  expect(wrong).toEqual([])
})

it('says what each field means, with the comments of the code', async () => {
  const written = JSON.parse(readFileSync(join(import.meta.dirname, 'field-meanings.json'), 'utf8'))
  expect(written, 'run field-meanings.ts --write').toEqual(await fieldMeanings())
  for (const part of ['customers', 'account', 'staff']) {
    const fields = [...nodesOf((await app.inject(`/openapi/${part}.json`)).json())].flatMap(({ properties = {} }) =>
      Object.entries<Json>(properties).map(([name, field]) => (field.description ? null : name)),
    )
    expect(fields.length).toBeGreaterThan(part === 'customers' ? 20 : 200)
    expect(fields.filter((name) => name !== null)).toEqual([])
  }
})
