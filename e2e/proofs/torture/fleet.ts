import { setTimeout as wait } from 'node:timers/promises'
import { LocalStripe } from '../../../src/service/orders/money/payment/stripe/testing/local-stripe.ts'
import { startFakeRecognizer } from '../../../src/service/recognition/testing/fake-recognizer.ts'
import { makeSpokenPieces } from '../../../src/service/recognition/testing/made-speech.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import { openReceiver, type Receiver } from '../../kit/receiver.ts'
import type { Bench } from '../bench/measurement.ts'
import { unlessShort } from '../bench/short.ts'
import { Customer, type Speech, Told } from './fleet-customers.ts'
import { killAtRandom, startWeather } from './fleet-faults.ts'
import { Fleet } from './fleet-nodes.ts'
import {
  comesToRest,
  compareBucket,
  compareFiles,
  compareMoney,
  compareWebhooks,
  countLeftOver,
} from './fleet-truth.ts'
import { compareWithProvider } from './money-books.ts'
import { comesTrue, newPayer, type Tally } from './rounds.ts'
import { Seeded } from './seeded.ts'

const usualKills = unlessShort(500, 4)
const nodesOfEachRole = unlessShort(3, 1)
const customers = unlessShort(6, 2)
const phrase = 'the fleet was heard'
const dayAndHourMs = 25 * 60 * 60_000
const choresWithinMs = 120_000
const enoughWithinMs = 120_000
const lastAnswersMs = 300_000
/**
 * Back-pressure: customers pause while this many recordings are queued, so that the comparison covers finished work.
 */
const longestQueue = 30

/** Customers who send and delete until stopped. @returns a function that stops them, once each has its last response */
async function startCustomers(
  fleet: Fleet,
  receiver: Receiver,
  told: Told,
  seed: number,
): Promise<() => Promise<void>> {
  const sounds = [1, 2].map((pieces): Speech => ({ sound: makeSpokenPieces(pieces), pieces })) as [Speech, Speech]
  const first = fleet.api[0] as (typeof fleet.api)[number]
  let isOpen = true
  const queue = async () => {
    const waiting = fleet.db.selectFrom('jobs').select('id').where('kind', '=', 'speech').limit(longestQueue)
    return (await waiting.execute().catch(() => [])).length
  }
  const keys: string[] = []
  for (let made = 0; made < customers; made += 1) {
    const key = await newPayer(first)
    await accountClient(first.url, key).read('PUT', 'webhook', { url: receiver.url })
    keys.push(key)
  }
  const working = keys.map(async (key, index) => {
    const customer = new Customer(fleet, key, new Seeded(seed + 1_000 + index), told)
    for (; isOpen; await wait(300)) {
      if ((await queue()) >= longestQueue) continue
      if (index % 2 === 0) await customer.orderByForm(sounds[0])
      else await customer.upload(sounds[1])
    }
  })
  return async () => {
    isOpen = false
    const isDone = Promise.all(working).then(() => true)
    // The faults are over: a request without a response by then never gets one.
    if (await Promise.race([isDone, wait(lastAnswersMs, false)])) return
    told.contradictions.push('a customer waits in vain for an answer')
  }
}

/**
 * Waits until everything is idle, and compares the actual state with customers' responses, also 25 hours later.
 * @returns objects without a row before that, and the comparisons
 */
async function compareAll(fleet: Fleet, told: Told, receiver: Receiver): Promise<[leftOver: number, Tally[]]> {
  const tallies = [await comesToRest(fleet), await compareFiles(fleet, told, phrase), compareWebhooks(told, receiver)]
  tallies.push(...(await compareMoney(fleet, told)))
  const leftOver = await countLeftOver(fleet)
  await fleet.moveClock(dayAndHourMs)
  tallies.push(await compareBucket(fleet, choresWithinMs))
  return [leftOver, tallies]
}

/**
 * API nodes and workers on one PostgreSQL and one bucket and killed `--kills` times (`--seed`: of the random numbers),
 * while the connection to S3 fails in all ways and PostgreSQL is restarted.
 */
export const tortureFleet: Bench = async ({ kills: killsText, seed: seedText }) => {
  const [kills, seed] = [Number(killsText ?? usualKills), Number(seedText ?? 1)]
  const [provider, recognizer, receiver] = [
    await new LocalStripe().listen(),
    await startFakeRecognizer(),
    await openReceiver(),
  ]
  recognizer.says = phrase
  const environment = {
    ...provider.env,
    RECOGNIZER: 'http',
    RECOGNIZER_URL: recognizer.url.href,
    ALLOW_TARGETS: receiver.target,
  }
  const fleet = await Fleet.start(nodesOfEachRole, environment)
  const told = new Told()
  try {
    const endCustomers = await startCustomers(fleet, receiver, told, seed)
    const weather = startWeather(fleet, new Seeded(seed + 1))
    const restarts = await killAtRandom(fleet, kills, new Seeded(seed))
    weather.end()
    // After few kills there are few orders.
    await comesTrue(() => told.isEnough(), enoughWithinMs)
    await endCustomers()
    const [leftOver, tallies] = await compareAll(fleet, told, receiver)
    tallies.push(await compareWithProvider(fleet.db, provider))
    return [
      { what: 'kills', value: kills, unit: '' },
      { what: 'restarts of PostgreSQL', value: restarts, unit: '' },
      { what: 'faults of S3 that came over it', value: weather.changes(), unit: '' },
      { what: 'objects without a row before the clock is moved', value: leftOver, unit: '' },
      ...tallies.flatMap((tally) => tally.rows()),
    ]
  } finally {
    await fleet.remove()
    await Promise.all([provider.close(), recognizer.close(), receiver.close()])
  }
}
