import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Edit, Recipe } from './recipe.ts'
import { recipes } from './recipes.ts'
import { editText, root, ScratchCopy } from './scratch-copy.ts'

/*
 * `npm run recipes [name …]` applies the examples of recipes of docs/CONTRIBUTING.md in one scratch copy, compiles it,
 * runs their tests, and fails if one of these fails or an example touches more files than allowed. `--check` only
 * looks for the places of their edits, and for their files in the text. `--forget` leaves out each edit in turn, and
 * fails if nothing complains.
 */

const filesOf = (edits: readonly Edit[]) => [...new Set(edits.map(({ file }) => file))]

/** What is wrong with a recipe at a look: its size, or a file that its section does not name. */
function problemsOf({ section, atMostFiles, edits, tests }: Recipe): string[] {
  const guide = readFileSync(join(root, 'docs/CONTRIBUTING.md'), 'utf8')
  const text = guide.split(/^#{2,3} /m).find((one) => one.startsWith(`${section}\n`)) ?? ''
  const files = filesOf(edits)
  const made = filesOf(edits.filter((edit) => 'isNew' in edit))
  const unnamed = [...new Set([...files, ...tests])].filter(
    (file) => !text.includes(made.includes(file) ? basename(file) : file),
  )
  return [
    ...unnamed.map((file) => `docs/CONTRIBUTING.md, "${section}", does not name ${file}`),
    ...(files.length > atMostFiles ? [`${files.length} files, at most ${atMostFiles}: ${files.join(', ')}`] : []),
  ]
}

/** Applies all edits in memory. @throws Error if a place is not there */
function requirePlaces(edits: readonly Edit[]): void {
  const texts = new Map<string, string>()
  for (const edit of edits) {
    const before = texts.get(edit.file) ?? ('isNew' in edit ? '' : readFileSync(join(root, edit.file), 'utf8'))
    texts.set(edit.file, editText(before, edit))
  }
}

/** Does all examples at once. @returns what complained */
function doAll(chosen: readonly (readonly [string, Recipe])[]): string[] {
  using scratch = new ScratchCopy()
  const edits = chosen.flatMap(([, recipe]) => recipe.edits)
  scratch.apply(edits)
  const complaint = scratch.complaint(edits, [...new Set(chosen.flatMap(([, { tests }]) => tests))])
  if (complaint !== null) return [complaint]
  for (const [name, recipe] of chosen) console.log(`ok   ${name}: ${filesOf(recipe.edits).length} files`)
  return []
}

const isImport = (edit: Edit) => !('isNew' in edit) && /^import | from '/.test(edit.text)

/**
 * Leaves out one edit at a time, with the imports that it needs. @returns those that nothing notices though they do not
 * say why
 */
function forgetEach(chosen: readonly (readonly [string, Recipe])[]): string[] {
  using scratch = new ScratchCopy()
  return chosen.flatMap(([name, { edits, tests }]) =>
    edits.flatMap((left) => {
      if (isImport(left)) return []
      const step = `${name} without ${'isNew' in left ? 'the new file' : left.text.trim().slice(0, 60)} in ${left.file}`
      const others = edits.filter((edit) => edit !== left && !(isImport(edit) && edit.file === left.file))
      if (left.unnoticed === undefined) scratch.apply(others)
      const complaint = left.unnoticed ?? scratch.complaint(others, tests)
      scratch.undo()
      console.log(
        `${step}\n       ${complaint?.split('\n').find((line) => /error|FAIL|Unused/.test(line)) ?? complaint}`,
      )
      return complaint === null ? [step] : []
    }),
  )
}

const options = process.argv.slice(2).filter((word) => word.startsWith('--'))
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const unknown = wanted.filter((name) => !(name in recipes))
if (unknown.length > 0)
  throw new Error(`There is no recipe ${unknown.join(', ')}; there are ${Object.keys(recipes).join(', ')}.`)
const chosen = Object.entries<Recipe>(recipes).filter(([name]) => wanted.length === 0 || wanted.includes(name))
const problems = chosen.flatMap(([, recipe]) => problemsOf(recipe))
requirePlaces(chosen.flatMap(([, recipe]) => recipe.edits))
if (problems.length === 0 && !options.includes('--check'))
  problems.push(...(options.includes('--forget') ? forgetEach(chosen) : doAll(chosen)))
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
