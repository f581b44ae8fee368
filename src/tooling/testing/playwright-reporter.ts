import type { Reporter, Suite, TestResult } from '@playwright/test/reporter'
import { closingLines, describeFailure, findNeed, newCounts, storeRun } from './closing-lines.ts'

/** Ends a run of journeys with the skipped tests and the counts, in addition to Playwright's own reporter. */
// biome-ignore lint/style/noDefaultExport: Playwright loads a reporter by its default export
export default class ClosingLinesReporter implements Reporter {
  #suite: Suite | null = null

  onBegin(_config: unknown, suite: Suite): void {
    this.#suite = suite
  }

  onEnd(): void {
    const counts = newCounts()
    for (const test of this.#suite?.allTests() ?? []) {
      // It never ran: the run was aborted, or only lists its tests.
      if (test.results.length === 0) continue
      const outcome = test.outcome()
      const name = test.titlePath().filter(Boolean).join(' > ')
      if (outcome === 'skipped') {
        counts.skipped += 1
        counts.leftOut.push(findNeed(test.annotations.find(({ type }) => type === 'skip')?.description ?? test.title))
      } else if (outcome === 'unexpected') counts.failures.push(describe(name, test.results.at(-1)))
      else counts.passed += 1
      if (outcome === 'flaky') counts.secondTry.push(describe(name, test.results[0]))
    }
    if (counts.passed + counts.failures.length + counts.skipped === 0) return
    storeRun(counts)
    for (const line of closingLines(counts)) console.log(line)
  }
}

/** With its line: a log of CI may be cut before the error itself. */
function describe(name: string, { error }: Pick<TestResult, 'error'> = {}): string {
  const line = error?.location?.line
  return describeFailure(name, error?.message) + (line === undefined ? '' : ` (line ${line})`)
}
