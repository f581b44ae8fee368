import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'

/*
 * Notices of the packages and fonts that are passed on with Parley: their licenses require that copyright and license
 * text accompany every copy, and the built scripts keep only a few of them.
 */

/** Licenses that require no more than their notice. Any other fails the build: somebody has to read it first. */
const allowed = [
  'MIT',
  'Apache-2.0',
  'ISC',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Unlicense',
  'OFL-1.1',
]

/** By package: licenses that were read, as package.json does not name them. */
const readByHand: Readonly<Record<string, string>> = {
  // Its Readme says so.
  'combine-errors': 'MIT',
  'dejavu-fonts-ttf': 'Bitstream Vera and Arev',
  'png-js': 'MIT',
}

const lock = z.object({
  packages: z.record(z.string(), z.object({ version: z.string(), dev: z.boolean().optional() })),
})
const person = z.union([z.string(), z.object({ name: z.string() })])
const manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
  author: person.optional(),
})

const noticeFile = /^(licen[sc]e|copying|notice|ofl|authors)([.-].*)?$/i

/** The notice of an installed package. @throws Error if its license is not known to be harmless */
function readNotice(folder: string): { title: string; text: string } {
  const { name, version, license, author } = manifest.parse(
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  )
  const terms = readByHand[name] ?? license ?? 'none'
  if (readByHand[name] === undefined && !allowed.includes(terms)) {
    throw new Error(`${name} ${version} has the license "${terms}". Read it, then allow it in write-notices.ts.`)
  }
  const files = readdirSync(folder)
    .filter((file) => noticeFile.test(file))
    .sort()
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const by = typeof author === 'string' ? author : author?.name
  const stated = `It comes without a license text${by === undefined ? '' : `; its author is ${by}`}.`
  return { title: `${name} ${version} (${terms})`, text: texts.join('\n\n') || stated }
}

/**
 * Writes the notices of all packages that a production install has here, each text once, into `notices.txt`.
 * @param root has package-lock.json and the installed packages
 * @param folder of the build
 * @throws Error if a license is not known to be harmless
 */
export function writeNotices(root: string, folder: string): void {
  const { packages } = lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))
  const titlesByText = new Map<string, string[]>()
  for (const [path, { dev }] of Object.entries(packages)) {
    // Packages of other systems are in the lock file, too.
    if (path === '' || dev === true || !existsSync(join(root, path, 'package.json'))) continue
    const { title, text } = readNotice(join(root, path))
    titlesByText.set(text, [...(titlesByText.get(text) ?? []), title])
  }
  const sections = [...titlesByText].map(([text, titles]) => `${titles.join('\n')}\n\n${text}\n`)
  const intro = 'Parley contains these packages and fonts. Each stands under its own license:\n\n'
  writeFileSync(join(folder, 'notices.txt'), intro + sections.join(`\n${'-'.repeat(72)}\n\n`))
}
