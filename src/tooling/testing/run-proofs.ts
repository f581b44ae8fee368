import { runSteps, type Step } from './run-steps.ts'

const played = (project: string): Step => ({
  name: project,
  command: ['playwright', 'test', '-c', 'e2e/playwright.config.ts', '--project', project],
})

/** `npm run proofs`: tests that need another database, object store or browser, or a long time. `-- NAME` picks one. */
const proofs: Step[] = [
  { name: 'postgres', command: ['vitest', 'run', '--project', 'postgres', '--passWithNoTests'] },
  { name: 's3', command: ['vitest', 'run', '--project', 's3', '--passWithNoTests'] },
  played('browsers'),
  played('campaigns'),
  played('benches'),
  { name: 'recipes', command: ['node', 'e2e/proofs/recipes/main.ts'] },
]

const wished = process.argv.slice(2)
const unknown = wished.find((name) => !proofs.some((proof) => proof.name === name))
if (unknown !== undefined) {
  console.error(`There is no proof "${unknown}": ${proofs.map(({ name }) => name).join(', ')}.`)
  process.exit(1)
}
const chosen = wished.length === 0 ? proofs : proofs.filter(({ name }) => wished.includes(name))
// Needed by journeys of other browsers, campaigns and benches.
const build: Step = { name: 'build', command: ['node', 'src/tooling/build.ts'] }
await runSteps('proofs', chosen.some(({ command }) => command[0] === 'playwright') ? [build, ...chosen] : chosen, true)
