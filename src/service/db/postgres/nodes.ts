import type { Logger } from 'pino'
import { databaseNow } from '../leases.ts'
import type { Db } from '../open.ts'

const beatEveryMs = 10_000
const goneAfterMs = 30_000

/** The processes that share a database: each says every 10 s in its row that it is there. */
export class Nodes {
  readonly #db: Db
  readonly #id: string
  readonly #log: Logger
  /** the engine that this one hears recordings with */
  hears: string | null = null
  #timer: NodeJS.Timeout | null = null
  #alive = 1

  constructor(db: Db, id: string, log: Logger) {
    this.#db = db
    this.#id = id
    this.#log = log
  }

  /** How many there are, this one included, as of the last heartbeat. */
  get alive(): number {
    return this.#alive
  }

  /** Begins to say so. @throws where the database is away */
  async start(): Promise<void> {
    await this.beat()
    const beat = () => {
      this.beat().catch((error: unknown) => this.#log.warn({ err: error }, 'the other nodes could not be counted'))
    }
    this.#timer = setInterval(beat, beatEveryMs).unref()
  }

  /** Says once that this node is there, and counts the others. */
  async beat(): Promise<void> {
    const nodes = this.#db.deleteFrom('nodes')
    await nodes.where((eb) => eb('seen_at', '<', eb(databaseNow, '-', goneAfterMs))).execute()
    await this.#db
      .insertInto('nodes')
      .values({ id: this.#id, seen_at: databaseNow, hears: this.hears })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: databaseNow, hears: this.hears }))
      .execute()
    const counted = this.#db.selectFrom('nodes').select((eb) => eb.fn.countAll<number>().as('alive'))
    this.#alive = (await counted.executeTakeFirstOrThrow()).alive
  }

  /** Says that this node is gone. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    const left = this.#db.deleteFrom('nodes').where('id', '=', this.#id).execute()
    await left.catch((error: unknown) => this.#log.warn({ err: error }, 'other nodes will miss this one soon'))
  }
}
