import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { pinnedModels } from '../service/recognition/models/pins.ts'

/*
 * Notices of the packages and fonts that are passed on with Parley: their licenses require that copyright and license
 * text accompany every copy, and the built scripts keep only a few of them. Speech models and programs of the system are
 * not passed on, and named with their licenses.
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

/** Licenses that also require to say where the source is; unchanged, there is no more to do. */
const withSource: readonly string[] = ['MPL-2.0']

/** By package: licenses that were read, as package.json does not name them. */
const readByHand: Readonly<Record<string, string>> = {
  // Its Readme says so.
  'combine-errors': 'MIT',
  'dejavu-fonts-ttf': 'Bitstream Vera and Arev',
  'png-js': 'MIT',
}

/** Of development, but their text is in what the build makes: a style sheet's beginning, helpers for lazy chunks. */
const copiedByBuild: readonly string[] = ['tailwindcss', 'vite', 'rolldown']

/** Models are downloaded by the operator: their licenses ask for a mention, not for a copy of the text. */
const allowedModel = /^(MIT|Apache-2\.0|CC-BY-4\.0)\b/
const modelsReadByHand: Readonly<Record<string, string>> = {
  'titanet-small': 'CC-BY-4.0 by most who pass it on, Apache-2.0 by one; both ask for no more than a mention',
}

/** Programs that Parley starts, or talks to, and that each system brings: what they do, and their license. */
const systemPrograms = [
  ['ffmpeg, ffprobe', 'read recordings', 'GPL-2.0-or-later, as Debian builds it'],
  ['pocketsphinx', 'recognizes speech offline, with the model pocketsphinx-en-us', 'BSD-2-Clause'],
  ['prlimit (util-linux)', 'limits memory and time of the others', 'GPL-2.0-or-later'],
  ['tar', 'writes and reads backups', 'GPL-3.0-or-later'],
  ['restic', 'keeps incremental backups, where the operator wants them', 'BSD-2-Clause'],
  ['PostgreSQL', 'keeps the data of several nodes, where there are several', 'PostgreSQL'],
] as const

const lock = z.object({
  packages: z.record(z.string(), z.object({ version: z.string(), dev: z.boolean().optional() })),
})
const person = z.union([z.string(), z.object({ name: z.string() })])
const manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
  author: person.optional(),
  repository: z.unknown().optional(),
})
const repository = z.object({ url: z.string() })

const noticeFile = /^(licen[sc]e|copying|notice|ofl|authors)([.-].*)?$/i

/** The notice of an installed package. @throws Error if its license is not known to be harmless */
function readNotice(folder: string): { title: string; text: string } {
  const { name, version, license, author, ...rest } = manifest.parse(
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  )
  const terms = readByHand[name] ?? license ?? 'none'
  const source = withSource.includes(terms) ? `, source: ${repository.parse(rest.repository).url}` : ''
  if (readByHand[name] === undefined && source === '' && !allowed.includes(terms)) {
    throw new Error(`${name} ${version} has the license "${terms}". Read it, then allow it in write-notices.ts.`)
  }
  const files = readdirSync(folder)
    .filter((file) => noticeFile.test(file))
    .sort()
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  // Some packages leave theirs out; Node's has those of V8, OpenSSL and others in it.
  const kept = join(import.meta.dirname, 'licenses', `${name}.txt`)
  if (files.length === 0 && existsSync(kept)) texts.push(readFileSync(kept, 'utf8').trim())
  const by = typeof author === 'string' ? author : author?.name
  const stated = `It comes without a license text${by === undefined ? '' : `; its author is ${by}`}.`
  return { title: `${name} ${version} (${terms}${source})`, text: texts.join('\n\n') || stated }
}

/** What is not in a copy of Parley, but works for it. @throws Error if a model's license is not known to be harmless */
function listOthers(models: readonly { id: string; about: string; license: string }[]): string {
  const ofModels = models.map(({ id, about, license }) => {
    const terms = modelsReadByHand[id] ?? license
    if (!allowedModel.test(terms)) {
      throw new Error(`The model ${id} has the license "${terms}". Read it, then allow it in write-notices.ts.`)
    }
    return `${id}: ${about}\n  ${terms}`
  })
  const ofPrograms = systemPrograms.map(([name, what, license]) => `${name}: ${what}\n  ${license}`)
  return `Not in a copy of Parley: speech models, which the operator downloads.

${ofModels.join('\n')}

Not in a copy of Parley: programs of the system. Each brings its own notices.

${ofPrograms.join('\n')}
`
}

/**
 * Writes the notices of all packages that a production install has here or the build copied, each text once, and the
 * licenses of models and programs, into `notices.txt`.
 * @param root has package-lock.json and the installed packages
 * @param folder of the build
 * @param bundled names of packages with code in the build
 * @throws Error if a license is not known to be harmless
 */
export function writeNotices(
  root: string,
  folder: string,
  bundled: ReadonlySet<string> = new Set(),
  models: Parameters<typeof listOthers>[0] = pinnedModels,
): void {
  const isCopied = (path: string) => {
    const name = path.replace(/.*node_modules\//, '')
    return copiedByBuild.includes(name) || bundled.has(name)
  }
  const { packages } = lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))
  const titlesByText = new Map<string, string[]>()
  for (const [path, { dev }] of Object.entries(packages)) {
    // Packages of other systems are in the lock file, too.
    if (path === '' || (dev === true && !isCopied(path)) || !existsSync(join(root, path, 'package.json'))) continue
    const { title, text } = readNotice(join(root, path))
    titlesByText.set(text, [...(titlesByText.get(text) ?? []), title])
  }
  const sections = [...titlesByText].map(([text, titles]) => `${titles.join('\n')}\n\n${text}\n`)
  const intro = 'Parley contains these packages and fonts. Each stands under its own license:\n\n'
  const rule = `\n${'-'.repeat(72)}\n\n`
  writeFileSync(join(folder, 'notices.txt'), intro + [...sections, listOthers(models)].join(rule))
}
