import { parseArgs } from 'node:util'
import { benches } from './benches.ts'
import { describe, isMet } from './measurement.ts'
import { describeMachine, writeFigures } from './performance-page.ts'

/**
 * `npm run bench` runs all, `npm run bench -- upload --size 10g` one with options; a missed goal exits with 1.
 * `--write` also writes the figures into docs/figures/performance.md. `--short` minimizes the work of each, and goals
 * do not count.
 */
const {
  positionals,
  values: { write, short, ...options },
} = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    size: { type: 'string' },
    rounds: { type: 'string' },
    hours: { type: 'string' },
    model: { type: 'string' },
    recognizer: { type: 'string' },
    stores: { type: 'string' },
    files: { type: 'string' },
  },
})
const optionWords = Object.entries(options).map(([name, value]) => ` --${name} ${value}`)
const wanted = positionals.length > 0 ? positionals : Object.keys(benches)
let missed = 0
for (const name of wanted) {
  const load = benches[name]
  if (load === undefined) throw new Error(`There is no bench "${name}". There are: ${Object.keys(benches).join(', ')}.`)
  const machine = describeMachine()
  const measurements = await (await load())(options)
  for (const measurement of measurements) {
    console.log(`${name}  ${describe(measurement)}`)
    if (!short && !isMet(measurement)) missed += 1
  }
  if (write && !short) await writeFigures('performance', `${name}${optionWords.join('')}`, machine, measurements)
}
process.exitCode = missed > 0 ? 1 : 0
