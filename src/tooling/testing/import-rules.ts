import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { type Folder, house, service, web } from '../floors.ts'

const root = join(import.meta.dirname, '../../..')

/** Product source files, by path from the root of the repository, with their text. */
export function readSources(): Map<string, string> {
  const names = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  const paths = names.filter((name) => /\.(?:tsx?|mjs)$/.test(name)).map((name) => posix.join('src', name))
  return new Map(paths.filter(isProduct).map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

function isProduct(path: string): boolean {
  return !/\.test\.tsx?$|\/(?:testing|conformance)\/|\.d\.ts$/.test(path) && statSync(join(root, path)).isFile()
}

/**
 * Forms of references between files: `from '…'` and `import '…'`, `import('…')`, a worker's `new URL`, a relative path.
 */
const arrows = [
  /\b(?:from|import)\s*(['"`])(\.[^'"`\n]+)\1/g,
  /\bimport\(\s*(['"`])(\.[^'"`\n]+)\1/g,
  /\bnew URL\(\s*(['"`])([^'"`\n]+)\1,\s*import\.meta\.url/g,
  /\bimport\.meta\.dirname,\s*(['"`])([^'"`\n]+)\1/g,
]

/** The files of `src` that a file references, as paths from the root of the repository. */
function importsIn(path: string, text: string): string[] {
  return arrows
    .flatMap((arrow) => [...text.matchAll(arrow)])
    .map(([, , to = '']) => posix.join(dirname(path), to))
    .filter((to) => to.startsWith('src/'))
}

/** Why an import is forbidden; null if it is allowed. */
export function arrowProblem(from: string, to: string): string | null {
  if (/\/(?:testing|conformance)\//.test(to)) return 'is a test helper'
  let at: Folder = house
  const [, ...above] = from.split('/')
  const [, ...below] = to.split('/')
  while (at.lines !== undefined && above.length > 1 && below.length > 1) {
    const [mine, theirs] = [above.shift() ?? '', below.shift() ?? '']
    const lineOf = (name: string) => at.lines?.findIndex((line) => line.some((one) => one.name === name)) ?? -1
    if (lineOf(mine) < 0) return `lies in ${mine}, which has no place in src/tooling/floors.ts`
    if (mine !== theirs) {
      if (lineOf(theirs) > lineOf(mine)) return null
      return lineOf(theirs) === lineOf(mine) ? `lies beside ${mine}` : `lies above ${mine}`
    }
    const inside = at.lines.flat().find((one) => one.name === mine)
    if (inside === undefined) return null
    at = inside
  }
  return null
}

/** Every import that goes up or to a sibling: `src/a.ts -> src/b.ts: why`. */
export function wrongArrows(sources: ReadonlyMap<string, string>): string[] {
  return [...sources].flatMap(([path, text]) =>
    importsIn(path, text).flatMap((to) => {
      const problem = arrowProblem(path, to)
      return problem === null ? [] : [`${path} -> ${to}: ${problem}`]
    }),
  )
}

/** The folder table as text for docs/architecture.md, one line per floor. */
function printedFloors(wall: Folder): string {
  const line = (name: string, depth: number, holds: string) => `${'  '.repeat(depth)}${name}`.padEnd(16) + holds
  const print = (at: Folder, depth: number): string[] =>
    (at.lines ?? []).flatMap((folders) =>
      folders.flatMap((one) => [line(`${one.name}/`, depth, one.holds), ...print(one, depth + 1)]),
    )
  return print(wall, 0).join('\n')
}

const page = join(root, 'docs/architecture.md')

/** The text of docs/architecture.md with a wall's floors filled in between its markers. */
export function withFloors(text: string): string {
  return [web, service].reduce(
    (now, wall) =>
      now.replace(
        new RegExp(`(<!-- floors of ${wall.name} -->\n)[^]*?(<!-- end -->)`),
        (_all, begin: string, end: string) => `${begin}\`\`\`\n${printedFloors(wall)}\n\`\`\`\n${end}`,
      ),
    text,
  )
}

if (process.argv[1] === import.meta.filename && process.argv.includes('--write')) {
  writeFileSync(page, withFloors(readFileSync(page, 'utf8')))
  console.log(`${relative(root, page)} is as src/tooling/floors.ts says.`)
}
