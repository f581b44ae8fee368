import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestDbs } from '../../testing/test-dbs.ts'
import type { Db } from '../db/open.ts'
import { doForAllNodes } from './chores.ts'

let dbs: readonly [Db, Db]
let remove: () => Promise<void>
let done: string[]

beforeEach(async () => {
  ;({ dbs, remove } = await openTestDbs())
  done = []
})
afterEach(() => remove())

const chore = { name: 'sweep', everyMs: 60_000 }
const platformOf = (index: 0 | 1) => ({ db: dbs[index], node: `node-${index}` })

function attempt(index: 0 | 1, isDueNow = false, work = async () => {}): Promise<void> {
  return doForAllNodes(platformOf(index), chore, isDueNow, async () => {
    done.push(`node-${index}`)
    await work()
  })
}

test('one node runs a chore for all, once per interval', async () => {
  await Promise.all([attempt(0), attempt(1), attempt(0), attempt(1)])
  expect(done).toHaveLength(1)
  await attempt(1)
  expect(done).toHaveLength(1)
  const [{ leased_until: until } = { leased_until: 0 }] = await dbs[0].selectFrom('chores').selectAll().execute()
  expect(until - Date.now()).toBeGreaterThan(40_000)
  expect(until - Date.now()).toBeLessThan(60_000)
  await dbs[0].updateTable('chores').set({ leased_until: 0 }).execute()
  await attempt(1)
  expect(done).toHaveLength(2)
  await attempt(0, true)
  expect(done).toHaveLength(3)
})

test('no other node begins it in the meantime; one that fails or dies is due again', async () => {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: mayEndToo, resolve: endSecond } = Promise.withResolvers<void>()
  const first = attempt(0, false, () => mayEnd)
  await expect.poll(() => done).toEqual(['node-0'])
  await attempt(1)
  await attempt(1, true)
  expect(done, 'not even if it is woken').toEqual(['node-0'])
  // It is suspended for longer than its lease.
  await dbs[0].updateTable('chores').set({ leased_until: 0 }).execute()
  const second = attempt(1, false, () => mayEndToo)
  await expect.poll(() => done).toEqual(['node-0', 'node-1'])
  end()
  await first
  const { node } = await dbs[0].selectFrom('chores').select('node').executeTakeFirstOrThrow()
  expect(node, 'the first one changes nothing more').toBe('node-1')
  endSecond()
  await second
  await dbs[0].updateTable('chores').set({ leased_until: 0 }).execute()
  const failing = attempt(0, false, () => Promise.reject(new Error('provoked')))
  await expect(failing).rejects.toThrow('provoked')
})
