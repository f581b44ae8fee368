import type { Platform } from '../platform/platform.ts'
import type { EngineChoice } from './choose-engine.ts'

/** An engine may only fail for a while: its recordings wait so long for it before another one hears them again. */
const patienceMs = 120_000

/** The engine that this process hears with, by name and model; other nodes know it by that. */
export class OwnEngine {
  readonly #platform: Platform
  readonly #engines: EngineChoice
  #since = 0

  constructor(platform: Platform, engines: EngineChoice) {
    this.#platform = platform
    this.#engines = engines
  }

  /** Checks again at each call. If there is none at present, it is still known by the last one. */
  async choose() {
    const { nodes, clock, config } = this.#platform
    const choice = await this.#engines.choose()
    const name = choice.engine === null ? nodes.hears : `${choice.name} ${config.recogniserModel ?? ''}`.trim()
    if (name !== nodes.hears) this.#since = clock()
    nodes.hears = name
    return choice
  }

  /**
   * Whose a recording is, as one engine hears all of it: the first that begins. `nobodys`: no process has that engine any
   * more, so that the recording must be heard again.
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
