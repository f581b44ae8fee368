import type { Logger } from 'pino'
import { type Recognition, recognition } from '../../../../contract/account/account.ts'
import { HearingPace, noRecognition } from '../hearing-pace.ts'
import { databaseNow } from '../leases.ts'
import type { Db } from '../open.ts'

const beatEveryMs = 10_000
const goneAfterMs = 30_000

/** Prefixes of process names, which tell other processes its role. */
export const nodePrefixes = { all: 'n', api: 'a', worker: 'w' } as const

/** Parses how a process of this version says it recognizes speech; null: it does not, or another version wrote it. */
function readRecognition(json: string | null): Recognition | null {
  return json === null ? null : (recognition.safeParse(JSON.parse(json)).data ?? null)
}

/** What customers can rely on if processes differ: of those that recognize anything, one not measured, or the worst. */
function pickLeast(all: readonly Recognition[]): Recognition | null {
  const able = all.filter(({ engine }) => engine !== null)
  const wrong = ({ measured }: Recognition) => measured?.wrong_percent ?? Number.POSITIVE_INFINITY
  const worst = able.reduce<Recognition | null>((a, b) => (a === null || wrong(b) > wrong(a) ? b : a), null)
  return worst ?? all[0] ?? null
}

/** The processes that share a database: each writes a heartbeat to its row every 10 s. */
export class Nodes {
  readonly #db: Db
  readonly #id: string
  readonly #log: Logger
  /** the engine that this process recognizes recordings with */
  hears: string | null = null
  readonly #own: HearingPace
  #timer: NodeJS.Timeout | null = null
  #answering = 1
  #working = 1
  #hearing = 1
  /** how the others recognize speech, as of the last heartbeat; null: not reported yet */
  #others: Recognition | null = null
  #describe: (() => Promise<Recognition>) | null = null
  #pace: number | null = null

  /** @param parallel how many sections of recordings each process recognizes concurrently */
  constructor(db: Db, { id, parallel }: { id: string; parallel: number }, log: Logger) {
    this.#db = db
    this.#id = id
    this.#own = new HearingPace(parallel)
    this.#log = log
  }

  /** How many processes serve requests, as of the last heartbeat. */
  get answering(): number {
    return this.#answering
  }

  /** How many process orders, as of the last heartbeat. */
  get working(): number {
    return this.#working
  }

  /** Seconds of audio that all together recognize per second, as of the last heartbeat; null if not measured yet. */
  get pace(): number | null {
    return this.#pace
  }

  /** Records audio recognized by this process. */
  heard(soundMs: number, tookMs: number): void {
    this.#own.add(soundMs, tookMs)
  }

  /** See `Platform`; notifies the others immediately. */
  async describedBy(describe: () => Promise<Recognition>): Promise<void> {
    this.#describe = describe
    await this.beat()
  }

  async recognition(): Promise<Recognition> {
    if (this.#working === 0) return noRecognition
    const own = async () => (await this.#describe?.()) ?? noRecognition
    // Until another has reported, assumes that it has the same variables.
    return this.#works ? await own() : (this.#others ?? (await own()))
  }

  /** As of the last heartbeat. */
  async hearing(): Promise<number> {
    return this.#hearing
  }

  get #works(): boolean {
    return !this.#id.startsWith(nodePrefixes.api)
  }

  /** Starts the heartbeat. @throws if the database is unreachable */
  async start(): Promise<void> {
    await this.beat()
    const beat = () => {
      this.beat().catch((error: unknown) => this.#log.warn({ err: error }, 'the other nodes could not be counted'))
    }
    this.#timer = setInterval(beat, beatEveryMs).unref()
  }

  /** Writes one heartbeat, and counts the other nodes. */
  async beat(): Promise<void> {
    const own = this.#works ? await this.#describe?.() : undefined
    const said = {
      seen_at: databaseNow,
      hears: this.hears,
      pace: this.#own.pace,
      recognition_json: own === undefined ? null : JSON.stringify(own),
    }
    const nodes = this.#db.deleteFrom('nodes')
    await nodes.where((eb) => eb('seen_at', '<', eb(databaseNow, '-', goneAfterMs))).execute()
    await this.#db
      .insertInto('nodes')
      .values({ id: this.#id, ...said })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(said))
      .execute()
    const alive = await this.#db.selectFrom('nodes').select(['id', 'pace', 'recognition_json']).execute()
    const others = (prefix: string) => alive.filter(({ id }) => !id.startsWith(prefix)).length
    this.#answering = others(nodePrefixes.worker)
    this.#working = others(nodePrefixes.api)
    const working = alive.filter(({ id }) => !id.startsWith(nodePrefixes.api))
    const told = working.map(({ recognition_json }) => readRecognition(recognition_json))
    this.#hearing = told.filter((one) => one === null || one.engine !== null).length
    this.#others = pickLeast(told.filter((one) => one !== null))
    const measured = alive.flatMap(({ pace }) => (pace === null ? [] : [pace]))
    const sum = measured.reduce((one, other) => one + other, 0)
    // Processes without a measurement are assumed to be like the others.
    this.#pace = measured.length === 0 ? null : (sum / measured.length) * Math.max(measured.length, this.#working)
  }

  /** Announces that this node is gone. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    const left = this.#db.deleteFrom('nodes').where('id', '=', this.#id).execute()
    await left.catch((error: unknown) => this.#log.warn({ err: error }, 'other nodes will miss this one soon'))
  }
}
