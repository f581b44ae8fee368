import type { Reporter, Suite } from '@playwright/test/reporter'
import { closingLines, needOf, type RunCounts, storeRun } from './closing-lines.ts'

/** Ends a run of journeys with the skipped tests and the counts, in addition to Playwright's own reporter. */
// biome-ignore lint/style/noDefaultExport: Playwright loads a reporter by its default export
export default class ClosingLinesReporter implements Reporter {
  #suite: Suite | null = null

  onBegin(_config: unknown, suite: Suite): void {
    this.#suite = suite
  }

  onEnd(): void {
    const counts: RunCounts = { passed: 0, failed: 0, skipped: 0, leftOut: [], secondTry: [] }
    for (const test of this.#suite?.allTests() ?? []) {
      // It never ran: the run was aborted, or only lists its tests.
      if (test.results.length === 0) continue
      const outcome = test.outcome()
      if (outcome === 'skipped') {
        counts.skipped += 1
        counts.leftOut.push(needOf(test.annotations.find(({ type }) => type === 'skip')?.description ?? test.title))
      } else if (outcome === 'unexpected') counts.failed += 1
      else counts.passed += 1
      if (outcome === 'flaky') counts.secondTry.push(test.titlePath().filter(Boolean).join(' > '))
    }
    if (counts.passed + counts.failed + counts.skipped === 0) return
    storeRun(counts)
    for (const line of closingLines(counts)) console.log(line)
  }
}
