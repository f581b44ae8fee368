import { sql } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { ownErrors } from '../../own-errors.ts'
import type { Change, Changes } from '../changes.ts'
import type { Db } from '../open.ts'
import { parseConnection } from './open-postgres.ts'

/** Changes are batched into one notification per interval: within transactions they would cost most of the commits. */
const tellEveryMs = 10
/** PostgreSQL's limit is 7,999 bytes. */
const maxPayloadBytes = 7_500
const heartbeatMs = 10_000
const heartbeatWithinMs = 5_000
const reconnectAfterMs = 1_000

type Told = { node: string; changes: readonly Change[] }

/**
 * Announces changes to the other processes and receives theirs (LISTEN/NOTIFY). A lost notification costs a moment,
 * never an event: tables are polled as well.
 */
export class Bell {
  readonly #db: Db
  readonly #directUrl: string
  readonly #node: string
  readonly #changes: Changes
  readonly #log: Logger
  readonly #unsubscribe: () => void
  #channel = ''
  #untold: Change[] = []
  #telling: NodeJS.Timeout | null = null
  #listener: pg.Client | null = null
  #heartbeat: NodeJS.Timeout | null = null
  #reconnecting: NodeJS.Timeout | null = null
  #closed = false

  constructor(db: Db, directUrl: string, platform: { node: string; changes: Changes; log: Logger }) {
    this.#db = db
    this.#directUrl = directUrl
    this.#node = platform.node
    this.#changes = platform.changes
    this.#log = platform.log
    this.#unsubscribe = this.#changes.subscribe((change, isOwn) => {
      if (isOwn) this.#tellSoon(change)
    })
  }

  /** Starts listening. @throws if the database is unreachable */
  async start(): Promise<void> {
    const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(this.#db)
    this.#channel = `parley_${rows[0]?.schema}`
    await this.#listen()
    this.#heartbeat = setInterval(() => void this.#check(), heartbeatMs).unref()
  }

  async #listen(): Promise<void> {
    const client = new pg.Client(parseConnection(this.#directUrl))
    client.on('error', () => this.#reconnect(client))
    client.on('end', () => this.#reconnect(client))
    // Whoever may connect to the database can notify.
    const ignore = (error: unknown) => this.#log.warn({ err: error }, 'a notification could not be read')
    client.on(
      'notification',
      ownErrors(({ payload }) => this.#hear(payload ?? ''), ignore),
    )
    this.#listener = client
    await client.connect()
    await client.query(`listen ${client.escapeIdentifier(this.#channel)}`)
  }

  #hear(payload: string): void {
    const { node, changes } = JSON.parse(payload) as Told
    if (node !== this.#node) for (const change of changes) this.#changes.notifyHere(change)
  }

  /** Detects a dead listener: the network may fail silently. */
  async #check(): Promise<void> {
    const client = this.#listener
    if (client === null) return
    const late = setTimeout(() => this.#reconnect(client), heartbeatWithinMs)
    try {
      await client.query('select 1')
    } catch {
      this.#reconnect(client)
    } finally {
      clearTimeout(late)
    }
  }

  #reconnect(broken: pg.Client): void {
    if (this.#closed || this.#listener !== broken) return
    this.#listener = null
    broken.end().catch(() => {})
    this.#reconnecting = setTimeout(() => {
      this.#listen().catch((error: unknown) => {
        this.#log.warn({ err: error }, 'the listening connection to the database could not be made again yet')
        if (this.#listener !== null) this.#reconnect(this.#listener)
      })
    }, reconnectAfterMs).unref()
  }

  #tellSoon(change: Change): void {
    this.#untold.push(change)
    this.#telling ??= setTimeout(() => void this.#tell(), tellEveryMs)
  }

  async #tell(): Promise<void> {
    this.#telling = null
    const changes = this.#untold.splice(0)
    try {
      for (const payload of this.#payloads(changes)) {
        await sql`select pg_notify(${this.#channel}, ${payload})`.execute(this.#db)
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'changes could not be told to other processes; they will see them by themselves')
    }
  }

  /** Deduplicates changes and packs them into as few notifications as possible. */
  *#payloads(changes: readonly Change[]): Iterable<string> {
    let batch: string[] = []
    let bytes = 0
    const payload = () => `{"node":${JSON.stringify(this.#node)},"changes":[${batch.join(',')}]}`
    for (const text of new Set(changes.map((change) => JSON.stringify(change)))) {
      if (bytes + text.length > maxPayloadBytes && batch.length > 0) {
        yield payload()
        batch = []
        bytes = 0
      }
      batch.push(text)
      bytes += Buffer.byteLength(text) + 1
    }
    if (batch.length > 0) yield payload()
  }

  /** Sends pending changes, and ends. */
  async close(): Promise<void> {
    this.#closed = true
    this.#unsubscribe()
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat)
    if (this.#reconnecting !== null) clearTimeout(this.#reconnecting)
    if (this.#telling !== null) clearTimeout(this.#telling)
    await this.#tell()
    await this.#listener?.end().catch(() => {})
  }
}
