import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { closingLines, describeFailure, findNeed, newCounts, storeRun } from './closing-lines.ts'

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
    const counts = { ...newCounts(), skipped: leftOut.length, leftOut }
    for (const module of modules) {
      const file = module.moduleId.split('/src/')[1] ?? module.moduleId
      for (const { message } of module.errors()) counts.failures.push(describeFailure(file, message))
      for (const test of module.children.allTests()) {
        const { state, errors = [] } = test.result()
        const name = `${file} > ${test.fullName}`
        if (state === 'failed') counts.failures.push(describeFailure(name, errors[0]?.message))
        else if (state !== 'pending') counts[state] += 1
        if (test.diagnostic()?.flaky) {
          counts.secondTry.push(name)
          for (const { stack, message } of errors) console.log(stack ?? message)
        }
        // With `-t` all other tests are skipped too, and need nothing.
        const isFiltered = module.project.globalConfig.testNamePattern !== undefined
        if (state === 'skipped' && test.options.mode === 'skip' && !isFiltered) leftOut.push(findNeed(test.fullName))
      }
    }
    storeRun(counts)
    for (const line of closingLines(counts)) console.log(line)
  }
}
