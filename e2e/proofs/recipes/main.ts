import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Edit, type Recipe, recipes } from './recipes.ts'

/*
 * `npm run recipes [name …]` applies the example of each recipe of docs/CONTRIBUTING.md in a scratch copy, compiles it,
 * runs its tests, and fails if one of these fails or it touches more files than allowed.
 */

const root = join(import.meta.dirname, '../../..')

/** A copy of the working tree's tracked files, with links to the packages: only the compiler's cache is separate. */
function copyTree(): string {
  const scratch = mkdtempSync(join(tmpdir(), 'parley-recipe-'))
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const path of new Set(listed.split('\0'))) {
    if (path === '' || !existsSync(join(root, path))) continue
    mkdirSync(dirname(join(scratch, path)), { recursive: true })
    cpSync(join(root, path), join(scratch, path), { preserveTimestamps: true })
  }
  mkdirSync(join(scratch, 'node_modules/.cache'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const target = join(root, 'node_modules', name)
    if (name !== '.cache') symlinkSync(target, join(scratch, 'node_modules', name))
  }
  const compiled = join(root, 'node_modules/.cache/tsc')
  if (existsSync(compiled)) cpSync(compiled, join(scratch, 'node_modules/.cache/tsc'), { recursive: true })
  return scratch
}

/** @throws Error unless the place exists exactly once */
function applyEdit(scratch: string, edit: Edit): void {
  const path = join(scratch, edit.file)
  if ('isNew' in edit) {
    writeFileSync(path, edit.text, { flag: 'wx' })
    return
  }
  const before = readFileSync(path, 'utf8')
  const marker = 'after' in edit ? edit.after : edit.replace
  const lines = before.split(marker).length - 1
  if (lines !== 1) throw new Error(`${edit.file} has ${lines} places for the recipe, not one: ${marker}`)
  const end = 'after' in edit ? before.indexOf('\n', before.indexOf(marker)) + 1 : 0
  const after =
    'after' in edit
      ? `${before.slice(0, end)}${edit.text}\n${before.slice(end)}`
      : before.replace(marker, () => edit.text)
  writeFileSync(path, after)
}

function run(scratch: string, program: string, args: readonly string[]): boolean {
  const result = spawnSync(join('node_modules/.bin', program), args, { cwd: scratch, encoding: 'utf8' })
  if (result.status !== 0) console.log(`${result.stdout}${result.stderr}`.split('\n').slice(-60).join('\n'))
  return result.status === 0
}

/** @returns whether types and tests pass, and it touched no more files than allowed */
function tryRecipe(name: string, { edits, tests, atMostFiles }: Recipe): boolean {
  const scratch = copyTree()
  try {
    for (const edit of edits) applyEdit(scratch, edit)
    const touched = [...new Set(edits.map(({ file }) => file))]
    const isRight = run(scratch, 'tsc', ['-b']) && run(scratch, 'vitest', ['run', '--project', 'sqlite', ...tests])
    const isSmall = touched.length <= atMostFiles
    console.log(`${isRight && isSmall ? 'ok  ' : 'FAIL'} ${name}: ${touched.length} files (at most ${atMostFiles})`)
    for (const file of touched) console.log(`       ${file}`)
    return isRight && isSmall
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

const wanted = process.argv.slice(2)
const all = Object.entries<Recipe>(recipes)
const unknown = wanted.filter((name) => !(name in recipes))
if (unknown.length > 0)
  throw new Error(`There is no recipe ${unknown.join(', ')}; there are ${Object.keys(recipes).join(', ')}.`)
const failed = all.filter(([name]) => wanted.length === 0 || wanted.includes(name)).filter((one) => !tryRecipe(...one))
process.exitCode = failed.length === 0 ? 0 : 1
