import { openSchema } from '../../../src/service/testing/postgres-schemas.ts'
import { hasPostgres, startPostgres } from '../../../src/service/testing/start-postgres.ts'
import type { Bench } from '../bench/measurement.ts'
import { unlessShort } from '../bench/short.ts'
import { walkWorkbench } from '../workbench/walk.ts'
import { Tally } from './rounds.ts'

const [walks, acts] = unlessShort([6, 150], [2, 60])

/** Staff, managers and a customer act at random from fixed seeds; `npm run proofs -- workbench` walks from new ones. */
export const tortureWorkbench: Bench = async () => {
  const cluster = hasPostgres() ? startPostgres() : null
  const tally = new Tally('walks at the workbench')
  try {
    for (let seed = 0; seed < walks; seed += 1) {
      const postgres = cluster === null || seed % 2 === 0 ? null : await openSchema(cluster.url)
      const { diary, fault } = await walkWorkbench(postgres, seed, acts)
      tally.count(fault === null, `seed ${seed}, after ${diary.slice(-5).join('; ')}: ${fault}`)
    }
  } finally {
    cluster?.remove()
  }
  return tally.rows()
}
