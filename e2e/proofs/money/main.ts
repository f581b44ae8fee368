import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { dayMs } from '../../../src/contract/common/durations.ts'
import type { PostgresConfig } from '../../../src/service/platform/db/postgres/postgres-config.ts'
import { openSchema } from '../../../src/service/testing/postgres-schemas.ts'
import { hasPostgres, startPostgres } from '../../../src/service/testing/start-postgres.ts'
import { makeTone } from '../../../src/service/testing/test-service.ts'
import { describe, isMet, type Measurement } from '../bench/measurement.ts'
import { describeMachine, writeFigures } from '../bench/performance-page.ts'
import { Tally } from '../torture/rounds.ts'
import { Seeded } from '../torture/seeded.ts'
import { exhaustBudget } from './budgets.ts'
import { compareAccount, compareNumbers } from './compare.ts'
import { type Act, histories, Life } from './history.ts'
import { World } from './world.ts'

/*
 * `npm run proofs -- money`: random histories of accounts on both databases (two nodes on PostgreSQL), some at once while a
 * node is killed: orders, deletions at every progress, declines, authentication, disputes of parts, lost answers, prices,
 * top-ups, refunds, budgets, invoices. After each, everything that is known of its money must be equal to the cent.
 * Then twenty orders at once against a budget for ten, `--budgets N` times (5).
 * `--histories N` (8), `--seed S`, `--only sqlite` or `postgres`; `--minutes M` ends it earlier; `--write` writes the
 * figures into docs/figures/reliability.md.
 */

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: process.env.HISTORIES ?? '8' },
    seed: { type: 'string', default: '1' },
    budgets: { type: 'string', default: '5' },
    minutes: { type: 'string', default: '600' },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const atOnce = 10
const [count, seed, budgetRounds] = [Number(values.histories), Number(values.seed), Number(values.budgets)]
const endsAt = performance.now() + Number(values.minutes) * 60_000

type Tones = { body: Uint8Array; ms: number }[]

/** Ten histories at once; a node is killed in the middle of them. */
async function liveTogether(world: World, some: readonly Act[][], first: number, tones: Tones, random: Seeded) {
  const lives = await Promise.all(some.map(async () => new Life(world, await world.account(), tones)))
  await Promise.all(lives.map((life) => life.begin()))
  let isLiving = true
  const killing = (async () => {
    await wait(random.between(50, 1_500))
    if (isLiving) await world.kill()
  })()
  await Promise.all(
    lives.map(async (life, index) => {
      for (const act of some[index] ?? []) await life.do(act)
    }),
  )
  isLiving = false
  await killing
  world.provider.faults = []
  // Each dispute is told at last, as the provider does; then what waits for a bank is given up, and refunds fall due.
  const own = new Set(lives.map(({ seen }) => seen.id))
  const { intents, disputes } = world.provider.state
  const disputed = new Set(disputes.map(({ payment_intent }) => payment_intent))
  for (const { id, metadata } of intents)
    if (disputed.has(id) && own.has(metadata.parley_account ?? ''))
      await world.provider.tell('charge.dispute.closed', { payment_intent: id })
  await world.endLeases()
  for (let times = 0; times < 3; times += 1) await world.advance(times === 0 ? dayMs / 12 : 4 * dayMs)
  await Promise.all(lives.map((life) => life.end()))
  return lives.map(({ seen }, index) => ({ seen, name: `seed ${seed}, history ${first + index}` }))
}
async function liveOn(label: string, postgres: PostgresConfig | null): Promise<Measurement[]> {
  const tally = new Tally(`${label}: sums compared`)
  const world = await World.open(postgres)
  const random = new Seeded(seed)
  let lived = 0
  try {
    const tones = await Promise.all(
      [3, 24, 60].map(async (seconds) => ({ body: await makeTone(seconds), ms: seconds * 1_000 })),
    )
    const all = histories(seed, count)
    for (; lived < count && performance.now() < endsAt; lived += atOnce) {
      const done = await liveTogether(world, all.slice(lived, lived + atOnce), lived, tones, random)
      for (const { seen, name } of done) await compareAccount(world, seen, tally, name)
      if (lived % 100 === 90) console.log(`${label}: ${lived + atOnce} histories, ${world.kills} kills`)
    }
    await compareNumbers(world, tally)
    const budgets = new Tally(`${label}: 20 orders at once against a budget for ten`)
    const [tone = { body: new Uint8Array(), ms: 0 }] = tones
    for (let times = 0; times < budgetRounds && performance.now() < endsAt; times += 1)
      await exhaustBudget(world, tone, budgets)
    const loss = await world.db.selectFrom('invoices').select('id').execute()
    return [
      { what: `${label}: histories`, value: Math.min(lived, count), unit: '' },
      { what: `${label}: kills`, value: world.kills, unit: '' },
      { what: `${label}: invoices`, value: loss.length, unit: '' },
      ...tally.rows(),
      ...(budgetRounds > 0 ? budgets.rows() : []),
    ]
  } finally {
    await world.close()
  }
}

const machine = describeMachine()
const measurements: Measurement[] = []
if (values.only !== 'postgres') measurements.push(...(await liveOn('SQLite', null)))
if (values.only !== 'sqlite' && hasPostgres()) {
  const cluster = startPostgres()
  measurements.push(...(await liveOn('PostgreSQL, two nodes', await openSchema(cluster.url))))
  cluster.remove()
}
for (const measurement of measurements) {
  console.log(`money  ${describe(measurement)}`)
  if (!isMet(measurement)) process.exitCode = 1
}
if (values.write) await writeFigures('reliability', 'money', machine, measurements)
process.exit()
