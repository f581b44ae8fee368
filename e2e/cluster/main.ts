/**
 * `npm run cluster`: what `deploy/compose.yml` starts, on loopback, until a signal ends it. `-- conformance` and
 * `-- journeys` run these tests through its proxy instead, with arguments of their own, `-- check` both, and end with their
 * result. Needs `npm run setup -- --scale`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startCluster } from './cluster.ts'

type Run = { recogniser: 'pocketsphinx' | 'sherpa'; command: readonly string[]; usual: readonly string[] }

/** Journeys that need nothing of the service but its address. */
const journeys = ['journey', 'order', 'files-reading', 'transcript-downloads', 'search', 'account-settings']

const runs: Readonly<Record<string, Run>> = {
  conformance: {
    // Nothing is to be recognised.
    recogniser: 'sherpa',
    command: ['vitest', 'run', '--project', 'sqlite'],
    usual: ['src/service/conformance'],
  },
  journeys: {
    recogniser: 'pocketsphinx',
    command: ['playwright', 'test', '-c', 'e2e/playwright.config.ts'],
    usual: journeys.map((journey) => `${journey}.spec.ts`),
  },
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
// What is running then is ended by `clean-up.ts`.
const quit = () => process.exit(1)
const parent = process.ppid
setInterval(() => process.ppid === parent || quit(), 1_000).unref()

/** Starts a cluster, works with it, and ends it in order. A signal meanwhile is `work`'s own. */
async function withCluster(
  recogniser: Run['recogniser'],
  work: (cluster: { url: string; env: object }) => Promise<void>,
) {
  for (const signal of signals) process.once(signal, quit)
  const { url, env, stop } = await startCluster(recogniser)
  for (const signal of signals) process.off(signal, quit)
  console.log(`The cluster is ready at ${url}`)
  await work({ url, env })
  await stop()
}

/** Runs tests through a cluster of their own. @returns the status that they end with */
async function test({ recogniser, command, usual }: Run, given: readonly string[]): Promise<number> {
  let status = 1
  await withCluster(recogniser, async (cluster) => {
    const child = spawn('npx', ['--no-install', ...command, ...(given.length === 0 ? usual : given)], {
      stdio: 'inherit',
      env: { ...process.env, PARLEY_CLUSTER: JSON.stringify(cluster) },
    })
    const end = () => child.kill('SIGTERM')
    for (const signal of signals) process.once(signal, end)
    status = Number((await once(child, 'exit'))[0] ?? 1)
    for (const signal of signals) process.off(signal, end)
  })
  return status
}

const [name = '', ...given] = process.argv.slice(2)
const chosen = name === 'check' ? Object.values(runs) : [runs[name]].filter((run) => run !== undefined)
if (name !== '' && chosen.length === 0)
  throw new Error(`It runs ${Object.keys(runs).join(', ')} or check, not ${name}.`)
if (name === '')
  await withCluster(
    'pocketsphinx',
    async () => void (await Promise.race(signals.map((signal) => once(process, signal)))),
  )
for (const run of chosen) process.exitCode = (await test(run, given)) || process.exitCode || 0
