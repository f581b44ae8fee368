import { glob, readFile } from 'node:fs/promises'
import { parseSync, Visitor } from 'oxc-parser'
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

function meantFields(path: string, source: string): MeantFields[] {
  const { program, comments } = parseSync(path, source)
  const found: MeantFields[] = []
  const commentBefore = (start: number) =>
    comments.findLast(({ type, value, end }) => type === 'Block' && value.startsWith('*') && end <= start && source.slice(end, start).trim() === '') // biome-ignore format: one condition
  new Visitor({
    CallExpression({ callee, arguments: given }) {
      const maker =
        callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : ''
      const shape = given.at(-1)
      if (!objectMakers.has(maker) || shape?.type !== 'ObjectExpression') return
      const own = shape.properties.flatMap((one) =>
        one.type === 'Property' && (one.key.type === 'Identifier' || one.key.type === 'Literal')
          ? [{ name: one.key.type === 'Identifier' ? one.key.name : String(one.key.value), start: one.start }]
          : [],
      )
      const meanings = own.flatMap(({ name, start }): [string, string][] => {
        const comment = commentBefore(start)
        return comment === undefined ? [] : [[name, sentence(comment.value)]]
      })
      const isPart = maker === 'extend' || own.length < shape.properties.length
      if (meanings.length > 0)
        found.push({ fields: own.map(({ name }) => name), isPart, meanings: Object.fromEntries(meanings) })
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
