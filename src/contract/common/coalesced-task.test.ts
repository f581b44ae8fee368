import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { CoalescedTask } from './coalesced-task.ts'

/** Runs that end when the test decides, and a log of events in order. */
class ControlledRuns {
  /** number of the latest request (from 1) when each run began */
  readonly beganAfter: number[] = []
  readonly errors: unknown[] = []
  requests = 0
  active = 0
  mostActive = 0
  #end: ((error?: Error) => void) | null = null
  /** requests that the next run makes, before its first `await` */
  requestsInside = 0
  readonly task = new CoalescedTask(
    () => this.#run(),
    (error) => this.errors.push(error),
  )

  request(): void {
    this.requests += 1
    this.task.request()
  }

  end(error?: Error): void {
    this.#end?.(error)
    this.#end = null
  }

  async #run(): Promise<void> {
    this.beganAfter.push(this.requests)
    this.active += 1
    this.mostActive = Math.max(this.mostActive, this.active)
    const ended = new Promise<Error | undefined>((resolve) => {
      this.#end = resolve
    })
    for (; this.requestsInside > 0; this.requestsInside -= 1) this.request()
    const error = await ended
    this.active -= 1
    if (error !== undefined) throw error
  }
}

type Step = 'request' | 'request inside' | 'end' | 'fail' | 'settle'
const steps = fc.array(fc.constantFrom<Step>('request', 'request inside', 'end', 'fail', 'settle'), { maxLength: 40 })

/** Flushes everything that waits only for promises. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}

async function take(runs: ControlledRuns, step: Step): Promise<void> {
  if (step === 'request') runs.request()
  else if (step === 'request inside') runs.requestsInside += 1
  else if (step === 'end') runs.end()
  else if (step === 'fail') runs.end(new Error('provoked'))
  else await settle()
}

it('never runs twice at once, and answers every request by a run that begins after it', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const runs = new ControlledRuns()
      for (const step of sequence) await take(runs, step)
      await settle()
      while (runs.active > 0) {
        runs.end()
        await settle()
      }
      expect(runs.mostActive).toBeLessThanOrEqual(1)
      expect(runs.beganAfter.length).toBeLessThanOrEqual(runs.requests)
      expect(runs.beganAfter.at(-1) ?? 0).toBe(runs.requests)
      expect(runs.errors.length).toBeLessThanOrEqual(runs.beganAfter.length)
    }),
  )
})

it('starts nothing once stopped, and waits for the current run', async () => {
  await fc.assert(
    fc.asyncProperty(steps, steps, async (before, after) => {
      const runs = new ControlledRuns()
      for (const step of before) await take(runs, step)
      await settle()
      const begun = runs.beganAfter.length
      let isStopped = false
      const stopped = runs.task.stop().then(() => {
        isStopped = true
      })
      for (const step of after) {
        await take(runs, step)
        if (runs.active > 0) expect(isStopped).toBe(false)
      }
      runs.end()
      await stopped
      await settle()
      expect(runs.beganAfter.length).toBe(begun)
      expect(runs.active).toBe(0)
    }),
  )
})
