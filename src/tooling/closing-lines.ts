import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** How a run of tests ended. `leftOut` says what each skipped test needed and did not find on this machine. */
export type RunCounts = { passed: number; failed: number; skipped: number; leftOut: string[] }
export type Runner = 'unit' | 'e2e'

const folder = join(import.meta.dirname, '../../node_modules/.cache/test-runs')

/**
 * What a skipped test needs, by its own words: `(needs LibreOffice)` in its name or in that of a suite around it, or the
 * same without brackets as the reason it gives.
 * @throws where it gives none: no test is skipped silently
 */
export function needOf(words: string): string {
  const need = /\bneeds ([^()]+)/.exec(words)?.[1]
  if (need === undefined) throw new Error(`A skipped test must say "(needs …)": ${words}`)
  return need.trim()
}

/** The last lines of a run: what was left out and why, if anything was, and the counts. */
export function closingLines({ passed, failed, skipped, leftOut }: RunCounts): string[] {
  const byNeed = Map.groupBy(leftOut, (need) => need)
  const needs = [...byNeed].map(
    ([need, { length }]) => `${length} ${length === 1 ? 'test that needs' : 'tests that need'} ${need}`,
  )
  const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`
  return leftOut.length === 0 ? [counts] : [`left out: ${needs.join('; ')}`, counts]
}

/** Stores a run's counts for `readRuns`, as `npm run check` is several runs. */
export function storeRun(runner: Runner, counts: RunCounts): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${runner}.json`), JSON.stringify(counts))
}

/** The sum of the last run of each runner; those that never ran add nothing. */
export function readRuns(): RunCounts {
  const sum: RunCounts = { passed: 0, failed: 0, skipped: 0, leftOut: [] }
  for (const runner of ['unit', 'e2e'] satisfies Runner[]) {
    const path = join(folder, `${runner}.json`)
    if (!existsSync(path)) continue
    const counts = JSON.parse(readFileSync(path, 'utf8')) as RunCounts
    sum.passed += counts.passed
    sum.failed += counts.failed
    sum.skipped += counts.skipped
    sum.leftOut.push(...counts.leftOut)
  }
  return sum
}
