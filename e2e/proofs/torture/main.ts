import { parseArgs } from 'node:util'
import { describe, isMet } from '../bench/measurement.ts'
import { describeMachine, writeFigures } from '../bench/performance-page.ts'
import { campaigns } from './campaigns.ts'

/**
 * `npm run torture -- all` runs every campaign, `npm run torture -- kill` one; a failure or a missed goal exits with 1.
 * `--write` also writes the figures into docs/figures/reliability.md. `--short` shortens each as far as possible, and
 * only lost or wrong data counts, not durations. `--kills` applies to `fleet`, `payments` and `backups`, `--errors` and
 * `--gigabytes` to `backups`, `--seed` to `fleet`, `--requests` and `--minutes` to `soak`.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    kills: { type: 'string' },
    errors: { type: 'string' },
    gigabytes: { type: 'string' },
    seed: { type: 'string' },
    requests: { type: 'string' },
    minutes: { type: 'string' },
  },
})
const wanted = positionals.includes('all') ? Object.keys(campaigns) : positionals
if (wanted.length === 0) throw new Error(`Name a campaign, or all: ${Object.keys(campaigns).join(', ')}.`)
for (const name of wanted) {
  const load = campaigns[name]
  if (load === undefined) throw new Error(`There is no "${name}". There are: ${Object.keys(campaigns).join(', ')}.`)
  const machine = describeMachine()
  const measurements = await (await load())({ ...values, write: undefined, short: undefined })
  for (const measurement of measurements) {
    console.log(`${name}  ${describe(measurement)}`)
    if (!isMet(measurement) && !(values.short && measurement.unit !== '')) process.exitCode = 1
  }
  if (values.write) await writeFigures('reliability', name, machine, measurements)
}
// Exits despite pending work of a failed campaign.
process.exit()
