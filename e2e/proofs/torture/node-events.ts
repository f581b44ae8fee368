import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { createAccount } from '../../../src/service/accounts/auth/accounts.ts'
import { Changes } from '../../../src/service/platform/db/changes.ts'
import { appendEvent } from '../../../src/service/platform/db/outbox.ts'
import { Bell } from '../../../src/service/platform/db/postgres/listen-notify.ts'
import { openPostgres } from '../../../src/service/platform/db/postgres/open-postgres.ts'
import { writeAccount } from '../../../src/service/platform/db/write-account.ts'
import { openEvents } from '../../../src/service/testing/event-stream.ts'
import type { ServiceProcess } from '../../kit/service-process.ts'
import type { Bench } from '../bench/measurement.ts'
import { unlessShort } from '../bench/short.ts'
import { Nodes } from './nodes.ts'
import { comesTrue, inLanes, Tally } from './rounds.ts'

const events = unlessShort(20_000, 400)
const writers = 8
const listeners = unlessShort(4, 2)
const accounts = 4
const cuts = 3
const withinMs = 600_000

/** One account's events as seen at one node, and whether each came once and in order. */
class Follower {
  seen = 0
  readonly #tally: Tally
  #last = 0

  constructor(tally: Tally) {
    this.#tally = tally
  }

  /** Follows the stream, resuming from there when it ends. @returns once the first stream has begun */
  async follow(node: ServiceProcess, key: string): Promise<void> {
    const stream = await openEvents(node.url.origin, key, this.#last)
    await stream.nextOf('hello')
    const read = async () => {
      for (let event = await stream.next(); event !== null; event = await stream.next()) {
        this.#tally.count(event.id === this.#last + 1, `${event.kind} ${event.id} came after ${this.#last}`)
        this.#last = event.id ?? this.#last
        this.seen += 1
      }
      await this.follow(node, key)
    }
    read().catch(() => undefined) // the node has ended
  }
}

/** Cuts every connection on which a process LISTENs for notifications, once all have one. */
async function cutListeners({ db }: Nodes): Promise<boolean> {
  const listening = sql`application_name = 'parley' and query ~* '^(listen|select 1$)'`
  const all = async () => {
    const { rows } = await sql`select pid from pg_stat_activity where ${listening}`.execute(db)
    return rows.length > listeners // including that of the writers
  }
  const isThere = await comesTrue(all, 30_000)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where ${listening}`.execute(db)
  return isThere
}

/** Many writers and many listeners, whose LISTEN/NOTIFY connections are cut: every event once and in order. */
export const tortureNodeEvents: Bench = async () => {
  const nodes = await Nodes.start(listeners)
  const [once, connections] = [new Tally('events seen once and in order'), new Tally('listening connections cut')]
  const changes = new Changes()
  const dbs = await Promise.all(Array.from({ length: writers }, () => openPostgres({ ...nodes.postgres, pool: 1 })))
  const bell = new Bell(nodes.db, nodes.postgres.directUrl, {
    node: 'writers',
    changes,
    log: pino({ level: 'silent' }),
  })
  try {
    await bell.start()
    const owners: { accountId: string; key: string }[] = []
    for (let made = 0; made < accounts; made += 1) {
      owners.push(await createAccount(nodes.db, { environment: 'live', name: `Events ${made}` }, Date.now()))
    }
    const followers: Follower[] = []
    for (const node of nodes.all) {
      for (const { key } of owners) {
        const follower = new Follower(once)
        followers.push(follower)
        await follower.follow(node, key)
      }
    }
    let written = 0
    const cutting = async () => {
      for (let count = 1; count <= cuts; count += 1) {
        await comesTrue(() => written >= (count * events) / (cuts + 1), withinMs)
        connections.count(await cutListeners(nodes), 'not all were there again')
      }
    }
    const cut = cutting()
    await inLanes(events, writers, async (lane, index) => {
      const { accountId } = owners[index % accounts] ?? { accountId: '' }
      await writeAccount(dbs[lane] ?? nodes.db, accountId, (trx) => appendEvent(trx, 'account', {}, Date.now()))
      changes.notify({ kind: 'account', accountId })
      written += 1
    })
    await cut
    const all = () => followers.every(({ seen }) => seen >= events / accounts)
    once.count(await comesTrue(all, 60_000), `seen: ${followers.map(({ seen }) => seen).join(', ')}`)
    await wait(1_000) // for duplicates
    const seen = followers.map((follower) => follower.seen)
    once.count(
      seen.every((count) => count === events / accounts),
      `seen: ${seen.join(', ')}`,
    )
    return [...once.rows(), ...connections.rows()]
  } finally {
    await bell.close()
    for (const db of dbs) await db.destroy()
    await nodes.remove()
  }
}
