import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Engine } from './engine.ts'
import { PocketsphinxEngine } from './engines/pocketsphinx.ts'

export type Chosen = { engine: Engine; name: string; note: string | null } | { engine: null; reason: string }

/** The engines of this process, and which of them hears the next recording. */
export interface EngineChoice {
  /** how many recordings are worth hearing at once */
  readonly parallel: number
  /** Looks again each time: a model or a package may have come meanwhile. */
  choose(): Promise<Chosen>
  close(): Promise<void>
}

/** Chooses by `RECOGNISER` (issue 7, point 1). */
export function createEngineChoice(config: Config, log: Logger): EngineChoice {
  const pocketsphinx = new PocketsphinxEngine({
    modelDir: config.recogniser === 'pocketsphinx' ? config.modelDir : null,
    accurate: config.recogniserModel === 'accurate',
  })
  return {
    parallel: pocketsphinx.parallel,
    async choose() {
      const state = await pocketsphinx.state()
      log.debug({ recogniser: state }, 'recogniser chosen')
      return state.ready
        ? { engine: pocketsphinx, name: state.name, note: state.note }
        : { engine: null, reason: state.reason }
    },
    close: () => pocketsphinx.close(),
  }
}
