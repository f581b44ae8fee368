import { runSteps, type Step } from './run-steps.ts'

/** `npm test`: what holds for each commit, on SQLite and in Chromium. The rest is `npm run proofs`. */
const steps: Step[] = [
  { name: 'lint', command: ['biome', 'ci', '--error-on-warnings', '--colors=off', '.'] },
  { name: 'types', command: ['tsc', '-b'] },
  { name: 'dead code', command: ['knip', '--no-progress'] },
  { name: 'unit', command: ['vitest', 'run', '--project', 'sqlite'] },
  { name: 'build', command: ['node', 'src/tooling/build.ts'] },
  { name: 'journeys', command: ['playwright', 'test', '-c', 'e2e/playwright.config.ts', '--project', 'journeys'] },
]

await runSteps('test', steps, false)
