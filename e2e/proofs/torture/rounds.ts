import { setTimeout as wait } from 'node:timers/promises'
import { comeBack, visitCardPage } from '../../../src/service/orders/money/payment/testing/enter-card.ts'
import { accountClient } from '../../../src/service/testing/account-client.ts'
import type { ServiceProcess } from '../../kit/service-process.ts'
import { type Measurement, percentile } from '../bench/measurement.ts'

/** No recognition and no downloads: the machine is free for the campaign. */
export const quiet = { RECOGNIZER: 'sherpa', OFFLINE: '1', LOG_LEVEL: 'silent' }

/** Counts attempts and failures; prints the first failure. */
export class Tally {
  readonly #what: string
  #tries = 0
  #failures = 0

  constructor(what: string) {
    this.#what = what
  }

  /** Counts an attempt. @param isRight false: a failure, described by `about` */
  count(isRight: boolean, about: string): void {
    this.#tries += 1
    if (isRight) return
    this.#failures += 1
    if (this.#failures <= 5) console.error(`${this.#what}: ${about}`)
  }

  rows(): Measurement[] {
    return [
      { what: `${this.#what}: tries`, value: this.#tries, unit: '', goal: { atLeast: 1 } },
      { what: `${this.#what}: failures`, value: this.#failures, unit: '', goal: { atMost: 0 } },
    ]
  }
}

/** The maximum of some times. */
export function longest(what: string, timesMs: readonly number[], atMost: number): Measurement {
  return { what: `${what}, longest`, value: Math.max(...timesMs), unit: 'ms', goal: { atMost } }
}

/** The 99th percentile of some times. */
export function p99(what: string, timesMs: readonly number[], atMost: number): Measurement {
  return { what: `${what}, p99`, value: percentile(timesMs, 0.99), unit: 'ms', goal: { atMost } }
}

/** Duration of some work, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

/** Polls until the condition holds. @returns false if it does not within `withinMs` */
export async function comesTrue(isSo: () => Promise<boolean> | boolean, withinMs: number): Promise<boolean> {
  for (const endMs = performance.now() + withinMs; ; await wait(50)) {
    if (await isSo()) return true
    if (performance.now() > endMs) return false
  }
}

/** Tries a few times what only fails on a machine that has no time, such as a start that waits for its database. */
export async function persist<Result>(attempt: () => Promise<Result>, tries = 5): Promise<Result> {
  return await attempt().catch(async (error: unknown) => {
    if (tries === 1) throw error
    await wait(1_000)
    return await persist(attempt, tries - 1)
  })
}

/**
 * Retries until the response has one of these statuses, also if the service is down or fails.
 * @throws Error with the last response after three minutes
 */
export async function insist(ask: () => Promise<Response>, statuses: readonly number[]): Promise<Response> {
  for (const endMs = performance.now() + 180_000; ; await wait(100)) {
    const answer = await ask().catch(() => null)
    if (answer !== null && statuses.includes(answer.status)) return answer
    if (performance.now() < endMs) continue
    throw new Error(`${answer?.url} answers nothing else than ${answer?.status}: ${await answer?.text()}`)
  }
}

/** Keys of new accounts, created alongside the running service. */
export async function newKeys(
  service: ServiceProcess,
  environment: 'live' | 'sandbox',
  count: number,
): Promise<string[]> {
  const keys: string[] = []
  for (let made = 0; made < count; made += 1) {
    keys.push((await service.createAccount(environment, `Torture ${made}`)).key)
  }
  return keys
}

/** The key of a new live account with a card entered on the provider's page. */
export async function newPayer(service: ServiceProcess): Promise<string> {
  const key = await newKey(service, 'live')
  const payer = accountClient(service.url, key)
  await comeBack(payer, await visitCardPage(payer))
  return key
}

/** The key of one new account. */
export async function newKey(service: ServiceProcess, environment: 'live' | 'sandbox'): Promise<string> {
  return (await service.createAccount(environment)).key
}

/** Runs something `count` times in parallel lanes, sequentially in each. */
export async function inLanes(
  count: number,
  lanes: number,
  work: (lane: number, index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0
  const run = async (lane: number) => {
    for (let index = next++; index < count; index = next++) await work(lane, index)
  }
  await Promise.all(Array.from({ length: lanes }, (_, lane) => run(lane)))
}

/** A random element. */
export function any<Value>(values: readonly Value[]): Value {
  return values[Math.floor(Math.random() * values.length)] as Value
}
