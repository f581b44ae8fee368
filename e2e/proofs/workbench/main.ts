import { parseArgs } from 'node:util'
import { openSchema } from '../../../src/service/testing/postgres-schemas.ts'
import { hasPostgres, startPostgres } from '../../../src/service/testing/start-postgres.ts'
import { describe, isMet, type Measurement } from '../bench/measurement.ts'
import { describeMachine, writeFigures } from '../bench/performance-page.ts'
import { typeHour } from './hour.ts'
import { walkWorkbench } from './walk.ts'

/*
 * `npm run proofs -- workbench`: the random customer's brother at `/work`, on SQLite and PostgreSQL in turn, from fixed
 * seeds, or with `--minutes N` from new ones until the minutes are over. `--seed S` begins with that one, and repeats it
 * alone without minutes. A door that differs from the model exits with 1. `--only hour` types a made talk of an hour, or
 * of `--minutes`, by keys alone instead. `--write` writes the figures into docs/figures/reliability.md.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string', default: 'walks' },
    write: { type: 'boolean', default: false },
  },
})
const actsOfWalk = 150
const walksOfSuite = 4

function* seeds(): Generator<number> {
  if (values.minutes === undefined) {
    return yield* values.seed === undefined ? Array(walksOfSuite).keys() : [Number(values.seed)]
  }
  const endMs = performance.now() + Number(values.minutes) * 60_000
  for (let seed = Number(values.seed ?? Date.now() % 1_000_000); performance.now() < endMs; seed += 1) yield seed
}

const machine = describeMachine()
/** Random walks. @returns their figures */
async function walkAll(): Promise<Measurement[]> {
  const startedMs = performance.now()
  const cluster = hasPostgres() ? startPostgres() : null
  if (cluster === null) console.log('PostgreSQL is not installed: left out.')
  let [walks, steps, faults] = [0, 0, 0]
  try {
    for (const seed of seeds()) {
      for (const url of cluster === null ? [null] : [null, cluster.url]) {
        const result = await walkWorkbench(url === null ? null : await openSchema(url), seed, actsOfWalk)
        walks += 1
        steps += result.steps
        const name = `seed ${seed} on ${url === null ? 'SQLite' : 'PostgreSQL'}`
        if (result.fault === null) console.log(`${name}: ${result.steps} acts`)
        else {
          faults += 1
          console.log(
            `${name}: ${result.steps} acts: FAULT\n${result.diary.map((line) => `  ${line}`).join('\n')}\n${result.fault}`,
          )
        }
      }
    }
  } finally {
    cluster?.remove()
  }
  return [
    { what: 'walks, on both databases in turn', value: walks, unit: '' },
    { what: 'acts, each compared with the model', value: steps, unit: '', goal: { atLeast: 1 } },
    { what: 'time', value: Math.round((performance.now() - startedMs) / 60_000), unit: 'min' },
    { what: 'faults', value: faults, unit: '', goal: { atMost: 0 } },
  ]
}

const isHour = values.only === 'hour'
const rows = isHour ? await typeHour(Number(values.minutes ?? 60), Number(values.seed ?? 1)) : await walkAll()
for (const row of rows) console.log(`workbench  ${describe(row)}`)
if (values.write) await writeFigures('reliability', isHour ? 'workbench --only hour' : 'workbench', machine, rows)
process.exitCode = rows.every(isMet) ? 0 : 1
