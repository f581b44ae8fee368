import { glob, readFile } from 'node:fs/promises'
import { type Expression, type ObjectExpression, type Program, parseSync, Visitor } from 'oxc-parser'
import type { MeantFields } from '../field-meanings.ts'

/*
 * Writes `src/service/api/openapi/field-meanings.json` from the comments of the schemas' fields, so that the description
 * of the interface says what each field means without a word of it in the pages' code:
 *
 *   node src/service/api/openapi/testing/field-meanings.ts --write && npm run format
 */

/** Where schemas of the interface are written. */
const places = ['src/contract/**/*.ts', 'src/service/api/**/*.ts']
const objectMakers = new Set(['object', 'strictObject', 'looseObject', 'extend'])

/** A comment as a sentence; what only readers of the code understand is left out. */
function sentence(comment: string): string {
  const words = comment
    .replaceAll(/^\s*\* ?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\s*\((?:decision|spec|house rule)[^)]*\)/g, '')
    .trim()
    .replaceAll(/\bnull\b(?=:| if)/g, '`null`')
  const whole = words.charAt(0).toUpperCase() + words.slice(1)
  return /[.?!]$/.test(whole) ? whole : `${whole}.`
}

/** The object of fields in `z.object({ … })` and the like. */
function fieldsIn(value: Expression | null): ObjectExpression | null {
  if (value?.type === 'ObjectExpression') return value
  const isCall = value?.type === 'CallExpression' && value.callee.type === 'MemberExpression'
  if (!isCall || value.callee.type !== 'MemberExpression' || value.callee.property.type !== 'Identifier') return null
  const shape = value.arguments.at(-1)
  return objectMakers.has(value.callee.property.name) && shape?.type === 'ObjectExpression' ? shape : null
}

/** What a file's constants hold fields, by name: `...scope` and `...periods.shape` repeat them. */
function namedFields({ body }: Program): Map<string, ObjectExpression> {
  const statements = body.map((one) => (one.type === 'ExportNamedDeclaration' ? one.declaration : one))
  const constants = statements.flatMap((one) => (one?.type === 'VariableDeclaration' ? one.declarations : []))
  const named = constants.map(({ id, init }) => [id.type === 'Identifier' ? id.name : '', fieldsIn(init)] as const)
  return new Map(named.filter((one): one is readonly [string, ObjectExpression] => one[1] !== null))
}

/** The fields of the schemas of one file, with the sentence of those that have a comment. */
function meantFields(path: string, source: string): MeantFields[] {
  const { program, comments } = parseSync(path, source)
  const constants = namedFields(program)
  const commentBefore = (start: number) =>
    comments.findLast(
      ({ type, value, end }) =>
        type === 'Block' && value.startsWith('*') && end <= start && source.slice(end, start).trim() === '',
    )
  const collect = ({ properties }: ObjectExpression): { name: string; meaning: string | null }[] =>
    properties.flatMap((one) => {
      if (one.type === 'Property') {
        const name =
          one.key.type === 'Identifier' ? one.key.name : one.key.type === 'Literal' ? String(one.key.value) : ''
        const comment = commentBefore(one.start)
        return [{ name, meaning: comment === undefined ? null : sentence(comment.value) }]
      }
      const { argument } = one
      const from = argument.type === 'MemberExpression' ? argument.object : argument
      const shape = from.type === 'Identifier' ? constants.get(from.name) : undefined
      return shape === undefined ? [{ name: '', meaning: null }] : collect(shape)
    })
  const found: MeantFields[] = []
  new Visitor({
    CallExpression(call) {
      const shape = fieldsIn(call)
      if (shape === null) return
      const [base] = call.arguments
      const extended = call.arguments.length > 1 && base?.type === 'Identifier' ? constants.get(base.name) : undefined
      const all = [...(extended === undefined ? [] : collect(extended)), ...collect(shape)]
      const own = all.filter(({ name }) => name !== '')
      const meanings = own.flatMap(({ name, meaning }): [string, string][] =>
        meaning === null ? [] : [[name, meaning]],
      )
      const fields = own.map(({ name }) => name)
      const isPart = own.length < all.length || (call.arguments.length > 1 && extended === undefined)
      if (meanings.length > 0) found.push({ fields, isPart, meanings: Object.fromEntries(meanings) })
    },
  }).visit(program)
  return found
}

/** What `field-meanings.json` must hold. */
export async function fieldMeanings(): Promise<MeantFields[]> {
  const paths = (await Array.fromAsync(glob(places))).filter((path) => !/\/testing\/|\.test\.ts$/.test(path)).sort()
  const all = await Promise.all(paths.map(async (path) => meantFields(path, await readFile(path, 'utf8'))))
  return all.flat()
}

if (process.argv.includes('--write')) {
  const { writeFile } = await import('node:fs/promises')
  await writeFile('src/service/api/openapi/field-meanings.json', `${JSON.stringify(await fieldMeanings(), null, 2)}\n`)
}
