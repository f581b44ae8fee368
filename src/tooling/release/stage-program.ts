import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'

/*
 * The program as it is installed: the built pages, the service's sources (Node strips their types), and the packages that
 * it needs, Node among them. Nothing is downloaded: packages are those of `npm ci`.
 */

/** Folders of `src` that the service runs on. */
const sources = ['contract', 'text', 'formats', 'service']
const papers = [
  'package.json',
  'CHANGELOG.md',
  'deploy/alerts.yml',
  'deploy/grafana.json',
  'docs/pictures/work-pay.png',
]

const isOfTests = (path: string) => /\/(testing|conformance)(\/|$)|\.test\.ts$|tsconfig\.json$/.test(path)

const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dependencies: z.optional(z.record(z.string(), z.string())),
      optionalDependencies: z.optional(z.record(z.string(), z.string())),
    }),
  ),
})

/** Where a package finds another one, as Node looks for it; undefined: it is not installed on this system. */
function resolvePackage(root: string, from: string, name: string): string | undefined {
  const parts = from.split('/node_modules/')
  for (let depth = parts.length; depth > 0; depth -= 1) {
    const path =
      from === '' ? `node_modules/${name}` : `${parts.slice(0, depth).join('/node_modules/')}/node_modules/${name}`
    if (existsSync(join(root, path, 'package.json'))) return path
  }
  const path = `node_modules/${name}`
  return existsSync(join(root, path, 'package.json')) ? path : undefined
}

/**
 * Paths of the packages that the service needs on this system, as `node_modules/a/node_modules/b`: those that its sources
 * name, with theirs. What only pages have is in `dist` already.
 */
function servicePackages(root: string): string[] {
  const { packages } = lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))
  const texts = globSync(`src/{${sources.join(',')}}/**/*.ts`, { cwd: root })
    .filter((path) => !isOfTests(`/${path}`))
    .map((path) => readFileSync(join(root, path), 'utf8'))
  const own = packages['']
  const names = Object.keys({ ...own?.dependencies, ...own?.optionalDependencies })
  // In strings of each kind: fonts are found by their path.
  const isNamed = (name: string) =>
    name === 'node' || texts.some((text) => ["'", '"', '`'].some((quote) => text.includes(quote + name)))
  const found = new Set<string>()
  const add = (from: string, name: string) => {
    const path = resolvePackage(root, from, name)
    if (path === undefined || found.has(path)) return
    found.add(path)
    // The program itself is in the package; what fetches it is not needed.
    const { dependencies, optionalDependencies } = name === 'node' ? {} : (packages[path] ?? {})
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) add(path, next)
  }
  for (const name of names.filter(isNamed)) add('', name)
  return [...found].sort()
}

function copyPackage(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  // Packages within it have paths of their own.
  for (const name of readdirSync(from)) {
    if (name !== 'node_modules') cpSync(join(from, name), join(to, name), { recursive: true, dereference: true })
  }
}

/** @param root of the repository, built @param to a folder that is not there */
export function stageProgram(root: string, to: string): void {
  if (!existsSync(join(root, 'dist/index.html'))) throw new Error('dist is not built: npm run build')
  const copy = (path: string) =>
    cpSync(join(root, path), join(to, path), { recursive: true, filter: (one) => !isOfTests(one) })
  for (const name of sources) copy(`src/${name}`)
  const texts = globSync('docs/{*,decisions/*,figures/*}.md', { cwd: root }).sort()
  for (const path of [...papers, ...texts, 'deploy/pages']) copy(path)
  cpSync(join(root, 'dist'), join(to, 'dist'), { recursive: true, filter: (path) => !/\/\.built/.test(path) })
  for (const path of servicePackages(root)) copyPackage(join(root, path), join(to, path))
  const [node] = globSync('node_modules/node/bin/node', { cwd: to })
  if (node === undefined) throw new Error('The package "node" has no program: npm ci, with its install script.')
  mkdirSync(join(to, 'node_modules/.bin'), { recursive: true })
  symlinkSync('../node/bin/node', join(to, 'node_modules/.bin/node'))
  mkdirSync(dirname(to), { recursive: true })
}
