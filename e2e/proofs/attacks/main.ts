import { parseArgs } from 'node:util'
import type { Config } from '../../../src/service/platform/config.ts'
import type { PostgresConfig } from '../../../src/service/platform/db/postgres/postgres-config.ts'
import { openSchema } from '../../../src/service/testing/postgres-schemas.ts'
import { hasPostgres, startPostgres } from '../../../src/service/testing/start-postgres.ts'
import { startTestService, type TestService } from '../../../src/service/testing/test-service.ts'
import { describe, isMet, type Measurement } from '../bench/measurement.ts'
import { describeMachine, writeFigures } from '../bench/performance-page.ts'
import { Tally } from '../torture/rounds.ts'
import { attackFields } from './fields.ts'
import { attackWithFloods } from './floods.ts'
import { attackWithLongFilm } from './long-film.ts'
import { attackWithRaces } from './races.ts'
import { attackWithRestores } from './restores.ts'
import { attackWithVideos } from './videos.ts'

/*
 * `npm run proofs -- attacks`, on both databases: every parameter and field that /openapi.json describes with every odd
 * value, races, histories between backup and restore, floods of sandboxes, hostile captions and videos, a long film.
 * `--only races` runs one of them, `--only TEXT` sends odd values to operations whose path contains it; `--write` writes
 * the figures into docs/figures/reliability.md.
 */

const { values } = parseArgs({
  options: { only: { type: 'string' }, seed: { type: 'string' }, write: { type: 'boolean', default: false } },
})
const seed = Number(values.seed ?? 1)

type Found = (Tally | Measurement)[]

/** Rate limits are another matter: this clock leaves each request a second after the one before. */
function leapingClock(): () => number {
  let ms = 0
  return () => (ms += 1_000)
}

/** Attacks one service; whatever it logs as an error is a failure. */
async function onService(
  postgres: PostgresConfig | null,
  attack: (service: TestService) => Promise<Found>,
  config: Partial<Config> = { role: 'api' },
): Promise<Found> {
  const service = await startTestService({ postgres, ...config }, undefined, leapingClock())
  const logged = new Tally('errors logged')
  try {
    const found = await attack(service)
    logged.count(service.loggedErrors.length === 0, service.loggedErrors.join('').slice(0, 2_000))
    return [...found, logged]
  } finally {
    service.loggedErrors.splice(0)
    // It throws if an answer has a status that /openapi.json does not name.
    await service.close().catch((error: unknown) => logged.count(false, String(error)))
  }
}

type Part = (postgres: PostgresConfig | null) => Promise<Found>
const parts: Record<string, Part> = {
  fields: (postgres) => onService(postgres, async (service) => [await attackFields(service, '')]),
  races: (postgres) => onService(postgres, attackWithRaces),
  restores: (postgres) => attackWithRestores(postgres, seed),
  floods: attackWithFloods,
  videos: (postgres) => onService(postgres, attackWithVideos, { role: 'all' }),
  film: (postgres) => onService(postgres, attackWithLongFilm, { role: 'all', sandboxDrawMinutes: 90 }),
}

function choose(only: string | undefined): Record<string, Part> {
  if (only === undefined) return parts
  const part = parts[only]
  const fields: Part = (postgres) => onService(postgres, async (service) => [await attackFields(service, only)])
  return part === undefined ? { [only]: fields } : { [only]: part }
}

const machine = describeMachine()
const rows: Measurement[] = []
const cluster = hasPostgres() ? startPostgres() : null
if (cluster === null) console.log('PostgreSQL is not installed: left out.')
try {
  for (const [name, attack] of Object.entries(choose(values.only))) {
    for (const url of cluster === null ? [null] : [null, cluster.url]) {
      const startedMs = performance.now()
      const found = await attack(url === null ? null : await openSchema(url))
      const at = `${name} on ${url === null ? 'SQLite' : 'PostgreSQL'}`
      const figures = found.flatMap((each) => (each instanceof Tally ? each.rows() : [each]))
      const measured = figures.map((row) => ({ ...row, what: `${at}, ${row.what}` }))
      measured.push({ what: `${at}, time`, value: Math.round((performance.now() - startedMs) / 1_000), unit: 's' })
      for (const row of measured) {
        console.log(`attacks  ${describe(row)}`)
        if (!isMet(row)) process.exitCode = 1
      }
      rows.push(...measured)
    }
  }
} finally {
  cluster?.remove()
}
if (values.write) await writeFigures('reliability', 'attacks', machine, rows)
