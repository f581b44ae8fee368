import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Claim } from '../../../src/contract/work/parts.ts'
import { createAccount } from '../../../src/service/accounts/auth/accounts.ts'
import type { Db } from '../../../src/service/platform/db/open.ts'
import { withDatabase } from '../../../src/service/start/cli/operate.ts'
import { holdMs } from '../../../src/service/workbench/claims.ts'
import { addStaff } from '../../../src/service/workbench/staff.ts'
import { insertParts } from '../../../src/service/workbench/testing/insert-parts.ts'
import { ServiceProcess } from '../../kit/service-process.ts'
import { sendWork } from '../../kit/staff-work.ts'
import type { Bench } from '../bench/measurement.ts'
import { unlessShort } from '../bench/short.ts'
import { Nodes } from './nodes.ts'
import { quiet, Tally } from './rounds.ts'
import { Seeded } from './seeded.ts'

const people = unlessShort(50, 8)
const orders = unlessShort(10, 2)
const partsOfOrder = unlessShort(20, 10)
/** In each round, everybody takes parts this often; then the clock advances a quarter of an hour. */
const rounds = unlessShort(10, 2)
const turns = unlessShort(20, 5)
const tortured = join(import.meta.dirname, 'tortured-service.ts')

type Place = { dataDir: string; at: (index: number) => ServiceProcess }

/** Responses that each client got, for all parts. */
class Desk {
  readonly #place: Place
  readonly #random: Seeded
  readonly #holders = new Map<string, string>()
  readonly taken = new Tally('claims of parts that nobody held')
  readonly kept = new Tally('holds renewed and given back by their holders')
  readonly ended = new Tally('holds that had ended and changed nothing')
  readonly #left: { key: string; part: string; claim: number }[] = []

  constructor(place: Place, random: Seeded) {
    this.#place = place
    this.#random = random
  }

  /** Sends a request to any of the nodes. */
  async #ask(key: string, path: string, body: unknown, claim?: number): Promise<Response> {
    return await sendWork(this.#place.at(Math.floor(this.#random.next() * 1_000)), key, path, { body, claim })
  }

  /** Takes the next part, and returns it or abandons it, as by closing the laptop. */
  async turn(key: string): Promise<void> {
    const answer = await this.#ask(key, 'claims', { part: null })
    if (answer.status !== 201) return this.taken.count(false, `a claim was answered ${answer.status}`)
    const { part, claim } = (await answer.json()) as Claim
    const other = this.#holders.get(part)
    this.taken.count(other === undefined, `${part} was ${other}'s`)
    this.#holders.set(part, key)
    const renewed = await this.#ask(key, `parts/${part}/hold`, { heard: [] }, claim)
    this.kept.count(renewed.status === 200, `a renewal was answered ${renewed.status}`)
    if (this.#random.next() < 0.05) return void this.#left.push({ key, part, claim })
    this.#holders.delete(part)
    const given = await this.#ask(key, `parts/${part}/return`, { reason: 'no-time' }, claim)
    this.kept.count(given.status === 204, `a return was answered ${given.status}`)
  }

  /** Advances a quarter of an hour: abandoned parts are free, and their former holders can no longer change them. */
  async holdsEnd(round: number): Promise<void> {
    await writeFile(join(this.#place.dataDir, 'clock'), String(round * (holdMs + 1_000)))
    this.#holders.clear()
    for (const { key, part, claim } of this.#left.splice(0)) {
      for (const [path, body] of [
        ['hold', { heard: [] }],
        ['return', { reason: 'no-time' }],
      ] as const) {
        const { status } = await this.#ask(key, `parts/${part}/${path}`, body, claim)
        this.ended.count(status === 409, `${path} of an ended hold was answered ${status}`)
      }
    }
  }
}

async function hireAll(db: Db): Promise<{ keys: string[]; parts: string[] }> {
  const { accountId } = await createAccount(db, { environment: 'live', name: 'Claims' }, Date.now())
  const [keys, parts]: [string[], string[]] = [[], []]
  for (let made = 0; made < people; made += 1) {
    keys.push((await addStaff(db, { name: `Typist ${made}`, role: 'typist' }, Date.now())).key)
  }
  for (let made = 0; made < orders; made += 1) {
    parts.push(...(await insertParts(db, accountId, { parts: partsOfOrder, dueAt: Date.now() + made })))
  }
  return { keys, parts }
}

/** Compares parts and books with the responses. */
async function compare(db: Db, parts: readonly string[]): Promise<Tally> {
  const tally = new Tally('parts and claims in the books')
  const rows = await db.selectFrom('work_parts').select(['id', 'claim']).execute()
  const there = new Set(rows.map(({ id }) => id))
  for (const id of parts) tally.count(there.has(id), `${id} is lost`)
  const books = await db.selectFrom('work_claims').select(['part_id', 'claim']).execute()
  const claims = people * turns * rounds
  const counted = rows.reduce((sum, { claim }) => sum + claim, 0)
  tally.count(counted === claims, `${claims} claims are counted as ${counted}`)
  const distinct = new Set(books.map(({ part_id, claim }) => `${part_id} ${claim}`))
  tally.count(distinct.size === claims, `${claims} claims are ${distinct.size} in the books`)
  return tally
}

const torture = async (place: Place) => {
  const { keys, parts } = await withDatabase(place.at(0), hireAll)
  const desk = new Desk(place, new Seeded(1))
  for (let round = 1; round <= rounds; round += 1) {
    await Promise.all(
      keys.map(async (key) => {
        for (let turn = 0; turn < turns; turn += 1) await desk.turn(key)
      }),
    )
    await desk.holdsEnd(round)
  }
  const books = await withDatabase(place.at(0), (db) => compare(db, parts))
  return [desk.taken, desk.kept, desk.ended, books].flatMap((tally) => tally.rows())
}

/** Typists who concurrently take, abandon and return parts of a queue. */
export const tortureClaims: Bench = async () => {
  const service = await ServiceProcess.start(quiet, tortured)
  try {
    return await torture({ dataDir: service.dataDir, at: () => service })
  } finally {
    await service.remove()
  }
}

/** The same with two nodes, each request to either of them. */
export const tortureNodeClaims: Bench = async () => {
  const nodes = await Nodes.start(2)
  try {
    return await torture({ dataDir: nodes.dataDir, at: (index) => nodes.at(index) })
  } finally {
    await nodes.remove()
  }
}
