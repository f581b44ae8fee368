import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Folder, house } from '../floors.ts'
import { arrowProblem, readSources, withFloors, wrongArrows } from './import-rules.ts'

const sources = readSources()

/**
 * Every pair of folders of which the first may not import the second: a lower line importing a higher one, and siblings
 * on one line.
 */
function forbiddenPairs(at: Folder, path: string): [string, string][] {
  const lines = at.lines ?? []
  const pathOf = ({ name }: Folder) => `${path}/${name}`
  const upward = lines.flatMap((line, index) =>
    line.flatMap((lower) => (lines[index - 1] ?? []).map((upper): [string, string] => [pathOf(lower), pathOf(upper)])),
  )
  const beside = lines.flatMap((line) =>
    line.flatMap((one) =>
      line.filter((other) => other !== one).map((other): [string, string] => [pathOf(one), pathOf(other)]),
    ),
  )
  return [...upward, ...beside, ...lines.flat().flatMap((one) => forbiddenPairs(one, pathOf(one)))]
}

/** The relative import path from one file to another. */
const steps = (from: string, to: string) => `${'../'.repeat(from.split('/').length - 1)}${to}`

const kinds = {
  'a static import': (to: string) => `import { x } from '${to}'`,
  'a type': (to: string) => `import type { X } from '${to}'`,
  'an import over several lines': (to: string) => `import {\n  x,\n  y,\n} from '${to}'`,
  'import()': (to: string) => `const { x } = await import('${to}')`,
  'a worker by new URL': (to: string) => `new Worker(new URL('${to}', import.meta.url), { type: 'module' })`,
  'a path beside the file': (to: string) => `new Worker(join(import.meta.dirname, '${to}'))`,
}

describe('floors', () => {
  it('hold for every import, lazy import and worker of the product', () => {
    expect(sources.size).toBeGreaterThan(800)
    expect(wrongArrows(sources)).toEqual([])
  })

  it('have a place for every folder beside those that have one', () => {
    const homeless = [...sources.keys()].filter((path) => {
      let at: Folder | undefined = house
      for (const name of path.split('/').slice(1, -1)) {
        const places: Folder[] | undefined = at?.lines?.flat()
        if (places === undefined) return false
        at = places.find((one) => one.name === name)
        if (at === undefined) return true
      }
      return false
    })
    expect(homeless).toEqual([])
  })

  it.each(Object.entries(kinds))('stop %s that runs up or to a neighbour, on each of them', (_kind, write) => {
    const pairs = forbiddenPairs(house, 'src')
    expect(pairs.length).toBeGreaterThan(100)
    for (const [from, to] of pairs) {
      const planted = new Map([[`${from}/a.ts`, write(steps(`${from}/a.ts`, `${to}/b.ts`))]])
      expect(wrongArrows(planted), `${from} -> ${to}`).toHaveLength(1)
    }
  })

  it.each([
    ['src/service/platform/media/sniff.ts', 'src/service/text/vocabulary/entries.ts'],
    ['src/service/platform/net/outbound-guard.ts', 'src/service/text/search/query.ts'],
    ['src/service/accounts/auth/keys.ts', 'src/service/workbench/claims.ts'],
    ['src/service/text/transcripts/rendering-input.ts', 'src/service/workbench/claims.ts'],
    ['src/web/base/ui/button.tsx', 'src/web/base/testing/made.ts'],
    ['src/web/somewhere/new.ts', 'src/web/base/ui/button.tsx'],
  ])('stop %s from importing %s', (from, to) => {
    expect(arrowProblem(from, to)).not.toBeNull()
  })

  it.each([
    ['fastify', /^src\/service\/(api|start)\//],
    ['react', /^src\/web\//],
    ['@tanstack/react-query', /^src\/web\/(?!base\/(ui|state)\/)/],
    ['react-router', /^src\/web\/(?!base\/state\/)/],
  ])('let %s be imported only where it is known', (name, where) => {
    const users = [...sources].filter(([, text]) => text.includes(`from '${name}'`)).map(([path]) => path)
    expect(users).not.toEqual([])
    expect(users.filter((path) => !where.test(path))).toEqual([])
  })

  it('are printed in docs/architecture.md (node src/tooling/testing/import-rules.ts --write)', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/architecture.md'), 'utf8')
    expect(page).toContain('<!-- floors of service -->')
    expect(withFloors(page)).toBe(page)
  })
})
