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
import type { Edit } from './recipe.ts'

export const root = join(import.meta.dirname, '../../..')

/** The text of a file after an edit. @throws Error unless its place exists exactly once */
export function editText(before: string, edit: Edit): string {
  if ('isNew' in edit) return edit.text
  const marker = 'after' in edit ? edit.after : edit.replace
  const places = before.split(marker).length - 1
  if (places !== 1) throw new Error(`${edit.file} has ${places} places for the recipe, not one: ${marker}`)
  if (!('after' in edit)) return before.replace(marker, () => edit.text)
  const end = before.indexOf('\n', before.indexOf(marker)) + 1
  return `${before.slice(0, end)}${edit.text}\n${before.slice(end)}`
}

/** A copy of the working tree with links to the packages: only the compiler's cache is separate. */
export class ScratchCopy implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'parley-recipe-'))
  /** texts before the edits, by path; null: there was none */
  readonly #originals = new Map<string, string | null>()

  constructor() {
    const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    for (const path of new Set(listed.split('\0'))) if (path !== '') this.#take(path)
    mkdirSync(join(this.#folder, 'node_modules/.cache'), { recursive: true })
    for (const name of readdirSync(join(root, 'node_modules'))) {
      const target = join(root, 'node_modules', name)
      if (name !== '.cache') symlinkSync(target, join(this.#folder, 'node_modules', name))
    }
    this.#take('node_modules/.cache/tsc')
  }

  #take(path: string): void {
    if (!existsSync(join(root, path))) return
    mkdirSync(dirname(join(this.#folder, path)), { recursive: true })
    cpSync(join(root, path), join(this.#folder, path), { recursive: true, preserveTimestamps: true })
  }

  /** Remembers a file for `undo`. @returns its text, null if there is none */
  #keep(path: string): string | null {
    const before = existsSync(path) ? readFileSync(path, 'utf8') : null
    if (!this.#originals.has(path)) this.#originals.set(path, before)
    return before
  }

  apply(edits: readonly Edit[]): void {
    for (const edit of edits) {
      const path = join(this.#folder, edit.file)
      const before = this.#keep(path)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, editText(before ?? '', edit))
    }
  }

  /** Restores the files of all edits. */
  undo(): void {
    for (const [path, text] of this.#originals) {
      if (text === null) rmSync(path)
      else writeFileSync(path, text)
    }
    this.#originals.clear()
  }

  /** @returns null if the program succeeds, otherwise its last lines */
  run(program: string, ...args: readonly string[]): string | null {
    const { status, stdout, stderr } = spawnSync(join('node_modules/.bin', program), args, {
      cwd: this.#folder,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    })
    return status === 0 ? null : `${program}: ${`${stdout}${stderr}`.trim().split('\n').slice(-60).join('\n')}`
  }

  /** Writes what the interface's fields mean again, as the guide says of changes to the contract. */
  #writeMeanings(): string | null {
    this.#keep(join(this.#folder, 'src/service/api/openapi/field-meanings.json'))
    return this.run('node', 'src/service/api/openapi/testing/field-meanings.ts', '--write')
  }

  /** Compiles, tests, looks for dead code, formats and lints. @returns the first complaint, or null */
  complaint(edits: readonly Edit[], tests: readonly string[]): string | null {
    const code = edits.map(({ file }) => file).filter((file) => /\.tsx?$/.test(file))
    const changesContract = edits.some(({ file }) => file.startsWith('src/contract/'))
    return (
      this.run('tsc', '-b') ??
      (changesContract ? this.#writeMeanings() : null) ??
      this.run('vitest', 'run', '--project', 'sqlite', ...tests) ??
      this.run('knip', '--no-progress') ??
      this.run('biome', 'check', '--write', '--error-on-warnings', ...code)
    )
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true })
  }
}
