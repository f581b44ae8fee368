import type { Platform } from '../platform/platform.ts'
import type { EngineChoice } from './choose-engine.ts'

/** How long recordings wait for a failing engine before another one recognizes them from scratch. */
const patienceMs = 120_000

/** This process's engine, identified by name and model, which is how other nodes know it. */
export class OwnEngine {
  readonly #platform: Platform
  readonly #engines: EngineChoice
  #since = 0

  constructor(platform: Platform, engines: EngineChoice) {
    this.#platform = platform
    this.#engines = engines
  }

  /** Checks again at each call. While there is none, the last known one remains. */
  async choose() {
    const { nodes, clock, config } = this.#platform
    const choice = await this.#engines.choose()
    const name = choice.engine === null ? nodes.hears : `${choice.name} ${config.recogniserModel ?? ''}`.trim()
    if (name !== nodes.hears) this.#since = clock()
    nodes.hears = name
    return choice
  }

  /**
   * Claims a recording for this engine, as one engine recognizes all of it: the first to begin. `nobodys`: no process
   * has that engine any more, so the recording must be recognized again.
   */
  async claim(fileId: string): Promise<'ours' | 'theirs' | 'nobodys'> {
    const { db, nodes, clock } = this.#platform
    const ofFile = db.updateTable('recognitions').where('file_id', '=', fileId)
    await ofFile.set({ engine: nodes.hears }).where('engine', 'is', null).execute()
    const row = await db
      .selectFrom('recognitions')
      .leftJoin('nodes', 'nodes.hears', 'recognitions.engine')
      .select(['engine', 'nodes.id as node'])
      .where('file_id', '=', fileId)
      .executeTakeFirst()
    if (row === undefined || row.engine === nodes.hears) return 'ours'
    return row.node !== null || clock() - this.#since < patienceMs ? 'theirs' : 'nobodys'
  }
}
