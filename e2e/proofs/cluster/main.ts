/**
 * `npm run cluster`: the services of `deploy/compose.yml`, on loopback, until a signal ends it. `-- conformance` and
 * `-- journeys` run these tests through its proxy instead, with their own arguments, `-- check` both, and end with
 * their result. `-- upgrade --from REF` upgrades nodes of a commit to the present tree under load, with the conformance
 * suite, or the given tests, while both versions serve. Needs `npm run setup -- --scale`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import type { RunningCluster } from '../../../src/service/testing/running-cluster.ts'
import { freePort } from '../../../src/service/testing/start-gateway.ts'
import { describe, isMet } from '../bench/measurement.ts'
import { describeMachine, writeFigures } from '../bench/performance-page.ts'
import { formerCommit } from './checkout.ts'
import { startCluster } from './cluster.ts'
import { upgrade } from './upgrade.ts'

type Run = {
  recognizer: 'pocketsphinx' | 'sherpa'
  command: readonly string[]
  usual: readonly string[]
  /** webhook receivers on this machine that the cluster may reach */
  receivers?: number
}

/** Journeys that need only the service's address; one that starts its own service fails here. */
const journeys = [
  'journey',
  'order',
  'order-resume',
  'search',
  'projects',
  'account',
  'account-settings',
  'account-webhooks',
]

const conformance: Run = {
  // Disables recognition.
  recognizer: 'sherpa',
  command: ['vitest', 'run', '--project', 'sqlite', '--project', 'slow'],
  usual: ['src/service/conformance'],
}
const runs: Readonly<Record<string, Run>> = {
  conformance,
  journeys: {
    recognizer: 'pocketsphinx',
    command: ['playwright', 'test', '-c', 'e2e/playwright.config.ts'],
    usual: journeys.map((journey) => `/${journey}.spec.ts`),
    // One for each of Playwright's workers.
    receivers: 2,
  },
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
// `clean-up.ts` ends running processes.
const quit = () => process.exit(1)
const parent = process.ppid
setInterval(() => process.ppid === parent || quit(), 1_000).unref()

/** Starts a cluster, runs `work`, and ends it in order. `work` handles signals in the meantime. */
async function withCluster(
  { recognizer, receivers = 0 }: Pick<Run, 'recognizer' | 'receivers'>,
  work: (cluster: RunningCluster) => Promise<void>,
): Promise<void> {
  const ports = await Promise.all(Array.from({ length: receivers }, freePort))
  const targets = ports.map((port) => `127.0.0.1:${port}`).join(',')
  for (const signal of signals) process.once(signal, quit)
  const { url, env, stop } = await startCluster({ RECOGNIZER: recognizer, ALLOW_TARGETS: targets })
  for (const signal of signals) process.off(signal, quit)
  console.log(`The cluster is ready at ${url}`)
  await work({ url, env })
  await stop()
}

/** Runs tests against a cluster. @returns their exit status */
async function test({ command, usual }: Run, given: readonly string[], cluster: RunningCluster): Promise<number> {
  const child = spawn('npx', ['--no-install', ...command, ...(given.length === 0 ? usual : given)], {
    stdio: 'inherit',
    env: { ...process.env, PARLEY_CLUSTER: JSON.stringify(cluster) },
  })
  const end = () => child.kill('SIGTERM')
  for (const signal of signals) process.once(signal, end)
  const status = Number((await once(child, 'exit'))[0] ?? 1)
  for (const signal of signals) process.off(signal, end)
  return status
}

/** Upgrades under load, and reports the effects on customers. */
async function runUpgrade(args: readonly string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { from: { type: 'string' }, write: { type: 'boolean', default: false } },
  })
  for (const signal of signals) process.once(signal, quit)
  const machine = describeMachine()
  const seen = await upgrade(values.from ?? formerCommit(), (cluster) => test(conformance, positionals, cluster))
  for (const row of seen) console.log(`upgrade  ${describe(row)}`)
  if (!seen.every(isMet)) process.exitCode = 1
  if (values.write) await writeFigures('reliability', 'upgrade', machine, seen)
}

/** Runs tests through a dedicated cluster. */
async function runTests(run: Run, given: readonly string[]): Promise<void> {
  await withCluster(run, async (cluster) => {
    process.exitCode = (await test(run, given, cluster)) || process.exitCode || 0
  })
}

const [name = '', ...given] = process.argv.slice(2)
const chosen = name === 'check' ? Object.values(runs) : [runs[name]].filter((run) => run !== undefined)
if (name === 'upgrade') await runUpgrade(given)
else if (name === '') {
  await withCluster(
    { recognizer: 'pocketsphinx' },
    async () => void (await Promise.race(signals.map((signal) => once(process, signal)))),
  )
} else if (chosen.length === 0)
  throw new Error(`It runs ${Object.keys(runs).join(', ')}, upgrade or check, not ${name}.`)
for (const run of chosen) await runTests(run, given)
