import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/**
 * Results of a test run. `failures` lists failed tests with the first line of their errors; `leftOut` lists what skipped
 * tests need and did not find on this machine; `secondTry` lists tests that failed once and passed when CI retried them.
 */
export type RunCounts = { passed: number; skipped: number; failures: string[]; leftOut: string[]; secondTry: string[] }

/** @returns counts of a run that has not begun */
export const newCounts = (): RunCounts => ({ passed: 0, skipped: 0, failures: [], leftOut: [], secondTry: [] })

const folder = join(import.meta.dirname, '../../../node_modules/.cache/test-runs')

/**
 * What a skipped test needs, as it declares: `(needs LibreOffice)` in its title or in that of an enclosing suite, or
 * the same without brackets as its skip reason.
 * @throws if it declares nothing: no test is skipped silently
 */
export function findNeed(words: string): string {
  const need = /\bneeds ([^()]+)/.exec(words)?.[1]
  if (need === undefined) throw new Error(`A skipped test must say "(needs …)": ${words}`)
  return need.trim()
}

/** The entry of a failed test in `failures`. */
export const describeFailure = (test: string, error = '') =>
  `${test}: ${stripVTControlCharacters(error).split('\n', 1)}`

/** The last lines of a run: failed tests, tests that passed only on retry, skipped tests and why, and the counts. */
export function closingLines({ passed, skipped, failures, leftOut, secondTry }: RunCounts): string[] {
  const byNeed = Map.groupBy(leftOut, (need) => need)
  const needs = [...byNeed].map(
    ([need, { length }]) => `${length} ${length === 1 ? 'test that needs' : 'tests that need'} ${need}`,
  )
  return [
    ...failures.map((failure) => `failed: ${failure}`),
    ...secondTry.map((name) => `failed once, passed on its second try: ${name}`),
    ...(leftOut.length === 0 ? [] : [`left out: ${needs.join('; ')}`]),
    `${passed} passed, ${failures.length} failed, ${skipped} skipped`,
  ]
}

/** Stores a run's counts for `readRuns` if it is one of several: `TEST_RUN` names it. */
export function storeRun(counts: RunCounts): void {
  const name = process.env.TEST_RUN
  if (name === undefined) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(counts))
}

const storedRuns = (suite: string) => globSync(join(folder, `${suite}-*.json`))

/** Removes the counts of a suite's earlier runs, so that they do not add to the new run's sum. */
export function forgetRuns(suite: string): void {
  for (const path of storedRuns(suite)) rmSync(path)
}

/** Sums the last runs of one suite or of all; those that never ran add nothing. */
export function readRuns(suite = '*'): RunCounts {
  const sum = newCounts()
  for (const path of storedRuns(suite)) {
    const counts = JSON.parse(readFileSync(path, 'utf8')) as RunCounts
    sum.passed += counts.passed
    sum.skipped += counts.skipped
    sum.failures.push(...counts.failures)
    sum.leftOut.push(...counts.leftOut)
    sum.secondTry.push(...counts.secondTry)
  }
  return sum
}
