import { closingLines, readRuns } from './closing-lines.ts'

/** The last lines of `.ci/run`: what all its tests together left out, and their counts. */
for (const line of closingLines(readRuns())) console.log(line)
