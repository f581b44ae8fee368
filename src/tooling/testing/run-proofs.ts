import { parseArgs } from 'node:util'
import { runSteps, type Step } from './run-steps.ts'

const played = (project: string): Step => ({
  name: project,
  command: ['playwright', 'test', '-c', 'e2e/playwright.config.ts', '--project', project],
})

const { positionals: wished, values } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string' },
    shrink: { type: 'string' },
    only: { type: 'string' },
    kills: { type: 'string' },
    errors: { type: 'string' },
    from: { type: 'string' },
    rounds: { type: 'string' },
    files: { type: 'string' },
    histories: { type: 'string' },
    budgets: { type: 'string' },
    write: { type: 'boolean' },
  },
})
const options = Object.entries(values).map(([name, value]) => (value === true ? `--${name}` : `--${name}=${value}`))
/** Run only by name: one takes long, and short walks of the others are among the campaigns. */
const byName = ['attacks', 'workbench', 'backups', 'upgrades']

/**
 * `npm run proofs`: slow unit tests (`*.slow.test.ts`) and journeys (`@slow`), and tests that need another database, object store or browser, or a long time. `-- NAME` picks one;
 * `-- customer [--minutes N] [--seed S] [--shrink M]` walks elsewhere than from the seeds of the suite;
 * `-- money [--histories N] [--seed S] [--lanes N] [--minutes M] [--only sqlite]` lives more than the 8 histories of the suite;
 * `-- backups [--kills N] [--errors N] [--write]`, `-- upgrades [--from REF] [--rounds N] [--files N]`, `-- attacks [--only NAME] [--seed S] [--write]` and `-- workbench [--only hour] [--minutes N] [--seed S] [--write]`
 * only run by name.
 */
const proofs: Step[] = [
  { name: 'unit', command: ['vitest', 'run', '--project', 'slow'] },
  { name: 'journeys', command: [...played('journeys').command, '--grep', '@slow'] },
  { name: 'postgres', command: ['vitest', 'run', '--project', 'postgres', '--passWithNoTests'] },
  { name: 's3', command: ['vitest', 'run', '--project', 's3', '--passWithNoTests'] },
  played('browsers'),
  played('campaigns'),
  played('benches'),
  { name: 'release', command: ['node', 'e2e/proofs/release/main.ts'] },
  { name: 'recipes', command: ['node', 'e2e/proofs/recipes/main.ts'] },
  { name: 'money', command: ['node', 'e2e/proofs/money/main.ts', ...(wished.includes('money') ? options : [])] },
  { name: 'attacks', command: ['node', 'e2e/proofs/attacks/main.ts', ...options] },
  { name: 'workbench', command: ['node', 'e2e/proofs/workbench/main.ts', ...options] },
  { name: 'backups', command: ['node', 'e2e/proofs/torture/main.ts', 'backups', ...options] },
  { name: 'upgrades', command: ['node', 'e2e/proofs/upgrades/main.ts', ...options] },
  options.length === 0
    ? played('customer')
    : { name: 'customer', command: ['node', 'e2e/proofs/customer/main.ts', ...options] },
]

const unknown = wished.find((name) => !proofs.some((proof) => proof.name === name))
if (unknown !== undefined) {
  console.error(`There is no proof "${unknown}": ${proofs.map(({ name }) => name).join(', ')}.`)
  process.exit(1)
}
const chosen = proofs.filter(({ name }) => (wished.length === 0 ? !byName.includes(name) : wished.includes(name)))
const opensPages = ['journeys', 'browsers', 'campaigns', 'benches', 'workbench', 'customer']
const build: Step = { name: 'build', command: ['node', 'src/tooling/build.ts'] }
await runSteps('proofs', chosen.some(({ name }) => opensPages.includes(name)) ? [build, ...chosen] : chosen, true)
