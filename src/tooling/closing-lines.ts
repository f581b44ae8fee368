import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * How a run of tests ended. `leftOut` says what each skipped test needed and did not find on this machine; `secondTry`
 * names what failed once and passed when CI tried it again.
 */
export type RunCounts = { passed: number; failed: number; skipped: number; leftOut: string[]; secondTry: string[] }
export type Runner = 'unit' | 'e2e'

const folder = join(import.meta.dirname, '../../node_modules/.cache/test-runs')

/**
 * What a skipped test needs, by its own words: `(needs LibreOffice)` in its name or in that of a suite around it, or the
 * same without brackets as the reason it gives.
 * @throws if it gives none: no test is skipped silently
 */
export function needOf(words: string): string {
  const need = /\bneeds ([^()]+)/.exec(words)?.[1]
  if (need === undefined) throw new Error(`A skipped test must say "(needs …)": ${words}`)
  return need.trim()
}

/** The last lines of a run: what passed on its second try only, what was left out and why, if anything was; the counts. */
export function closingLines({ passed, failed, skipped, leftOut, secondTry }: RunCounts): string[] {
  const byNeed = Map.groupBy(leftOut, (need) => need)
  const needs = [...byNeed].map(
    ([need, { length }]) => `${length} ${length === 1 ? 'test that needs' : 'tests that need'} ${need}`,
  )
  return [
    ...secondTry.map((name) => `failed once, passed on its second try: ${name}`),
    ...(leftOut.length === 0 ? [] : [`left out: ${needs.join('; ')}`]),
    `${passed} passed, ${failed} failed, ${skipped} skipped`,
  ]
}

/** Stores a run's counts for `readRuns`, as `npm run check` is several runs. */
export function storeRun(runner: Runner, counts: RunCounts): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${runner}.json`), JSON.stringify(counts))
}

/** The sum of the last run of each runner; those that never ran add nothing. */
export function readRuns(): RunCounts {
  const sum: RunCounts = { passed: 0, failed: 0, skipped: 0, leftOut: [], secondTry: [] }
  for (const runner of ['unit', 'e2e'] satisfies Runner[]) {
    const path = join(folder, `${runner}.json`)
    if (!existsSync(path)) continue
    const counts = JSON.parse(readFileSync(path, 'utf8')) as RunCounts
    sum.passed += counts.passed
    sum.failed += counts.failed
    sum.skipped += counts.skipped
    sum.leftOut.push(...counts.leftOut)
    sum.secondTry.push(...counts.secondTry)
  }
  return sum
}
