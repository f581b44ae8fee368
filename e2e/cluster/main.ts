/**
 * `npm run cluster`: what `deploy/compose.yml` starts, on loopback, until a signal ends it. `-- conformance` and
 * `-- journeys` run these tests through its proxy instead, with arguments of their own, and end with their result. Needs
 * `npm run setup -- --scale`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startCluster } from './cluster.ts'

/** Journeys that need nothing of the service but its address. */
const journeys = ['journey', 'order', 'files-reading', 'transcript-downloads', 'search', 'account-settings']

const runs: Readonly<Record<string, readonly string[]>> = {
  conformance: ['vitest', 'run', '--project', 'sqlite', 'src/service/conformance'],
  journeys: ['playwright', 'test', '-c', 'e2e/playwright.config.ts'],
}

const [name = '', ...given] = process.argv.slice(2)
const run = runs[name]
if (name !== '' && run === undefined) throw new Error(`It runs ${Object.keys(runs).join(' or ')}, not ${name}.`)
// What is left is cleaned up: by `clean-up.ts`.
const quit = () => process.exit(1)
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
for (const signal of signals) process.once(signal, quit)
const parent = process.ppid
setInterval(() => process.ppid === parent || quit(), 1_000).unref()
const { url, env, stop } = await startCluster(name === 'conformance' ? 'sherpa' : 'pocketsphinx')
console.log(`The cluster is ready at ${url}`)
for (const signal of signals) process.off(signal, quit)
if (run === undefined) await Promise.race(signals.map((signal) => once(process, signal)))
else {
  const usual = name === 'journeys' ? journeys.map((journey) => `${journey}.spec.ts`) : []
  const args = [...run, ...(given.length === 0 ? usual : given)]
  const child = spawn('npx', ['--no-install', ...args], {
    stdio: 'inherit',
    env: { ...process.env, PARLEY_CLUSTER: JSON.stringify({ url, env }) },
  })
  for (const signal of signals) process.once(signal, () => child.kill(signal))
  process.exitCode = Number((await once(child, 'exit'))[0] ?? 1)
}
await stop()
