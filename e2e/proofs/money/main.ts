import { setTimeout as wait } from 'node:timers/promises'
import { inspect, parseArgs } from 'node:util'
import { dayMs } from '../../../src/contract/common/durations.ts'
import { openSchema } from '../../../src/service/testing/postgres-schemas.ts'
import { hasPostgres, startPostgres } from '../../../src/service/testing/start-postgres.ts'
import { makeTone } from '../../../src/service/testing/test-service.ts'
import { describe, isMet, type Measurement } from '../bench/measurement.ts'
import { describeMachine, writeFigures } from '../bench/performance-page.ts'
import { inLanes, persist, Tally } from '../torture/rounds.ts'
import { Seeded } from '../torture/seeded.ts'
import { type Act, histories } from './acts.ts'
import { exhaustBudget } from './budgets.ts'
import { compareAccount, compareNumbers } from './compare.ts'
import { Life } from './history.ts'
import { measureOnce } from './measured-once.ts'
import type { Tone } from './wishes.ts'
import { World } from './world.ts'

/*
 * `npm run proofs -- money`: random histories of accounts on both databases (two nodes on PostgreSQL), ten at a time while a
 * node is killed and prices change: orders, quotes, free minutes, deletions at every progress, declines, authentication,
 * disputes of parts, lost answers, discounts, top-ups, refunds, budgets, invoices. After each, everything that is known of
 * its money must be equal to the cent. Then twenty orders at once against a budget for ten, `--budgets N` times (5).
 * `--histories N` (8) on each database, `--seed S`, `--lanes N` services at once (2), since histories mostly wait;
 * `--only sqlite` or `postgres`; `--minutes M` ends it earlier; `--write` writes the figures into
 * docs/figures/reliability.md.
 */

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: process.env.HISTORIES ?? '8' },
    seed: { type: 'string', default: '1' },
    budgets: { type: 'string', default: '5' },
    lanes: { type: 'string', default: '2' },
    minutes: { type: 'string', default: '600' },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const atOnce = 10
/** A service lives this many histories, and one on two nodes this many budgets. */
const [stretchLength, budgetsLength] = [100, 50]
const [count, seed, budgetRounds] = [Number(values.histories), Number(values.seed), Number(values.budgets)]
const endsAt = performance.now() + Number(values.minutes) * 60_000
const isOver = () => performance.now() >= endsAt

type Part = () => Promise<void>
const inParts = (all: number, length: number, part: (first: number) => Promise<void>): Part[] =>
  Array.from({ length: Math.ceil(all / length) }, (_, index) => () => part(index * length))

/** Ten histories at once; a node is killed in the middle of them, and prices change. */
async function liveTogether(world: World, some: readonly Act[][], tones: Tone[], random: Seeded): Promise<Life[]> {
  const lives = await Promise.all(some.map(async () => new Life(world, await world.account(), tones)))
  await Promise.all(lives.map((life) => life.begin()))
  await world.advanceToMidnight(random.between(300, 4_000))
  const killing = wait(random.between(50, 2_500)).then(() => world.kill(Math.floor(random.between(0, 2))))
  await Promise.all(
    lives.map(async (life, index) => {
      const foreign = lives[(index + 1) % lives.length]?.seen.wishes.quotes ?? []
      for (const act of some[index] ?? []) await life.do(act, lives.length > 1 ? foreign[0] : undefined)
    }),
  )
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
  await world.advance(dayMs / 12)
  await Promise.all(lives.map(({ seen }) => seen.wishes.late()))
  for (let times = 0; times < 2; times += 1) await world.advance(4 * dayMs)
  await Promise.all(lives.map((life) => life.end()))
  return lives
}

/** All of one database: what it lives, and what came of it. */
class Campaign {
  readonly label: string
  readonly #open: () => Promise<World>
  readonly #sums: Tally
  readonly #budgets: Tally
  readonly #done = { histories: 0, kills: 0, quotes: 0, freeMinutes: 0, invoices: 0 }

  constructor(label: string, open: () => Promise<World>) {
    this.label = label
    this.#open = open
    this.#sums = new Tally(`${label}: sums compared`)
    this.#budgets = new Tally(`${label}: 20 orders at once against a budget for ten`)
  }

  /** Histories, in parts that can be lived at once. */
  histories(tones: Tone[]): Part[] {
    const all = histories(seed, count)
    return inParts(count, stretchLength, (first) => this.#within((world) => this.#live(world, all, first, tones)))
  }

  budgets(tones: Tone[]): Part[] {
    return inParts(budgetRounds, budgetsLength, (at) => this.#within((world) => this.#exhaust(world, at, tones)))
  }

  async #within(work: (world: World) => Promise<void>): Promise<void> {
    if (isOver()) return
    const world = await persist(this.#open)
    try {
      await work(world)
    } catch (error) {
      // The others go on.
      const said = world.nodes.map(({ output }) => output.split('\n').slice(-5).join('\n'))
      this.#sums.count(false, [inspect(error), ...said].join('\n'))
    } finally {
      await world.close()
    }
  }

  async #live(world: World, all: readonly Act[][], first: number, tones: Tone[]): Promise<void> {
    const random = new Seeded(seed + first)
    const end = Math.min(first + stretchLength, count)
    for (let at = first; at < end && !isOver(); at += atOnce) {
      const lives = await liveTogether(world, all.slice(at, Math.min(at + atOnce, end)), tones, random)
      for (const [index, { seen }] of lives.entries())
        await compareAccount(world, seen, this.#sums, `seed ${seed}, history ${at + index}`)
      this.#done.histories += lives.length
      this.#done.quotes += lives.reduce((sum, { seen }) => sum + seen.wishes.quotes.length, 0)
    }
    await compareNumbers(world, this.#sums)
    const { db } = world
    const written = await db.selectFrom('invoices').select('id').execute()
    const free = await db.selectFrom('ledger').select('id').where('free_ms', '>', 0).execute()
    this.#done.kills += world.kills
    this.#done.invoices += written.length
    this.#done.freeMinutes += free.length
    console.log(`${this.label}: ${JSON.stringify(this.#done)}, ${Math.round(performance.now() / 60_000)} min`)
  }

  async #exhaust(world: World, first: number, [tone = { body: new Uint8Array(), ms: 0 }]: Tone[]): Promise<void> {
    await world.advanceToMidnight(-60_000)
    for (let at = first; at < Math.min(first + budgetsLength, budgetRounds) && !isOver(); at += 1)
      await exhaustBudget(world, tone, this.#budgets)
  }

  rows(): Measurement[] {
    const { histories: lived, kills, quotes, freeMinutes, invoices } = this.#done
    return [
      { what: `${this.label}: histories`, value: lived, unit: '' },
      { what: `${this.label}: kills`, value: kills, unit: '' },
      { what: `${this.label}: quotes`, value: quotes, unit: '' },
      { what: `${this.label}: orders with free minutes`, value: freeMinutes, unit: '' },
      { what: `${this.label}: invoices`, value: invoices, unit: '' },
      ...(lived > 0 ? this.#sums.rows() : []),
      ...(budgetRounds > 0 ? this.#budgets.rows() : []),
    ]
  }
}

const machine = describeMachine()
const measured = measureOnce()
const cluster = values.only !== 'sqlite' && hasPostgres() ? startPostgres() : null
const campaigns = [
  ...(values.only === 'postgres' ? [] : [new Campaign('SQLite', () => World.open(null, measured.path))]),
  ...(cluster === null
    ? []
    : [new Campaign('PostgreSQL, two nodes', async () => World.open(await openSchema(cluster.url), measured.path))]),
]
const tones = await Promise.all(
  [3, 24, 60].map(async (seconds) => ({ body: await makeTone(seconds), ms: seconds * 1_000 })),
)
// Those of both databases, and their budgets, in turn.
const lists = campaigns.flatMap((campaign) => [campaign.histories(tones), campaign.budgets(tones)])
const parts = lists
  .flatMap((list) => list.map((part, index) => ({ part, at: (index + 0.5) / list.length })))
  .toSorted((one, other) => one.at - other.at)
await inLanes(parts.length, Number(values.lanes), async (_, index) => await parts[index]?.part())
cluster?.remove()
measured.remove()
const measurements = campaigns.flatMap((campaign) => campaign.rows())
for (const measurement of measurements) {
  console.log(`money  ${describe(measurement)}`)
  if (!isMet(measurement)) process.exitCode = 1
}
if (values.write) await writeFigures('reliability', 'money', machine, measurements)
process.exit()
