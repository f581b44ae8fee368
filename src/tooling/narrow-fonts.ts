import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

/** The weights that pages set: a variable font has a third of its bytes for thinner and bolder ones. */
const weights = { min: 400, max: 700 }
/** As `src/web/base/fonts.css` names them. */
const fonts = [
  { script: 'latin', file: '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2' },
  { script: 'latin-ext', file: '@fontsource-variable/geist/files/geist-latin-ext-wght-normal.woff2' },
  { script: 'latin', file: '@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2' },
]
const cacheFolder = join(import.meta.dirname, '../../node_modules/.cache/fonts')

const resolve = (specifier: string) => fileURLToPath(import.meta.resolve(specifier))

/** The characters of a range as CSS has it, for example `U+0000-00FF,U+0131`. */
function charactersIn(unicodeRange: string): string {
  const ranges = unicodeRange.split(',').map((range) =>
    range
      .slice(2)
      .split('-')
      .map((hex) => Number.parseInt(hex, 16)),
  )
  return ranges
    .flatMap(([from = 0, to = from]) =>
      Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)),
    )
    .join('')
}

/** Writes a font with the weights of our pages, once per version of it. @returns its path */
async function narrow(file: string, script: string): Promise<string> {
  const original = await readFile(resolve(file))
  const version = createHash('sha256').update(original).update(JSON.stringify(weights)).digest('hex').slice(0, 12)
  const narrowed = join(cacheFolder, version, basename(file))
  if (existsSync(narrowed)) return narrowed
  const listed = await readFile(join(dirname(resolve(file)), '../unicode.json'), 'utf8')
  const ranges = JSON.parse(listed) as Record<string, string>
  const options = { targetFormat: 'woff2', variationAxes: { wght: weights } } as const
  const bytes = await subsetFont(original, charactersIn(ranges[script] ?? ''), options)
  await mkdir(dirname(narrowed), { recursive: true })
  // Builds run beside each other.
  const part = `${narrowed}.${process.pid}`
  await writeFile(part, bytes)
  await rename(part, narrowed)
  return narrowed
}

/** Serves the fonts of the screen with our weights only: a third less to load on every first visit. */
export function narrowFonts(): Plugin {
  return {
    name: 'parley:narrow-fonts',
    async config() {
      const alias = fonts.map(async ({ file, script }) => ({ find: file, replacement: await narrow(file, script) }))
      return { resolve: { alias: await Promise.all(alias) } }
    },
  }
}
