import { closingLines, readRuns } from './closing-lines.ts'

/** The last lines of `.ci/run`: totals of all its tests, and what they left out. */
for (const line of closingLines(readRuns())) console.log(line)
