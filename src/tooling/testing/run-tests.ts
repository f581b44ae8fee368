import { changedFiles, changedSteps } from './changed-steps.ts'
import { runSteps, type Step } from './run-steps.ts'

/**
 * `npm test`: the checks for each commit, on SQLite and in Chromium. The rest is `npm run proofs`, also slow ones of these. `-- --changed [REF]`
 * selects what a change against HEAD or REF touches.
 */
const steps: Step[] = [
  { name: 'lint', command: ['biome', 'ci', '--error-on-warnings', '--colors=off', '.'] },
  { name: 'types', command: ['tsc', '-b'] },
  { name: 'dead code', command: ['knip', '--no-progress'] },
  { name: 'unit', command: ['vitest', 'run', '--project', 'sqlite'] },
  { name: 'build', command: ['node', 'src/tooling/build.ts'] },
  {
    name: 'journeys',
    command: [
      'playwright',
      'test',
      '-c',
      'e2e/playwright.config.ts',
      '--project',
      'journeys',
      '--grep-invert',
      '@slow',
    ],
  },
]

const [option, commit = 'HEAD'] = process.argv.slice(2)
if (option !== undefined && option !== '--changed') {
  console.error(`npm test takes --changed [REF], not ${option}.`)
  process.exit(1)
}
await runSteps('test', option === undefined ? steps : changedSteps(commit, changedFiles(commit)), false)
