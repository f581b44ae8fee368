import { setTimeout as wait } from 'node:timers/promises'
import { type Fault, s3Error } from '../../../src/service/testing/fault-proxy.ts'
import type { Fleet } from './fleet-nodes.ts'
import type { Seeded } from './seeded.ts'

const weathers = ['well', 'well', 'down', '503', 'slow', 'cut', 'lost'] as const
type Weather = (typeof weathers)[number]

/** The fault of one request in a given weather; only an outage fails all of them. */
function faultIn(weather: Weather, random: Seeded): Fault {
  if (weather === 'well' || (weather !== 'down' && random.next() < 0.6)) return null
  if (weather === '503') return s3Error(503, 'SlowDown')
  if (weather === 'slow') return { waitMs: random.between(200, 3_000) }
  if (weather === 'cut') return { cutAt: Math.floor(random.between(0, 100_000)) }
  return weather
}

/** Changes the faults of S3 requests every few seconds. @returns the count of changes, and a function that stops it */
export function startWeather({ proxy }: Fleet, random: Seeded): { changes(): number; end(): void } {
  let [isOpen, changes] = [true, 0]
  const change = async () => {
    while (isOpen) {
      const weather = random.any(weathers)
      proxy.faultOf = () => faultIn(weather, random)
      changes += weather === 'well' ? 0 : 1
      await wait(random.between(1_000, 4_000))
    }
  }
  void change()
  return {
    changes: () => changes,
    end() {
      isOpen = false
      proxy.faultOf = () => null
    },
  }
}

/** Kills nodes in a random order, several concurrently, and PostgreSQL after each fiftieth. @returns its restarts */
export async function killAtRandom(fleet: Fleet, kills: number, random: Seeded): Promise<number> {
  const isAway = new Set<unknown>()
  let [killed, restarts] = [0, 0]
  const lane = async () => {
    while (killed < kills) {
      killed += 1
      const number = killed
      await wait(random.between(200, 1_500))
      if (number % 50 === 25) {
        fleet.cluster.stop('immediate')
        await wait(random.between(200, 2_000))
        fleet.cluster.start()
        restarts += 1
      }
      const node = random.any(fleet.all.filter((each) => !isAway.has(each)))
      isAway.add(node)
      await fleet.killAndBoot(node)
      isAway.delete(node)
      if (number % 50 === 0) console.error(`${number} kills`)
    }
  }
  await Promise.all([lane(), lane()])
  return restarts
}
