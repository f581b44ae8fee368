import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { closingLines, needOf, type RunCounts, storeRun } from './closing-lines.ts'

/** Ends a run of unit tests with the skipped tests and the counts, in addition to vitest's own reporter. */
export class ClosingLinesReporter implements Reporter {
  readonly #leftOutOf: Readonly<Record<string, readonly string[]>>
  #projects: readonly string[] = []

  /** @param leftOutOf by project, what each excluded test file needs */
  constructor(leftOutOf: Readonly<Record<string, readonly string[]>>) {
    this.#leftOutOf = leftOutOf
  }

  onInit({ projects }: Vitest): void {
    this.#projects = projects.map(({ name }) => name)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const leftOut = this.#projects.flatMap((name) => this.#leftOutOf[name] ?? [])
    const counts: RunCounts = { passed: 0, failed: 0, skipped: leftOut.length, leftOut, secondTry: [] }
    for (const module of modules) {
      if (module.state() === 'failed' && module.errors().length > 0) counts.failed += 1
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'pending') continue
        counts[state] += 1
        if (test.diagnostic()?.flaky) {
          counts.secondTry.push(`${module.moduleId.split('/src/')[1]} > ${test.fullName}`)
          for (const { stack, message } of test.result().errors ?? []) console.log(stack ?? message)
        }
        // With `-t` all other tests are skipped too, and need nothing.
        const isFiltered = module.project.globalConfig.testNamePattern !== undefined
        if (state === 'skipped' && test.options.mode === 'skip' && !isFiltered) leftOut.push(needOf(test.fullName))
      }
    }
    storeRun(counts)
    for (const line of closingLines(counts)) console.log(line)
  }
}
