import { describe, expect, it } from 'vitest'
import { Pool } from './pool.ts'

function startWorker() {
  const worker = {
    alive: true,
    kill() {
      worker.alive = false
    },
  }
  return Promise.resolve(worker)
}

const never = new AbortController().signal

describe('a pool of one', () => {
  it('passes the turn on if the next in line is aborted at the same moment', async () => {
    const stop = new AbortController()
    let looks = 0
    const pool = new Pool(1, async () => ({
      /** Read just before the turn is passed on: the abort falls between that and the next one's wake-up. */
      get alive() {
        looks += 1
        if (looks === 1) queueMicrotask(() => stop.abort())
        return true
      },
      kill: () => {},
    }))
    const using = pool.use(never, async () => 'first')
    const stopped = pool.use(stop.signal, async () => 'second')
    const third = pool.use(never, async () => 'third')
    await using
    await expect(stopped).rejects.toThrow(/abort/)
    expect(await third).toBe('third')
    await pool.close()
  })

  it('uses a worker again, and another after its death', async () => {
    let started = 0
    const pool = new Pool(1, () => {
      started += 1
      return startWorker()
    })
    await pool.use(never, async () => {})
    await pool.use(never, async (worker) => worker.kill())
    expect(started).toBe(1)
    await pool.use(never, async (worker) => expect(worker.alive).toBe(true))
    expect(started).toBe(2)
    await pool.close()
  })

  it('kills a worker that was starting when it was closed', async () => {
    const start = Promise.withResolvers<void>()
    let last = { alive: false }
    const pool = new Pool(1, async () => {
      await start.promise
      const worker = await startWorker()
      last = worker
      return worker
    })
    const using = pool.use(never, async () => {})
    await pool.close()
    start.resolve()
    await using
    expect(last.alive).toBe(false)
  })
})
